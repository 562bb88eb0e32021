/** Whether an answer fits its request, and which tool call it approves. */

import type { Issue } from '../../core/decode-result.ts'
import { mismatch } from '../../core/require.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { inexactArguments } from '../../json/exact-arguments.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { schemaIssues } from '../../json/schema-issues.ts'
import { uncheckedPlace } from '../../json/schema-keywords.ts'
import { isEqualJson } from '../../json/value.ts'
import { atOnce } from '../../validation/callbacks.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { fieldsOf } from '../../validation/read-fields.ts'
import type { InputResponse } from '../input.ts'
import { argumentsOf } from './apply-event.ts'
import type { RequestedCall, RequestRecord } from './state.ts'
import type { ApprovedCall, EditCheck } from './types.ts'

/** Checks a value with the schema of a request. */
export type SchemaValidator = (schema: Readonly<Record<string, unknown>>, value: unknown) => readonly Issue[]

/** What an answer means. */
export type Checked = { readonly issues: readonly Issue[] } | { readonly call?: ApprovedCall }

/**
 * Checks the answer to an open request.
 *
 * @param checkEdit - That of the agent, if it runs here and checks edits itself.
 */
export function checkAnswer(
  request: RequestRecord,
  { outcome, value }: InputResponse,
  maxChars: number,
  validate: SchemaValidator,
  checkEdit: EditCheck | undefined,
): Checked {
  if (outcome === 'declined') return {}
  const length = canonicalJson(value ?? null)?.length ?? Number.POSITIVE_INFINITY
  if (length > maxChars) {
    const message = `Expected an answer of at most ${maxChars} characters, got ${length}.`
    return { issues: [{ code: 'too-large', path: '/value', message }] }
  }
  // A call that the client is to run is not approved.
  const call = request.isExecution ? undefined : request.call
  if (call !== undefined && value === undefined && outcome === undefined) {
    const message =
      'Expected the outcome "answered" or "declined", or a value, got neither: nothing is approved.'
    return { issues: [{ code: 'required', path: '/outcome', message }] }
  }
  if (call !== undefined && (value === undefined || value === true)) {
    const inexact = inexactArguments(call.arguments)
    const asked = argumentsOf(call)
    if (asked !== undefined && inexact === undefined) return { call: approved(call, asked, false) }
    return invalid('invalid-value', '/value', `${inexact} Such a call can be declined, or edited.`)
  }
  const edit = call === undefined ? undefined : editOf(value)
  if (edit !== undefined && 'inexact' in edit) return invalid('invalid-value', EDIT, edit.inexact)
  const edited = edit?.arguments
  const isCheckedByAgent = edited !== undefined && checksEdits(request.schema)
  if (call !== undefined && edited !== undefined && isCheckedByAgent && checkEdit !== undefined) {
    const refused = refusedBy(checkEdit, JSON.stringify(edited))
    return refused === undefined
      ? { call: approved(call, edited, true) }
      : invalid('invalid-value', EDIT, refused)
  }
  const locked = isCheckedByAgent ? NO_AGENT : edited && whyNotEditable(request.schema, validate)
  if (locked !== undefined) return invalid('not-editable', EDIT, locked)
  const { options } = request
  if (edited === undefined && options !== undefined && !options.some((each) => isEqualJson(each, value))) {
    const message = `Expected one of the ${options.length} options of the request, got another value.`
    return { issues: [{ code: 'invalid-value', path: '/value', message }] }
  }
  const issues =
    request.schema === undefined ? [] : schemaIssuesOf(request.schema, edit ?? value ?? null, validate)
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
    const issues = atOnce(() => validate(schema, value))
    if (Array.isArray(issues)) return issues
    throw mismatch('validate()', 'a list of issues', issues)
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

/** The `format` of arguments whose edits the agent that asks checks itself: no one else can. */
export const CHECKED_BY_AGENT = 'checked-by-agent'

const NO_AGENT =
  'Expected an edit in the process of the agent, whose "editable.validate" checks it, got it in another one.'

/** Whether the agent checks the edits of a request. */
function checksEdits(schema: RequestRecord['schema']): boolean {
  const { arguments: args } = fieldsOf(schema?.properties)
  return fieldsOf(args).format === CHECKED_BY_AGENT
}

/** Why an edit is refused; `undefined` if it is not. One that cannot be checked is. */
function refusedBy(check: EditCheck, text: string): string | undefined {
  try {
    const refused = atOnce(() => check(text))
    if (refused === undefined) return undefined
    if (typeof refused === 'string') return refused || 'The edit is refused.'
  } catch {}
  return 'The edit could not be checked.'
}

/** Where the arguments of an edit are. */
const EDIT = '/value/arguments'

function invalid(code: string, path: string, message: string): Checked {
  return { issues: [{ code, path, message }] }
}

/** Whether a value is `{ arguments }` and nothing else, as an object or as its JSON text. */
function isEdit(value: unknown): value is { readonly arguments: string | Fields } {
  if (!isFields(value) || Object.keys(value).length !== 1 || !Object.hasOwn(value, 'arguments')) return false
  return typeof value.arguments === 'string' || isFields(value.arguments)
}

/** Whether an answer to a request to approve a call approves nothing: it is stored as `declined`. */
export function approvesNothing({ value }: Pick<InputResponse, 'value'>): boolean {
  return value !== undefined && value !== true && !isEdit(value)
}

/** The arguments of an edit. `inexact`: why others could be approved than were sent. */
function editOf(
  value: unknown,
): { readonly arguments: Record<string, unknown> } | { readonly inexact: string } | undefined {
  if (!isEdit(value)) return undefined
  const { arguments: given } = value
  const isText = typeof given === 'string'
  // What JSON cannot hold has the same text, and so the same digest, as something else.
  const text = isText ? given : canonicalJson(given)
  const isExact = isText || hasFiniteNumbers(given)
  const inexact = text === undefined ? TOO_DEEP : isExact ? inexactArguments(text) : NOT_FINITE
  if (inexact !== undefined) return { inexact }
  return { arguments: (isText ? parsedArguments(given) : given) as Record<string, unknown> }
}

const TOO_DEEP = 'Expected arguments of fewer levels, got ones that are too deep.'
const NOT_FINITE = 'Expected numbers that a double can hold, got one that is no JSON.'

/** Whether all numbers are finite. Not for values that are too deep. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers)
}

/**
 * Why a request takes no other arguments; `undefined` if it does: its schema has a property `arguments`, and all of it is
 * checked.
 */
function whyNotEditable(schema: RequestRecord['schema'], validate: SchemaValidator): string | undefined {
  if (!isFields(schema?.properties) || !Object.hasOwn(schema.properties, 'arguments')) {
    return 'Expected an answer without arguments, because the request does not let them be edited.'
  }
  // A validator of the application reads what it reads.
  const place = validate === schemaIssues ? uncheckedPlace(schema) : undefined
  if (place === undefined) return undefined
  return `Expected a schema of keywords that are checked, got another one at "${place.slice(0, 256)}": no edit is accepted.`
}
