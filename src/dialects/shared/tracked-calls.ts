/** Tool calls that have ended, and those that have not started, for formats that have no call before its start. */

import { type BoundedMap, boundedDelete, boundedGet, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import type { AnyEvent } from '../../events/event.ts'

/** At least this many calls are stored, and at most twice as many. */
const MAX_CALLS = 1024

/** The part of a state that {@link trackCalls} changes. */
interface WithCalls {
  /** By their ids: whether a call has ended, or is one whose arguments are streamed and that has not started. */
  readonly calls: BoundedMap<boolean>
}

/**
 * Stores which calls have not started, and which have ended. Returns `true` for an end that is dropped: of a call that
 * has not started, so that the format has no call that it could end, or of one that has ended.
 */
export function trackCalls<State extends WithCalls, Out>(
  builder: StepBuilder<State, Out>,
  event: AnyEvent,
): boolean {
  const { kind } = event
  const isStart = kind === 'tool-start'
  const isEnd = kind === 'tool-complete'
  if (!isStart && !isEnd && kind !== 'tool-arguments-delta') return false
  const { calls } = builder.state
  const { toolCallId: id } = event
  const hasEnded = boundedGet(calls, id)
  if (isStart || hasEnded !== isEnd) {
    const next = isStart ? boundedDelete(calls, id) : boundedSet(calls, id, isEnd, MAX_CALLS).map
    builder.update({ calls: next } as Partial<State>)
  }
  if (!isEnd || hasEnded === undefined || (event.success && !hasEnded)) return false
  builder.dropped(kind, hasEnded ? 'repeated' : 'not-started', 'Expected a running call.')
  return true
}
