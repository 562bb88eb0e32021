/** Kind patterns: event kinds, or groups of them such as `tool-*`. */
import { requireArray } from '../../core/require.ts'
import type { EventKind } from '../../events/event.ts'
import { unknownKind } from '../../events/kind-error.ts'
import { eventKinds } from '../../events/kinds.ts'

/**
 * An event kind, or a group of kinds: `tool-*` for all kinds that start with `tool-`, `internal:*` for all internal
 * ones. A group includes kinds of later versions.
 */
export type KindPattern = EventKind | KindGroup<EventKind>

type KindGroup<K> =
  | (K extends `${infer Group}-${string}` ? `${Group}-*` : never)
  | (K extends `internal:${string}` ? 'internal:*' : never)

/** Compiles patterns to a predicate. */
export function compileKinds(patterns: readonly KindPattern[]): (kind: string) => boolean {
  const kinds: ReadonlySet<string> = new Set(patterns)
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return (kind) => kinds.has(kind) || prefixes.some((prefix) => kind.startsWith(prefix))
}

/** Requires a list of patterns that each match a kind of this version: a misspelled one would match nothing. */
export function requireKinds(name: string, value: unknown): void {
  requireArray(name, value)
  for (const [i, pattern] of (value as readonly unknown[]).entries()) {
    const isGroup = typeof pattern === 'string' && /[-:]\*$/.test(pattern)
    const isKnown = isGroup
      ? eventKinds.some((kind) => kind.startsWith(pattern.slice(0, -1)))
      : (eventKinds as readonly unknown[]).includes(pattern)
    if (!isKnown) throw unknownKind(`${name}[${i}]`, pattern, ' or a group such as "tool-*"')
  }
}
