/** Answers to requests for input, and approvals among them. */

import { toPointer } from '../../encoding/pointer.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { textIn } from '../../validation/read-fields.ts'
import type { InputResponse } from '../input.ts'
import type { OpenRequest } from '../ledger/read.ts'
import type { CommandReader } from './command-reader.ts'

/**
 * The response to a request for input. An approval, which is `{ approved, arguments?, reason? }`, is read as what it
 * means, unless the request is known and not about a call: so a client that sends it again, when the request is no longer
 * open, sends the same response. `editedArgs` and `editedArguments` are the arguments as well, `feedback` is the reason.
 * `undefined`, and reported, if it cannot be read.
 *
 * @param named - The request: its id, its task and what is known of it, as far as they are.
 */
export function responseTo(
  reader: CommandReader,
  named: { readonly id: string; readonly taskId?: string; readonly request?: OpenRequest },
  value: unknown,
  path: string,
): InputResponse | undefined {
  const { request } = named
  const of = answerOf(named)
  const isPlain = request !== undefined && request.call === undefined
  if (isPlain || !isApproval(value)) {
    const isMeant = request !== undefined && !isPlain && isFields(value) && Object.hasOwn(value, 'approved')
    if (!isMeant) return value === undefined ? of : { ...of, value }
    reader.invalid(`${path}/approved`, 'Expected true or false, got another value.')
    return undefined
  }
  const other = Object.keys(value).find((name) => !approvalNames.includes(name))
  const edits = editNames.filter((name) => value[name] !== undefined)
  const reason = textIn(value, 'reason') ?? textIn(value, 'feedback')
  if (!value.approved) {
    const lost = other ?? edits[0]
    if (lost !== undefined) reader.lossy('value', path + toPointer([lost]), `A refusal has no ${lost}.`)
    return { ...of, outcome: 'declined', ...(reason !== undefined && { reason }) }
  }
  const [edit, second] = edits
  const unread = other ?? second
  if (unread !== undefined) {
    const expected = 'an approval with approved, reason and at most one of arguments and editedArgs'
    reader.invalid(path + toPointer([unread]), `Expected ${expected}, got ${unread}.`)
    return undefined
  }
  if (reason !== undefined) reader.lossy('reason', path, 'An approval has no reason.')
  if (edit === undefined) return { ...of, outcome: 'answered' }
  const edited = value[edit]
  if (isFields(edited)) return { ...of, value: { arguments: edited } }
  reader.invalid(`${path}/${edit}`, 'Expected the edited arguments as a JSON object, got another value.')
  return undefined
}

/** What a response names: its request, and its task if that is known. */
export function answerOf({
  id: inputId,
  taskId,
}: {
  readonly id: string
  readonly taskId?: string
}): Pick<InputResponse, 'inputId' | 'taskId'> {
  return taskId === undefined ? { inputId } : { inputId, taskId }
}

/** The fields of an approval. */
const editNames = ['arguments', 'editedArgs', 'editedArguments']
const approvalNames: readonly string[] = ['approved', 'reason', 'feedback', ...editNames]

/** Whether a value may be the answer to an approval: `{ approved }`, with more or not. */
export function isApproval(value: unknown): value is Fields & { readonly approved: boolean } {
  return isFields(value) && Object.hasOwn(value, 'approved') && typeof value.approved === 'boolean'
}
