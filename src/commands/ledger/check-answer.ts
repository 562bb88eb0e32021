/** Whether an answer fits its request, and which tool call it approves. */

import type { Issue } from '../../core/decode-result.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { isEqualJson } from '../../json/value.ts'
import { isFields } from '../../validation/predicates.ts'
import type { InputResponse } from '../input.ts'
import { argumentsOf } from './apply-event.ts'
import type { RequestedCall, RequestRecord } from './state.ts'
import type { ApprovedCall } from './types.ts'

/** Checks a value with the schema of a request. */
export type SchemaValidator = (schema: Readonly<Record<string, unknown>>, value: unknown) => readonly Issue[]

/** What an answer means. */
export type Checked = { readonly issues: readonly Issue[] } | { readonly call?: ApprovedCall }

/** Checks the answer to an open request. */
export function checkAnswer(
  request: RequestRecord,
  { outcome, value }: InputResponse,
  maxChars: number,
  validate: SchemaValidator,
): Checked {
  if (outcome === 'declined') return {}
  const length = canonicalJson(value ?? null)?.length ?? Number.POSITIVE_INFINITY
  if (length > maxChars) {
    const message = `Expected an answer of at most ${maxChars} characters, got ${length}.`
    return { issues: [{ code: 'too-large', path: '/value', message }] }
  }
  // A call that the client is to run is not approved.
  const call = request.isExecution ? undefined : request.call
  if (call !== undefined && !hasCanonicalForm(call, value)) {
    const message =
      'Expected arguments that have a digest, got ones that are too deep or have a number that is no JSON.'
    return { issues: [{ code: 'invalid-value', path: '/value', message }] }
  }
  if (call !== undefined && value === undefined && outcome === undefined) {
    const message =
      'Expected the outcome "answered" or "declined", or a value, got neither: nothing is approved.'
    return { issues: [{ code: 'required', path: '/outcome', message }] }
  }
  if (call !== undefined && (value === undefined || value === true)) {
    const asked = argumentsOf(call)
    if (asked !== undefined) return { call: approved(call, asked, false) }
    const message = 'Expected a call whose arguments are a JSON object, or a value with other arguments.'
    return { issues: [{ code: 'invalid-value', path: '/value', message }] }
  }
  const edited = call === undefined ? undefined : editedArguments(value)
  const { options } = request
  if (edited === undefined && options !== undefined && !options.some((each) => isEqualJson(each, value))) {
    const message = `Expected one of the ${options.length} options of the request, got another value.`
    return { issues: [{ code: 'invalid-value', path: '/value', message }] }
  }
  const issues = request.schema === undefined ? [] : schemaIssuesOf(request.schema, value ?? null, validate)
  if (issues.length > 0) return { issues: issues.map((issue) => ({ ...issue, path: `/value${issue.path}` })) }
  return call === undefined || edited === undefined ? {} : { call: approved(call, edited, true) }
}

/** What is wrong with a value. The schema is of the agent: a validator may be unable to read it. */
function schemaIssuesOf(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  validate: SchemaValidator,
): readonly Issue[] {
  try {
    return validate(schema, value)
  } catch (error) {
    const message = `Expected a schema that the validator can read, got: ${String(error)}`
    return [{ code: 'invalid-schema', path: '', message }]
  }
}

function approved(
  { toolCallId, toolName }: RequestedCall,
  args: Record<string, unknown>,
  isEdited: boolean,
): ApprovedCall {
  return { toolCallId, toolName, arguments: args, isEdited }
}

/** Whether the arguments to approve, of the request or of the answer, have a digest of their own. */
function hasCanonicalForm(call: RequestedCall, value: unknown): boolean {
  const args = editedArguments(value) ?? argumentsOf(call)
  return canonicalJson(args) !== undefined && hasFiniteNumbers(args)
}

/** Whether all numbers are finite: JSON text may have ones that are too large. Not for values that are too deep. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers)
}

/** The arguments of an answer that is `{ arguments }` and nothing else. */
function editedArguments(value: unknown): Record<string, unknown> | undefined {
  if (!isFields(value) || Object.keys(value).length !== 1 || !Object.hasOwn(value, 'arguments'))
    return undefined
  return isFields(value.arguments) ? (value.arguments as Record<string, unknown>) : undefined
}
