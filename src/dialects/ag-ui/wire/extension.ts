/** What `toAgUi` writes beside the vocabulary of AG-UI. */

import type { InputRequiredEvent } from '../../../events/input.ts'

/** The prefix of the `CUSTOM` events that carry an event of the core vocabulary. */
export const CARRIED = 'turnstream:'

/** The `reason` of the interrupt that asks for an authentication. */
export const AUTH_REASON = 'auth-required'

/**
 * The `reason` of an interrupt that asks for input, as AG-UI names them, so that clients show an approval for a call. A call that
 * the client runs needs no approval. An agent may state another reason.
 */
export function reasonOf({
  inputType,
  metadata = {},
}: Pick<InputRequiredEvent, 'inputType' | 'metadata'>): string {
  const { reason, toolCall, provider } = metadata
  if (typeof reason === 'string' && reason !== '') return reason
  if (toolCall !== undefined) return provider === 'client' ? inputType : 'tool_call'
  return inputType === 'confirmation' ? inputType : 'input_required'
}

/** The `activityType` of the progress of a tool. */
export const PROGRESS = 'turnstream.tool-progress'

/** The `name` of the custom events that stand for events of AG-UI without an equivalent. */
export const FOREIGN = { custom: 'ag-ui.custom', raw: 'ag-ui.raw', step: 'ag-ui.step' } as const

/** The artifact of the state that agent and client share. */
export const STATE = 'state'
