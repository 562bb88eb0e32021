/** What a pattern matches, one topic at a time: the model of the tries of a router. */
import type { Pattern } from '../../src/streams/routing/pattern.ts'

/** Whether a pattern matches a topic, given as its segments: context, ancestors, task. */
export function matchesPattern({ anywhere, segments, rest }: Pattern, topic: readonly string[]): boolean {
  const matchesAt = (start: number): boolean =>
    (rest ? topic.length - start >= segments.length : topic.length - start === segments.length) &&
    segments.every((segment, i) => segment === null || segment === topic[start + i])
  if (!anywhere) return matchesAt(0)
  for (let start = 1; start < topic.length; start++) if (matchesAt(start)) return true
  return false
}
