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
const shared = [
  ...[
    'kind',
    'contextId',
    'taskId',
    'parentTaskId',
    'path',
    'toolName',
    'thoughtType',
    'verbosity',
    'iteration',
  ],
]
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
  if (name === 'iteration') return kind in texts
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
  if (before.some((other) => endsTask(event, other))) return false
  const { index } = event
  const expected = event.kind in texts ? expectedText(event, before) : expectedChunk(events, event, before)
  return expected !== null && endOf(event) >= (index as number) && (expected ?? index) === index
}

/** The index expected of a chunk. `undefined`: any, as its artifact is new; `null`: no chunk may follow. */
function expectedChunk(
  events: readonly Fields[],
  event: Fields,
  before: readonly Fields[],
): number | undefined | null {
  if (artifactKind(events, event) !== event.kind) return null
  let expected: number | undefined
  for (const other of before) {
    if (!isSeriesOf(event, other)) continue
    const next = other.index === 0 ? 0 : expected
    if (next !== undefined && endOf(other) < next) continue
    expected = other.complete === true ? 0 : Math.max(other.index as number, endOf(other)) + 1
  }
  return event.index === 0 ? 0 : expected
}

/** The kinds of deltas that a model writes, and the fields with their ids. */
const texts: Readonly<Record<string, string>> = {
  'content-delta': 'contentId',
  'thought-delta': 'thoughtId',
  'tool-arguments-delta': 'toolCallId',
}

interface Item {
  next: number
  state: 'open' | 'complete' | 'closed'
  started: boolean
  readonly iteration: unknown
}

/** The index expected of a delta, as {@link expectedChunk}. Goes through what was written of its text before. */
function expectedText(event: Fields, before: readonly Fields[]): number | undefined | null {
  const id = texts[event.kind] ?? ''
  let items: Item[] = []
  for (const other of before) {
    if (other.contextId !== event.contextId || other.taskId !== event.taskId) continue
    if (other.kind === 'iteration-reset') {
      items = items.filter(({ iteration, started }) => iteration !== other.iteration || started)
    }
    const kinds: readonly string[] = kindsOf[event.kind] ?? []
    if (!kinds.includes(other.kind) || other[id] !== event[id]) continue
    const last = items.at(-1)
    const isNew = last === undefined || (last.state === 'complete' && other.kind !== 'content-replace')
    const item: Item = isNew
      ? { next: -1, state: 'open', started: false, iteration: other.iteration }
      : (last as Item)
    if (item.state === 'closed') continue
    if (other.kind === event.kind) {
      if (endOf(other) < item.next) continue
      item.next = Math.max(other.index as number, endOf(other)) + 1
    }
    if (isNew) items.push(item)
    if (other.kind === 'content-replace') Object.assign(item, { next: 1, state: 'open' })
    if (other.kind === 'content-complete') item.state = 'complete'
    if (['thought-stream', 'tool-complete'].includes(other.kind)) item.state = 'closed'
    item.started ||= ['tool-start', 'tool-progress'].includes(other.kind) || other.success === true
  }
  const last = items.at(-1)
  if (last === undefined || last.state === 'complete') return undefined
  return last.state === 'closed' || last.started ? null : last.next
}

/** The kinds that are about the text of a delta. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  'content-delta': ['content-delta', 'content-replace', 'content-complete'],
  'thought-delta': ['thought-delta', 'thought-stream'],
  'tool-arguments-delta': ['tool-arguments-delta', 'tool-start', 'tool-progress', 'tool-complete'],
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
