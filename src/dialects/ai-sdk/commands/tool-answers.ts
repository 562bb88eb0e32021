/** The answers in the tool parts of a message: approvals, and results of tools that the page has run. */

import type { InputResponse } from '../../../commands/input.ts'
import { type CommandReader, derivedId } from '../../../commands/wires/command-reader.ts'
import { callDigest } from '../../../json/call-digest.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'

/** An answer in a tool part, and whether it is to a request that is open, as far as is known. */
type Found = { readonly isOpen: boolean } & (
  | { readonly response: InputResponse }
  | { readonly toolCallId: string; readonly outcome: object }
)

/**
 * The answers in the tool parts of the last step. Those to requests that are open are new; if there are none, the
 * message may have been sent again, and all are read, so that the ledger recognizes them.
 */
export function readAnswers(
  reader: CommandReader,
  message: Fields,
  contextId: string,
  before: unknown,
): void {
  const parts = objectsIn(message, 'parts')
  const start = parts.findLastIndex(({ type }) => type === 'step-start')
  const known = new Map(objectsIn(before, 'parts').map((part) => [part.toolCallId, part.state]))
  const messageId = textIn(message, 'id') ?? ''
  const found = parts.slice(start + 1).flatMap((part): Found[] => {
    const toolCallId = textIn(part, 'toolCallId')
    const isKnown = toolCallId !== undefined && known.get(toolCallId) === part.state
    if (toolCallId === undefined || part.providerExecuted === true || isKnown) return []
    const answer = answerIn(reader, part, toolCallId)
    return answer === undefined ? [] : [answer]
  })
  const isAgain = found.every(({ isOpen }) => !isOpen)
  const responses: InputResponse[] = []
  for (const answer of found) {
    if (!answer.isOpen && !isAgain) continue
    if ('response' in answer) responses.push(answer.response)
    else {
      const { toolCallId, outcome } = answer
      const commandId = `${messageId}:${toolCallId}`
      reader.add({ kind: 'tool.result', commandId, contextId, toolCallId, ...outcome })
    }
  }
  if (responses.length === 0) return
  // A message may ask again in a later step.
  const commandId = derivedId(`${messageId}:approvals`, responses)
  reader.add({ kind: 'input.respond', commandId, contextId, responses })
}

function answerIn(reader: CommandReader, part: Fields, toolCallId: string): Found | undefined {
  if (part.state === 'approval-responded') return approvalIn(reader, part)
  const isOpen =
    reader.requests?.some(({ type, id, call }) => (type === 'tool' ? id : call?.toolCallId) === toolCallId) ??
    true
  if (part.state === 'output-error') {
    return { isOpen, toolCallId, outcome: { success: false, error: textIn(part, 'errorText') } }
  }
  if (part.state !== 'output-available' || part.preliminary === true) return undefined
  return { isOpen, toolCallId, outcome: { success: true, result: part.output } }
}

function approvalIn(reader: CommandReader, part: Fields): Found | undefined {
  const { approval } = part
  const inputId = textIn(approval, 'id')
  if (!isFields(approval) || inputId === undefined || typeof approval.approved !== 'boolean') {
    reader.invalid('/messages', 'Expected an approval with id and approved, got another value.')
    return undefined
  }
  const request = reader.request(inputId)
  const isOpen = request !== undefined || reader.requests === undefined
  const reason = textIn(approval, 'reason')
  if (!approval.approved) {
    const response = { inputId, outcome: 'declined' as const, ...(reason !== undefined && { reason }) }
    return { isOpen, response }
  }
  if (reason !== undefined) reader.lossy('reason', '/messages', 'An approval has no reason.')
  if (request !== undefined && request.call === undefined) return { isOpen, response: { inputId } }
  const shown = part.type === 'dynamic-tool' ? part.toolName : String(part.type).slice('tool-'.length)
  const { toolCallId, toolName = String(shown) } = request?.call ?? { toolCallId: part.toolCallId }
  if (part.toolCallId !== toolCallId || shown !== toolName) {
    const expected = `the approval of id "${inputId}" in the part of its call`
    reader.invalid('/messages', `Expected ${expected}, got another part.`)
    return undefined
  }
  // What the page has shown is what the user has approved.
  const digest = callDigest({ toolName, arguments: part.input })
  return { isOpen, response: { inputId, outcome: 'answered', callDigest: digest } }
}
