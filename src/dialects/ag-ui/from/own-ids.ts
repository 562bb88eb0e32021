/** The ids by which an AG-UI agent knows what events name otherwise: it may use an id again. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { FromAgUiState } from './state.ts'

/** The id of the interrupt, or of the call to execute, that a request is about. */
export function interruptIdOf(state: object | undefined, inputId: string): string {
  const { run } = (state ?? {}) as Partial<FromAgUiState>
  return run?.questions.find(({ id }) => id === inputId)?.interruptId ?? inputId
}

/** The id of an open call. */
export function ownCallId(state: object | undefined, toolCallId: string): string {
  const { calls } = (state ?? {}) as Partial<FromAgUiState>
  if (calls === undefined || boundedGet(calls.values, toolCallId)?.id === toolCallId) return toolCallId
  for (const [key, { id }] of boundedEntries(calls.values)) if (id === toolCallId) return key
  return toolCallId
}
