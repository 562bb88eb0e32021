/** Tool calls that have not started, for formats that cannot express a call before its start. */

import type { StepBuilder } from '../../core/step-builder.ts'
import type { AnyEvent } from '../../events/event.ts'

/** More calls are not stored: the oldest is removed. */
const MAX_CALLS = 1024

/** The part of a state that {@link trackUnstarted} changes. */
interface WithUnstarted {
  /** The ids of the calls whose arguments are streamed and that have not started. At most 1024. */
  readonly unstarted: readonly string[]
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
  builder.dropped(event.kind, 'not-started', 'The arguments of the call were cut off; it has not started.')
  return true
}

function unstartedAfter(calls: readonly string[], event: AnyEvent): readonly string[] {
  if (!('toolCallId' in event) || typeof event.toolCallId !== 'string') return calls
  const { kind, toolCallId } = event
  const isKnown = calls.includes(toolCallId)
  if (kind === 'tool-arguments-delta') return isKnown ? calls : [...calls, toolCallId].slice(-MAX_CALLS)
  const isOver = kind === 'tool-start' || kind === 'tool-complete'
  return isKnown && isOver ? calls.filter((id) => id !== toolCallId) : calls
}
