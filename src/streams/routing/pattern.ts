/**
 * Patterns: which tasks a subscriber wants events of.
 *
 * An event's topic is the path to its task: `contextId/…ancestor tasks…/taskId`. A pattern consists of
 *
 * - ids, each matching one segment of the topic; `/`, `*` and `%` in an id are percent-encoded
 * - `*`: matches any one segment
 * - `**` at the end: matches any number of segments, including none
 * - `**\/` at the start: the rest of the pattern starts at any task instead of at the context
 *
 * | pattern | matches the events of |
 * |---|---|
 * | `ctx-1/**` | all tasks of the context |
 * | `ctx-1/task-1` | the root task `task-1`, without its subtasks |
 * | `ctx-1/task-1/**` | `task-1` and all its descendants |
 * | `**\/task-1/**` | the same, at any depth and in any context |
 * | `ctx-1/task-1/*` | the direct subtasks of `task-1` |
 * | `**` | all tasks |
 */
import { requireText } from '../../core/require.ts'
import { percentDecode, percentEncode } from '../../encoding/percent.ts'

/** A parsed pattern. Plain JSON. */
export interface Pattern {
  /** Whether it starts at any task instead of at the context. */
  readonly anywhere: boolean
  /** The segments; `null` matches any segment. */
  readonly segments: readonly (string | null)[]
  /** Whether any number of segments may follow. */
  readonly rest: boolean
}

/** Maximum number of segments of a pattern. */
const MAX_DEPTH = 16

/**
 * Parses a pattern. Never throws.
 *
 * A valid pattern may match the events of any context: `**` matches those of all. If a client may not read them all,
 * subscribe with {@link SubscriptionFilter.contextId}.
 *
 * @param text - Typically a parameter of a client's request, unmodified.
 * @returns `undefined` if it is not a valid pattern: not a string, an empty segment, `**` in the middle, `*`
 * next to other characters, an invalid percent escape, or more than 16 segments.
 *
 * @see docs/spec/streaming-architecture.md#sub-agent-event-namespacing
 */
export function parsePattern(text: string): Pattern | undefined {
  if (typeof text !== 'string') return undefined
  const anywhere = text.startsWith('**/')
  const parts = (anywhere ? text.slice(3) : text).split('/', MAX_DEPTH + 2)
  const rest = parts.at(-1) === '**'
  if (rest) parts.pop()
  if (parts.length > MAX_DEPTH) return undefined
  const segments: (string | null)[] = []
  for (const part of parts) {
    const segment = part === '*' ? null : part.includes('*') ? '' : (percentDecode(part) ?? '')
    if (segment === '') return undefined
    segments.push(segment)
  }
  return { anywhere, segments, rest }
}

/** Whether a value is a parsed pattern. */
export function isPattern(value: unknown): value is Pattern {
  const { anywhere, segments, rest } = (value ?? {}) as Partial<Pattern>
  return (
    typeof anywhere === 'boolean' &&
    typeof rest === 'boolean' &&
    Array.isArray(segments) &&
    segments.every((segment) => segment === null || typeof segment === 'string')
  )
}

/**
 * Escapes an id for use as one segment of a pattern.
 *
 * @throws TypeError if the id is not a non-empty string.
 *
 * @example
 * ```ts
 * router.subscribe(`${escapePatternSegment(contextId)}/**`, {}, deliver)
 * ```
 */
export function escapePatternSegment(id: string): string {
  requireText('id', id)
  return percentEncode(id)
}
