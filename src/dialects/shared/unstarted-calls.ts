/** Tool calls that have not started, for formats that cannot express a call before its start. */

import { type BoundedMap, boundedDelete, boundedGet, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import type { AnyEvent } from '../../events/event.ts'

/** At least this many calls are stored, and at most twice as many. */
const MAX_CALLS = 1024

/** The part of a state that {@link trackUnstarted} changes. */
interface WithUnstarted {
  /** The calls whose arguments are streamed and that have not started, by their ids. */
  readonly unstarted: BoundedMap<true>
}

/**
 * Stores which calls have not started. Returns `true` for the end of such a call, which is dropped: the format has no
 * call that it could end.
 */
export function trackUnstarted<State extends WithUnstarted, Out>(
  builder: StepBuilder<State, Out>,
  event: AnyEvent,
): boolean {
  const { unstarted } = builder.state
  const next = unstartedAfter(unstarted, event)
  if (next === unstarted) return false
  builder.update({ unstarted: next } as Partial<State>)
  if (event.kind !== 'tool-complete' || event.success) return false
  builder.dropped(
    event.kind,
    'not-started',
    'Expected a call that has started, got one whose arguments were cut off.',
  )
  return true
}

function unstartedAfter(calls: BoundedMap<true>, event: AnyEvent): BoundedMap<true> {
  switch (event.kind) {
    case 'tool-arguments-delta': {
      const { toolCallId: id } = event
      return boundedGet(calls, id) === true ? calls : boundedSet(calls, id, true, MAX_CALLS).map
    }
    case 'tool-start':
    case 'tool-complete':
      return boundedDelete(calls, event.toolCallId)
    default:
      return calls
  }
}
