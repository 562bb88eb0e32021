/** Event filters: which of the visible events a reader wants. */

import { INTERNAL_PREFIX } from '../../events/kinds.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import { compileKinds, type KindPattern } from './kind-pattern.ts'

/** Which thoughts are shown. Omitted fields do not restrict. */
export interface ThoughtPolicy {
  /**
   * Highest verbosity shown; `none` hides all thoughts.
   *
   * @defaultValue 'detailed'
   */
  readonly maxVerbosity?: ThoughtVerbosity | 'none'
  /**
   * Only thoughts of these verbosities. For agents that write several versions of each thought, linked by
   * `metadata.groupId`: with one verbosity, the reader gets one version.
   */
  readonly verbosities?: readonly ThoughtVerbosity[]
  /** Only thoughts of these types. */
  readonly types?: readonly ThoughtType[]
  /** Only thoughts with at least this confidence, from 0 to 1. */
  readonly minConfidence?: number
  /**
   * Whether `minConfidence` keeps or drops thoughts without a stated confidence.
   *
   * @defaultValue 'keep'
   */
  readonly unknownConfidence?: 'keep' | 'drop'
}

/** Which events a reader wants, of those it may see. Plain JSON. Omitted fields do not restrict. */
export interface EventFilter {
  /**
   * Only events of these kinds, or of groups of kinds such as `tool-*`. Internal kinds in the list are included
   * regardless of `internal`.
   */
  readonly kinds?: readonly KindPattern[]
  /** Only events of these tasks, by `taskId`. */
  readonly tasks?: readonly string[]
  /**
   * Which thoughts. A `thought-delta` passes if the thought does, by the `thoughtType` and the `verbosity` that it
   * states. Deltas state no confidence: with `minConfidence`, the reader gets each thought as one `thought-stream`.
   */
  readonly thoughts?: ThoughtPolicy
  /**
   * Whether to include internal events, which only operators may see.
   *
   * @defaultValue true
   */
  readonly internal?: boolean
}

/** The verbosities that a policy may name, by rank. */
export const rank: ReadonlyMap<unknown, number> = new Map([
  ['none', 0],
  ['brief', 1],
  ['normal', 2],
  ['detailed', 3],
])

/** A policy from a request may hold null, which counts as omitted. */
export type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** Whether a policy allows an event. Allows all events that are not thoughts. */
export function allowsThought(policy: ThoughtPolicy, event: { readonly kind: string }): boolean {
  const isDelta = event.kind === 'thought-delta'
  if (!isDelta && event.kind !== 'thought-stream') return true
  const { verbosities, types, minConfidence, unknownConfidence }: Nullable<ThoughtPolicy> = policy
  const { verbosity, thoughtType, metadata } = event as Partial<{
    verbosity: ThoughtVerbosity
    thoughtType: ThoughtType
    metadata: { confidence?: number } | null
  }>
  // An unknown verbosity passes only `detailed`.
  if ((rank.get(verbosity) ?? 3) > maxRankOf(policy)) return false
  // A delta that states none may belong to a detailed thought.
  if (verbosities && !verbosities.includes(verbosity ?? 'detailed')) return false
  if (types && (thoughtType === undefined || !types.includes(thoughtType))) return false
  if (minConfidence === undefined || minConfidence === null) return true
  if (isDelta) return false
  const confidence = metadata?.confidence
  return typeof confidence === 'number' ? confidence >= minConfidence : unknownConfidence !== 'drop'
}

/** The rank of `maxVerbosity`. An unknown verbosity allows no thoughts. */
function maxRankOf({ maxVerbosity }: ThoughtPolicy): number {
  return rank.get(maxVerbosity ?? 'detailed') ?? 0
}

/** Compiles a filter to a predicate. */
export function compileFilter(filter: EventFilter): (event: { readonly kind: string }) => boolean {
  const { thoughts, internal }: Nullable<EventFilter> = filter
  const isWantedKind = filter.kinds && compileKinds(filter.kinds)
  const tasks: ReadonlySet<unknown> | undefined = filter.tasks && new Set(filter.tasks)
  return (event) => {
    if (isWantedKind) {
      if (!isWantedKind(event.kind)) return false
    } else if (internal === false && event.kind.startsWith(INTERNAL_PREFIX)) return false
    if (tasks && !('taskId' in event && tasks.has(event.taskId))) return false
    return !thoughts || allowsThought(thoughts, event)
  }
}
