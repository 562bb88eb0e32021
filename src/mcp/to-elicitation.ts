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

function formOf({ schema, options, inputType }: InputRequiredEvent): Record<string, unknown> {
  if (schema !== undefined && schema.type === 'object' && isFields(schema.properties)) {
    const fields = Object.values(schema.properties)
    if (fields.every((field) => isFields(field) && PRIMITIVES.includes(field.type))) {
      const { type, properties, required } = schema
      return { type, properties, ...(Array.isArray(required) && { required }) }
    }
  }
  const isChoice =
    options !== undefined && options.length > 0 && options.every((each) => typeof each === 'string')
  const isPrimitive = schema !== undefined && PRIMITIVES.includes(schema.type)
  const isYesOrNo = inputType === 'confirmation' || inputType === 'tool-execution'
  const plain = isYesOrNo ? { type: 'boolean' } : { type: 'string' }
  const value = isChoice ? { type: 'string', enum: options } : isPrimitive ? schema : plain
  return { type: 'object', properties: { value }, required: ['value'] }
}
