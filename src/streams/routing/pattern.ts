/**
 * Patterns: which tasks a subscriber means.
 *
 * An event's topic is the way down to its task: `contextId/…ancestor tasks…/taskId`. A pattern is
 *
 * - ids, each one segment of the topic; `/`, `*` and `%` in an id are percent-encoded
 * - `*` for any one segment
 * - `**` at the end, for any number of segments, also none
 * - `**\/` in front: the rest begins at any task instead of at the context
 *
 * | pattern | means the events of |
 * |---|---|
 * | `ctx-1/**` | everything in the context |
 * | `ctx-1/task-1` | the root task `task-1`, without its subtasks |
 * | `ctx-1/task-1/**` | `task-1` and all below it |
 * | `**\/task-1/**` | the same, wherever `task-1` is |
 * | `ctx-1/task-1/*` | the subtasks of `task-1`, without theirs |
 * | `**` | everything |
 */
import { percentDecode, percentEncode } from '../../encoding/percent.ts'

/** A pattern, read. Plain JSON. */
export interface Pattern {
  /** Whether it begins at any task instead of at the context. */
  readonly anywhere: boolean
  /** The segments; `null` for any one. */
  readonly segments: readonly (string | null)[]
  /** Whether anything may follow the segments. */
  readonly rest: boolean
}

/** The most segments of a pattern. */
const MAX_DEPTH = 16

/**
 * Reads a pattern. Never throws.
 *
 * @param text - Typically what a client asked for, as it came.
 * @returns `undefined` when it is none: no text, an empty segment, a `**` in the middle, a `*` next to other
 * characters, an escape that is none, or more than 16 segments.
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

/**
 * An id as a segment of a pattern.
 *
 * @example
 * ```ts
 * router.subscribe(`${patternSegment(contextId)}/**`, {}, deliver)
 * ```
 */
export function escapePatternSegment(id: string): string {
  return percentEncode(id)
}

/** Whether a pattern means a topic, given as its segments: context, ancestors, task. */
export function matchesPattern({ anywhere, segments, rest }: Pattern, topic: readonly string[]): boolean {
  const fitsAt = (start: number): boolean =>
    (rest ? topic.length - start >= segments.length : topic.length - start === segments.length) &&
    segments.every((segment, i) => segment === null || segment === topic[start + i])
  if (!anywhere) return fitsAt(0)
  for (let start = 1; start < topic.length; start++) if (fitsAt(start)) return true
  return false
}
