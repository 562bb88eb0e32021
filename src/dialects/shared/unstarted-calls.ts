/** Tool calls that have not started, for formats that cannot express a call before its start. */

/** More calls are not stored: the oldest is removed. */
const MAX_CALLS = 1024

/** The ids of the calls whose arguments are being streamed, after an event. */
export function unstartedAfter(
  calls: readonly string[],
  event: { readonly kind: string },
): readonly string[] {
  if (!('toolCallId' in event) || typeof event.toolCallId !== 'string') return calls
  const { kind, toolCallId } = event
  const isKnown = calls.includes(toolCallId)
  if (kind === 'tool-arguments-delta') return isKnown ? calls : [...calls, toolCallId].slice(-MAX_CALLS)
  const isOver = kind === 'tool-start' || kind === 'tool-complete'
  return isKnown && isOver ? calls.filter((id) => id !== toolCallId) : calls
}

/** Why the end of a call is dropped. */
export const NOT_STARTED = 'The arguments of the call were cut off; it has not started.'
