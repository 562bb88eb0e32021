/** Ids of read filters: equal for a viewer and a filter that select the same, however they are written. */
import { shortHash } from '../../encoding/fnv1a.ts'
import { carryKeys } from '../../events/carry-keys.ts'
import { externalKinds } from '../../events/kinds.ts'
import { PROTOCOL_VERSION } from '../../events/version.ts'
import { type Audience, isForwardedByDefault, needsForwarding } from './audience.ts'
import type { EventFilter, Nullable, ThoughtPolicy } from './filter.ts'
import { defaultThoughts, type Redaction, redactions } from './redactions.ts'
import type { Viewer } from './viewer.ts'

/**
 * The id of what a viewer sees of the events that match a filter. It also covers what this version of the library
 * hides from the audience, so that readers get a reset if another version hides something else.
 */
export function filterIdOf(viewer: Viewer, filter: EventFilter): string {
  return shortHash(filterTextOf(viewer, filter))
}

/** What {@link filterIdOf} is the hash of: equal for a viewer and a filter that select the same, and for no others. */
export function filterTextOf(viewer: Viewer, filter: EventFilter): string {
  const { audience, removed, metadata, subtasks, thoughts }: Nullable<Viewer> = viewer
  const selected = canonicalJson({
    audience,
    thoughts: canonicalPolicy(thoughts ?? defaultThoughts[audience as Audience]),
    removed: canonicalRemoved(removed ?? {}),
    ...(metadata && metadata.length > 0 && audience !== 'operator' && { metadata: setOf(metadata) }),
    subtasks: subtasks === 'all' && needsForwarding(audience as Audience),
    filter: canonicalFilter(filter),
  })
  return selected + JSON.stringify(hiddenFrom(audience as Audience))
}

function canonicalFilter({ kinds, tasks, thoughts, internal }: Nullable<EventFilter>): object {
  return {
    ...(kinds && { kinds: canonicalKinds(kinds) }),
    // A list of kinds also decides about internal ones.
    ...(!kinds && { internal: internal !== false }),
    ...(tasks && { tasks: setOf(tasks) }),
    thoughts: canonicalPolicy(thoughts ?? {}),
  }
}

/** The patterns without those that a group among them includes. */
function canonicalKinds(patterns: readonly string[]): string[] {
  const kinds = setOf(patterns)
  const prefixes = kinds.filter((kind) => kind.endsWith('*')).map((kind) => kind.slice(0, -1))
  return kinds.filter((kind) => !prefixes.some((prefix) => kind.startsWith(prefix) && kind !== `${prefix}*`))
}

/** The pointers in their order: removing one field may decide whether the event is valid without another. */
function canonicalRemoved(removed: Readonly<Record<string, readonly string[] | null>>): object {
  return Object.fromEntries(
    Object.entries(removed).flatMap(([kind, pointers]) =>
      pointers && pointers.length > 0 ? [[kind, [...new Set(pointers)]]] : [],
    ),
  )
}

function canonicalPolicy({
  maxVerbosity,
  verbosities,
  types,
  minConfidence,
  unknownConfidence,
}: Nullable<ThoughtPolicy>): object {
  return {
    maxVerbosity: maxVerbosity ?? 'detailed',
    ...(verbosities && { verbosities: setOf(verbosities) }),
    ...(types && { types: setOf(types) }),
    ...(typeof minConfidence === 'number' && { minConfidence, drop: unknownConfidence === 'drop' }),
  }
}

function setOf(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

/** What this version hides from an audience by default. Operators see all. */
function hiddenFrom(audience: Audience): unknown {
  if (audience === 'operator') return []
  const isHidden = (from: readonly Audience[] = []): boolean => from.includes(audience)
  const kinds = externalKinds.map((kind) => {
    const { hidden, removed = {} }: Redaction = redactions[kind] ?? {}
    const pointers = Object.keys(removed).filter((pointer) => isHidden(removed[pointer]))
    return [kind, isHidden(hidden), isForwardedByDefault({ kind }), pointers]
  })
  // A version states which fields are declared.
  return [PROTOCOL_VERSION, carryKeys, ...kinds]
}

/** JSON that does not depend on the order of object keys. */
function canonicalJson(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  return JSON.stringify(value, sorted)
}
