/** What a prompt does: it begins a task, or answers what one asks. */

import { createCommand } from '../../commands/create.ts'
import type { OpenRequest } from '../../commands/ledger/read.ts'
import type { Receipt } from '../../commands/ledger/types.ts'
import { describeValue } from '../../core/require.ts'
import { parsedJson } from '../../json/parsed.ts'
import type { TaskStart } from '../../server/protocol/read-task.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { textIn, textOf } from '../../validation/read-fields.ts'

/** Codes of JSON-RPC. */
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
/** Of ACP: there is no such resource. */
export const NOT_FOUND = -32002

/** Why a request of an editor fails: an error of JSON-RPC. */
export class Refused extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The text of a prompt. A link to a file is one of Markdown; other blocks were not offered. */
export function promptText(prompt: unknown): string {
  if (!Array.isArray(prompt)) throw new Refused(INVALID_PARAMS, 'Expected a prompt of content blocks.')
  const text = prompt.map((block) => (isFields(block) ? blockText(block) : unknown(block))).join('')
  if (text.trim() === '') throw new Refused(INVALID_PARAMS, 'Expected a prompt with text, got none.')
  return text
}

function blockText(block: Fields): string {
  if (block.type === 'text') return textOf(block.text)
  const uri = textIn(block, 'uri')
  if (block.type === 'resource_link' && uri !== undefined) return `[${textIn(block, 'name') ?? uri}](${uri})`
  return unknown(block.type)
}

function unknown(type: unknown): never {
  throw new Refused(
    INVALID_PARAMS,
    `Expected blocks of type text and resource_link, got ${describeValue(type)}.`,
  )
}

/** The question that waits for a text; `undefined` if there is none. Calls are approved by a permission. */
export function questionIn(requests: readonly OpenRequest[]): OpenRequest | undefined {
  return requests.find(({ type, call }) => type === 'input' && call === undefined)
}

/** The commands of a prompt, of which one is to be taken: a question may want another value than text, which the user writes as JSON. */
export function promptCommands(
  contextId: string,
  input: string,
  question: OpenRequest | undefined,
): [object, ...object[]] {
  if (question === undefined) return [createCommand({ kind: 'task.send', contextId, input })]
  const { id: inputId, taskId } = question
  const answer = (value: unknown): object =>
    createCommand({ kind: 'input.respond', contextId, responses: [{ inputId, taskId, value }] })
  const parsed = parsedJson(input)
  return parsed === undefined ? [answer(input)] : [answer(input), answer(parsed)]
}

export function isTaken({ results: [result] }: Receipt): boolean {
  return result?.status === 'accepted' || result?.status === 'repeated'
}

/** Where the updates of a prompt begin: with its task, or behind its answer. */
export function startOf(receipt: Receipt, question: OpenRequest | undefined): TaskStart {
  const [result] = receipt.results
  if (!isTaken(receipt)) throw new Refused(INVALID_REQUEST, result?.message ?? 'The prompt was not taken.')
  if (question !== undefined) return { closed: [{ id: question.id, taskId: question.taskId }] }
  return { taskId: result?.taskId ?? '' }
}
