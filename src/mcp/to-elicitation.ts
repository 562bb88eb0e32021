/** Requests of an agent as elicitations of MCP. */
import { mismatch, requireObject } from '../core/require.ts'
import { toPointer } from '../encoding/pointer.ts'
import type { AuthRequiredEvent } from '../events/auth.ts'
import { isSafeAuthUrl } from '../events/auth-url.ts'
import type { InputRequiredEvent, ToolCallFunction } from '../events/input.ts'
import { isFields } from '../validation/predicates.ts'
import { fieldsOf } from '../validation/read-fields.ts'

/** The request `elicitation/create`, without its id: use the `inputId` or `authId`. */
export type McpElicitation = {
  method: 'elicitation/create'
  params:
    | { mode: 'form'; message: string; requestedSchema: Record<string, unknown> }
    | { mode: 'url'; message: string; url: string; elicitationId: string }
}

/**
 * Converts a request of the agent to an elicitation. The answer is in `value` of the form, unless the schema of the
 * request is a form already: an object of texts, numbers, booleans and choices. The message shows the call to approve.
 * {@link commandsFromMcpElicitation} reads the result.
 *
 * @throws TypeError if the event is neither an `input-required` nor an `auth-required` with a safe `authUrl`, or if its schema wants what
 * no form of MCP has: objects or lists within the answer.
 */
export function toMcpElicitation(event: InputRequiredEvent | AuthRequiredEvent): McpElicitation {
  requireObject('event', event)
  const [method, message] = ['elicitation/create' as const, event.prompt]
  if (event.kind === 'input-required') {
    const call = callToApprove(event)
    const shown = call === undefined ? message : `${message}\n\n${call.name} ${call.arguments}`
    return { method, params: { mode: 'form', message: shown, requestedSchema: formOf(event) } }
  }
  const { kind, authId: elicitationId, authUrl: url } = event
  const isUrl = kind === 'auth-required' && isSafeAuthUrl(url)
  if (isUrl) return { method, params: { mode: 'url', message, url, elicitationId } }
  throw mismatch('event', 'an input-required, or an auth-required with a safe authUrl', url ?? kind)
}

/** The call that a request asks to approve. */
export function callToApprove({ metadata }: InputRequiredEvent): ToolCallFunction | undefined {
  return metadata?.provider === 'client' ? undefined : metadata?.toolCall?.function
}

const PRIMITIVES: readonly unknown[] = ['string', 'number', 'integer', 'boolean']
const isPrimitive = (schema: unknown): boolean => isFields(schema) && PRIMITIVES.includes(schema.type)
const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether a schema is that of a form. */
export function isForm(
  schema: unknown,
): schema is { type: 'object'; properties: object; required?: unknown } {
  const { type, properties } = fieldsOf(schema)
  return type === 'object' && isFields(properties) && Object.values(properties).every(isPrimitive)
}

function formOf(event: InputRequiredEvent): Record<string, unknown> {
  const { schema, options, inputType } = event
  if (isForm(schema)) {
    const { type, properties, required } = schema
    return { type, properties, ...(Array.isArray(required) && { required: required.filter(isText) }) }
  }
  const isChoice = Array.isArray(options) && options.length > 0 && options.every(isText)
  // The schema of an approval is that of other arguments.
  const nested = isChoice || callToApprove(event) !== undefined ? undefined : nestedPlace(schema)
  if (nested !== undefined) {
    const expected = 'that of a form: a text, number, boolean or choice, or an object of these'
    throw mismatch('event.schema', expected, `an object or list at "${nested}"`)
  }
  const isYesOrNo = inputType === 'confirmation' || inputType === 'tool-execution'
  const plain = isPrimitive(schema) ? (schema as object) : { type: isYesOrNo ? 'boolean' : 'string' }
  const value = isChoice ? { type: 'string', enum: options } : plain
  return { type: 'object', properties: { value }, required: ['value'] }
}

/** Where a schema wants an object or a list that no form has: a pointer. `undefined` if it wants none. */
function nestedPlace(schema: unknown): string | undefined {
  const { type, properties } = fieldsOf(schema)
  if (type !== 'object' && type !== 'array') return undefined
  const found = Object.entries(fieldsOf(properties)).find(([, each]) => !isPrimitive(each))
  return found === undefined ? '' : toPointer(['properties', found[0]])
}
