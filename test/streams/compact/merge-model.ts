/** What `compact` must do, stated for each pair of events by looking at all events before it. */
import type { ContextAnyEvent } from '../../../src/index.ts'

type Fields = Readonly<Record<string, unknown>> & { readonly kind: string }

/** The field that names the series of a delta, and the one that holds its data. */
const deltas: Readonly<Record<string, readonly [id: string, data: string]>> = {
  'content-delta': ['contentId', 'delta'],
  'thought-delta': ['thoughtId', 'delta'],
  'tool-arguments-delta': ['toolCallId', 'delta'],
  'file-write': ['artifactId', 'data'],
  'dataset-write': ['artifactId', 'rows'],
}

/** The other fields of deltas. Fields of the first chunk may be omitted later. */
const shared = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'toolName', 'thoughtType', 'verbosity']
const ranges = ['index', 'indexEnd', 'timestamp', 'timestampEnd']
const heads = ['name', 'description', 'mimeType', 'encoding', 'schema', 'metadata']
const ends = ['complete', 'version', 'digest']

/** The events with every pair of neighbours merged that may be merged. */
export function mergeAll(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const all = events as unknown as readonly Fields[]
  const merged: Fields[] = []
  for (const [i, b] of all.entries()) {
    const a = merged.at(-1)
    const previous = all[i - 1]
    const isNext = continuesSeries(all, i) && continuesSeries(all, i - 1)
    const both =
      isNext && a !== undefined && previous !== undefined && mergePair(a, previous, b, encodingOf(all, i))
    if (both) merged[merged.length - 1] = both
    else merged.push(b)
  }
  return merged as unknown as ContextAnyEvent[]
}

/** Both events as one; `undefined` if something would be lost. */
function mergePair(a: Fields, previous: Fields, b: Fields, encoding: string | undefined): Fields | undefined {
  const [id, data] = deltas[b.kind] ?? []
  if (id === undefined || data === undefined) return undefined
  const isChunk = id === 'artifactId'
  const known = [...shared, ...ranges, id, data, ...(isChunk ? [...heads, ...ends] : [])]
  if (
    ![...Object.keys(a), ...Object.keys(b)].every((name) => known.includes(name) && isFieldOf(b.kind, name))
  )
    return undefined
  if (![...shared, id].every((name) => isSame(a[name], b[name]))) return undefined
  if (!heads.every((name) => !(name in b) || isSame(a[name], b[name]))) return undefined
  if (b.index !== endOf(a) + 1 || a.digest !== undefined) return undefined
  const joined = join(a[data], previous[data], b[data], encoding)
  if (joined === undefined) return undefined
  const { timestampEnd: _, ...start } = a
  const timestampEnd = b.timestampEnd ?? b.timestamp
  const tail = isChunk
    ? Object.fromEntries(ends.filter((name) => name in b).map((name) => [name, b[name]]))
    : {}
  const range = { indexEnd: endOf(b), ...(timestampEnd !== a.timestamp && { timestampEnd }) }
  return { ...start, ...range, ...tail, [data]: joined }
}

/** Whether a kind has a field: those with an id of their own do not have the fields of other kinds. */
function isFieldOf(kind: string, name: string): boolean {
  if (name === 'toolName') return kind === 'tool-arguments-delta'
  if (name === 'thoughtType' || name === 'verbosity') return kind === 'thought-delta'
  return name !== 'digest' || kind === 'file-write'
}

/** Data joined; `undefined` if it cannot be. */
function join(a: unknown, previous: unknown, b: unknown, encoding: string | undefined): unknown {
  if (Array.isArray(a)) return [...a, ...(b as unknown[])]
  const [text, last, more] = [a as string, previous as string, b as string]
  if (encoding === 'text') return text + more
  if (!isBase64(text) || !isBase64(more)) return undefined
  const bytes = Buffer.concat([Buffer.from(text, 'base64'), Buffer.from(more, 'base64')]).toString('base64')
  // Without the first chunk, the result must be right for text, too.
  if (encoding === undefined) return last.length % 4 === 0 && !last.endsWith('=') ? text + more : undefined
  return bytes
}

/** `text` or `base64`; `undefined` for a file whose first chunk was not seen. */
function encodingOf(events: readonly Fields[], i: number): string | undefined {
  const event = events[i]
  if (event?.kind !== 'file-write') return 'text'
  const first = events
    .slice(0, i + 1)
    .findLast((other) => isSeriesOf(event, other) && other.index === 0 && continuesKind(events, event, other))
  return first && (first.encoding === 'base64' ? 'base64' : 'text')
}

/** Whether no artifact of another kind has the id. */
function continuesKind(events: readonly Fields[], event: Fields, other: Fields): boolean {
  return artifactKind(events, event) === other.kind
}

/** The kind of the first chunk of an artifact. */
function artifactKind(events: readonly Fields[], { contextId, artifactId }: Fields): string | undefined {
  return events.find(
    (other) =>
      other.contextId === contextId &&
      other.artifactId === artifactId &&
      ['file-write', 'dataset-write', 'data-write'].includes(other.kind),
  )?.kind
}

/** Whether an event is a delta with the index that is expected after those before it. */
function continuesSeries(events: readonly Fields[], i: number): boolean {
  const event = events[i]
  if (event === undefined || !(event.kind in deltas)) return false
  const before = events.slice(0, i)
  if (before.some((other) => endsTask(event, other) || closesSeries(event, other))) return false
  const isChunk = event.artifactId !== undefined && 'complete' in event && event.kind.endsWith('-write')
  if (isChunk && artifactKind(events, event) !== event.kind) return false
  let expected: number | undefined
  for (const other of before) {
    if (endsText(event, other)) expected = undefined
    if (!isSeriesOf(event, other)) continue
    const next = isChunk && other.index === 0 ? 0 : expected
    if (next !== undefined && endOf(other) < next) continue
    expected = isChunk && other.complete === true ? 0 : Math.max(other.index as number, endOf(other)) + 1
  }
  if (isChunk && event.index === 0) expected = 0
  return endOf(event) >= (event.index as number) && (expected ?? event.index) === event.index
}

function isSeriesOf(event: Fields, other: Fields): boolean {
  const id = deltas[event.kind]?.[0] ?? ''
  if (other.kind !== event.kind || other.contextId !== event.contextId || other[id] !== event[id])
    return false
  return id === 'artifactId' || other.taskId === event.taskId
}

function endsTask(event: Fields, { kind, status, contextId, taskId }: Fields): boolean {
  if (contextId !== event.contextId || taskId !== event.taskId) return false
  return (
    kind === 'task-complete' ||
    (kind === 'task-status' && ['completed', 'failed', 'canceled'].includes(`${status}`))
  )
}

function closesSeries(event: Fields, other: Fields): boolean {
  if (other.contextId !== event.contextId || other.taskId !== event.taskId) return false
  if (event.kind === 'thought-delta')
    return other.kind === 'thought-stream' && other.thoughtId === event.thoughtId
  const isCall = ['tool-start', 'tool-progress', 'tool-complete'].includes(other.kind)
  return event.kind === 'tool-arguments-delta' && isCall && other.toolCallId === event.toolCallId
}

function endsText(event: Fields, other: Fields): boolean {
  if (event.kind !== 'content-delta' || other.kind !== 'content-complete') return false
  return ['contextId', 'taskId', 'contentId'].every((name) => other[name] === event[name])
}

function endOf({ index, indexEnd = index }: Fields): number {
  return indexEnd as number
}

function isBase64(text: string): boolean {
  return (
    /^[A-Za-z0-9+/]*={0,2}$/.test(text) &&
    (text.includes('=') ? text.length % 4 === 0 : text.length % 4 !== 1)
  )
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
