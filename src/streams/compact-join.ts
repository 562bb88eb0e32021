/** Making one event of two that follow one another. */
import type { DatasetWriteEvent, FileWriteEvent } from '../events/artifact.ts'
import type { ContextEvent } from '../events/event.ts'
import { isBase64, isJoinable, withChunk } from './artifact-base64.ts'
import type { Encoding } from './compact-series.ts'
import { isEqualJson } from './json-patch-pointer.ts'
import { lastTimestamp, type Numbered } from './numbered.ts'

const context = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']
const numbered = [...context, 'timestampEnd', 'index', 'indexEnd']
/** What only the first chunk says. A later one may repeat it. */
const first = ['name', 'description', 'mimeType', 'encoding', 'schema', 'metadata']
const chunk = [...numbered, ...first, 'artifactId', 'complete', 'version']

/** The fields that merging knows what to do with. */
const known: Readonly<Record<Numbered['kind'], ReadonlySet<string>>> = {
  'content-delta': new Set([...numbered, 'delta']),
  'thought-delta': new Set([...numbered, 'delta', 'thoughtId']),
  'tool-arguments-delta': new Set([...numbered, 'delta', 'toolCallId', 'toolName']),
  'file-write': new Set([...chunk, 'data', 'digest']),
  'dataset-write': new Set([...chunk, 'rows']),
}

/** One event that says what two say, of which the second follows the first; `undefined` when none does. */
export function joined(a: Numbered, b: Numbered, encoding: Encoding): Numbered | undefined {
  if (!hasOnlyKnown(a) || !hasOnlyKnown(b)) return undefined
  const { timestampEnd: _, ...start } = a
  const end = lastTimestamp(b)
  const range = { indexEnd: b.indexEnd ?? b.index, ...(end === a.timestamp ? {} : { timestampEnd: end }) }
  if ('delta' in start && 'delta' in b) {
    const isSameTool = !('toolName' in a && 'toolName' in b) || a.toolName === b.toolName
    return isSameTool ? { ...start, ...range, delta: start.delta + b.delta } : undefined
  }
  if ('data' in start && 'data' in b && isGoingOn(start, b)) {
    const data = joinedData(start.data, b.data, encoding)
    return data === undefined ? undefined : { ...start, ...range, ...ending(start, b), data }
  }
  if ('rows' in start && 'rows' in b && isGoingOn(start, b)) {
    return { ...start, ...range, ...ending(start, b), rows: [...start.rows, ...b.rows] }
  }
  return undefined
}

function hasOnlyKnown(event: Numbered): boolean {
  return Object.keys(event).every((name) => known[event.kind].has(name))
}

type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>

/** Whether the second chunk belongs to the same write, and says nothing new of the artifact itself. */
function isGoingOn(a: Chunk, b: Chunk): boolean {
  const before: Partial<Record<string, unknown>> = { ...a }
  const after: Partial<Record<string, unknown>> = { ...b }
  return (
    !a.complete &&
    before.digest === undefined &&
    first.every((name) => after[name] === undefined || isEqualJson(after[name], before[name]))
  )
}

function ending(a: Chunk, b: Chunk): { complete: boolean; version?: number; digest?: string } {
  const version = b.version ?? a.version
  const digest = 'digest' in b ? b.digest : undefined
  return {
    complete: b.complete,
    ...(version === undefined ? {} : { version }),
    ...(digest === undefined ? {} : { digest }),
  }
}

function joinedData(a: string, b: string, encoding: Encoding): string | undefined {
  switch (encoding) {
    case 'utf-8':
      return a + b
    case 'unknown':
      return isJoinable(a) && isBase64(b) ? a + b : undefined
    case 'base64': {
      const pieces = withChunk({ base64: '' }, a)
      const whole = pieces && withChunk(pieces, b)
      return whole && whole.base64 + (whole.rest ?? '')
    }
  }
}
