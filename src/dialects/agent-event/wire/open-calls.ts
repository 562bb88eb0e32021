/** Which call an event belongs to, in a dialect where calls need no ids. */

import type { Diagnostic } from '../../../core/machine.ts'

/** A call that has no result yet. */
export interface OpenCall {
  readonly id: string
  readonly toolName: string
}

/** No agent has more calls open at once. Beyond it the oldest is forgotten, so that memory stays bounded. */
export const MAX_OPEN_CALLS = 1024

/**
 * The open call an event belongs to: of those of its tool the one with its id if it has one, and
 * otherwise the oldest. `undefined` when there is none.
 */
export function callOf<C extends OpenCall>(
  open: readonly C[],
  event: { readonly toolName: string; readonly toolCallId?: string },
): C | undefined {
  const { toolName, toolCallId } = event
  return open.find(
    (call) => call.toolName === toolName && (toolCallId === undefined || call.id === toolCallId),
  )
}

/** The open calls and one more; without the oldest, and a diagnostic, when there are too many. */
export function withCall<C extends OpenCall>(
  open: readonly C[],
  call: C,
  diagnostics: Diagnostic[],
): readonly C[] {
  if (open.length < MAX_OPEN_CALLS) return [...open, call]
  const message = `More than ${MAX_OPEN_CALLS} calls have no result yet; the oldest is forgotten.`
  diagnostics.push({ code: 'too-many-open-calls', message, detail: open[0] })
  return [...open.slice(1), call]
}

/** The open calls without one of them. */
export function withoutCall<C extends OpenCall>(open: readonly C[], call: C): readonly C[] {
  return open.filter((other) => other !== call)
}
