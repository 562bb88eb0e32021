/** Filters: what a reader wants of what it may see. */

import { INTERNAL_PREFIX } from '../../events/kinds.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'

/** Which thoughts are shown. Absent fields restrict nothing. */
export interface ThoughtPolicy {
  /**
   * The most a thought may say; `none` for no thoughts at all.
   *
   * @defaultValue 'detailed'
   */
  readonly maxVerbosity?: ThoughtVerbosity | 'none'
  /** Only thoughts of these types. */
  readonly types?: readonly ThoughtType[]
  /** Only thoughts the agent is at least this sure of, 0 to 1. */
  readonly minConfidence?: number
  /**
   * What becomes of thoughts without a stated confidence where there is a `minConfidence`.
   *
   * @defaultValue 'keep'
   */
  readonly unknownConfidence?: 'keep' | 'drop'
}

/** Which events a reader wants. Plain JSON. Absent fields restrict nothing, but for `internal`. */
export interface EventFilter {
  /** Only events of these kinds. Naming an internal kind asks for it. */
  readonly kinds?: readonly string[]
  /** Only events of these tasks, by `taskId`. */
  readonly tasks?: readonly string[]
  /**
   * Which thoughts. A `thought-delta` does not say what thought it will be: it passes only a policy
   * that lets all thoughts pass, and who filters gets each thought whole.
   */
  readonly thoughts?: ThoughtPolicy
  /**
   * Whether internal events are wanted.
   *
   * @defaultValue false
   */
  readonly internal?: boolean
}

const rank: ReadonlyMap<unknown, number> = new Map([
  ['none', 0],
  ['brief', 1],
  ['normal', 2],
  ['detailed', 3],
])

/** What may be null besides: a policy may come from a request, where null counts as absent. */
type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** Whether a policy shows an event; one that is no thought is always shown. */
export function showsThought(policy: ThoughtPolicy, event: { readonly kind: string }): boolean {
  if (event.kind === 'thought-delta') return showsAll(policy)
  if (event.kind !== 'thought-stream') return true
  const { types, minConfidence, unknownConfidence }: Nullable<ThoughtPolicy> = policy
  const { verbosity, thoughtType, metadata } = event as Partial<{
    verbosity: ThoughtVerbosity
    thoughtType: ThoughtType
    metadata: { confidence?: number } | null
  }>
  // A verbosity that is none passes nothing but the policy that asks for everything.
  if ((rank.get(verbosity) ?? 3) > mostOf(policy)) return false
  if (types && (thoughtType === undefined || !types.includes(thoughtType))) return false
  if (minConfidence === undefined || minConfidence === null) return true
  const confidence = metadata?.confidence
  return typeof confidence === 'number' ? confidence >= minConfidence : unknownConfidence !== 'drop'
}

function showsAll(policy: ThoughtPolicy): boolean {
  const { types, minConfidence }: Nullable<ThoughtPolicy> = policy
  return mostOf(policy) === 3 && (types ?? minConfidence ?? undefined) === undefined
}

/** The rank of the most a thought may say. What is no verbosity shows nothing. */
function mostOf({ maxVerbosity }: ThoughtPolicy): number {
  return rank.get(maxVerbosity ?? 'detailed') ?? 0
}

/** A filter as a function. */
export function filterFor(filter: EventFilter): (event: { readonly kind: string }) => boolean {
  const { thoughts, internal }: Nullable<EventFilter> = filter
  const kinds = filter.kinds && new Set(filter.kinds)
  const tasks: ReadonlySet<unknown> | undefined = filter.tasks && new Set(filter.tasks)
  return (event) => {
    if (kinds) {
      if (!kinds.has(event.kind)) return false
    } else if (internal !== true && event.kind.startsWith(INTERNAL_PREFIX)) return false
    if (tasks && !('taskId' in event && tasks.has(event.taskId))) return false
    return !thoughts || showsThought(thoughts, event)
  }
}
