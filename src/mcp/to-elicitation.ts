/** Requests of an agent as elicitations of MCP. */

import { mismatch, requireObject } from '../core/require.ts'
import type { AuthRequiredEvent } from '../events/auth.ts'
import type { InputRequiredEvent } from '../events/input.ts'
import { isFields } from '../validation/predicates.ts'

/** The request `elicitation/create`, without its id: use the `inputId` or `authId`. */
export interface McpElicitation {
  method: 'elicitation/create'
  params:
    | { mode: 'form'; message: string; requestedSchema: Record<string, unknown> }
    | { mode: 'url'; message: string; url: string; elicitationId: string }
}

/**
 * Converts a request of the agent to an elicitation. The answer is in `value` of the form, unless the schema of the
 * request is a form already: an object of texts, numbers, booleans and choices.
 *
 * @throws TypeError if the event is neither an `input-required` nor an `auth-required` with an `authUrl`.
 */
export function toMcpElicitation(event: InputRequiredEvent | AuthRequiredEvent): McpElicitation {
  requireObject('event', event)
  if (event.kind === 'auth-required' && event.authUrl !== undefined) {
    const { authId: elicitationId, prompt: message, authUrl: url } = event
    return { method: 'elicitation/create', params: { mode: 'url', message, url, elicitationId } }
  }
  if (event.kind !== 'input-required') {
    throw mismatch('event', 'an input-required, or an auth-required with an authUrl', event.kind)
  }
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message: event.prompt, requestedSchema: formOf(event) },
  }
}

const PRIMITIVES: readonly unknown[] = ['string', 'number', 'integer', 'boolean']
const isPrimitive = (schema: unknown): boolean => isFields(schema) && PRIMITIVES.includes(schema.type)

function formOf({ schema = {}, options = [], inputType }: InputRequiredEvent): Record<string, unknown> {
  const { type, properties, required } = schema
  if (type === 'object' && isFields(properties) && Object.values(properties).every(isPrimitive))
    return { type, properties, ...(Array.isArray(required) && { required }) }
  const isChoice = options.length > 0 && options.every((each) => typeof each === 'string')
  const plain = {
    type: inputType === 'confirmation' || inputType === 'tool-execution' ? 'boolean' : 'string',
  }
  const value = isChoice ? { type: 'string', enum: options } : isPrimitive(schema) ? schema : plain
  return { type: 'object', properties: { value }, required: ['value'] }
}
