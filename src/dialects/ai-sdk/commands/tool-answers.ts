/** The answers in the tool parts of a message: approvals, and results of tools that the page has run. */

import type { InputResponse } from '../../../commands/input.ts'
import type { OpenRequest } from '../../../commands/ledger/read.ts'
import {
  askedCall,
  type CommandReader,
  derivedId,
  executedCall,
  sourceDigestOf,
} from '../../../commands/wires/command-reader.ts'
import { answerOf } from '../../../commands/wires/response.ts'
import { callDigest } from '../../../json/call-digest.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'
import type { ShapeFields } from '../../../validation/shape.ts'
import { type Named, namedOnWire } from '../../shared/named-on-wire.ts'
import { withSuffix } from '../../shared/wire-ids.ts'
import { toolNameOf } from '../wire/chat-request.ts'

/** An answer in a tool part, and whether it is to a request that is open, as far as is known. */
type Found = { readonly isOpen: boolean } & (
  | { readonly response: InputResponse; readonly sent: InputResponse }
  | { readonly named: Named<OpenRequest>; readonly sentId: string; readonly outcome: object }
)

/** The message that answers are in, and what its ids name. */
interface Answered {
  readonly reader: CommandReader
  /** The requests that the message may be about; `undefined` if they are not known. */
  readonly requests: readonly OpenRequest[] | undefined
  /** The ids of all calls in the message. */
  readonly callIds: ReadonlySet<string>
  /** The ids of all approvals in the message. */
  readonly inputIds: ReadonlySet<string>
}

/**
 * The answers in the tool parts of the last step. Those to requests that are open are new; if there are none, the
 * message may have been sent again, and all are read, so that the ledger recognizes them.
 *
 * @param at - A pointer to the message.
 * @param isFollowed - Whether a new message follows, so that only the answers to open requests count.
 */
export function readAnswers(
  reader: CommandReader,
  message: Fields,
  at: string,
  contextId: string,
  before: unknown,
  isFollowed = false,
): void {
  const parts = objectsIn(message, 'parts')
  const start = parts.findLastIndex(({ type }) => type === 'step-start')
  const known = new Map(objectsIn(before, 'parts').map((part) => [part.toolCallId, part.state]))
  const messageId = textIn(message, 'id') ?? ''
  const answered = answeredIn(reader, parts, messageId)
  const found = parts.slice(start + 1).flatMap((part, i): Found[] => {
    const toolCallId = textIn(part, 'toolCallId')
    const isKnown = toolCallId !== undefined && known.get(toolCallId) === part.state
    if (toolCallId === undefined || part.providerExecuted === true || isKnown) return []
    const answer = answerIn(answered, part, `${at}/parts/${start + 1 + i}`, toolCallId)
    return answer === undefined ? [] : [answer]
  })
  const isAgain = !isFollowed && found.every(({ isOpen }) => !isOpen)
  const responses: InputResponse[] = []
  const sent: InputResponse[] = []
  for (const answer of found) {
    if (!answer.isOpen && !isAgain) continue
    if ('response' in answer) {
      responses.push(answer.response)
      sent.push(answer.sent)
    } else {
      const { named, sentId, outcome } = answer
      const commandId = `${messageId}:${sentId}`
      const of = { taskId: named.taskId, toolCallId: named.id }
      const sourceDigest = sourceDigestOf([sentId, outcome])
      reader.add({ kind: 'tool.result', commandId, contextId, ...of, ...outcome, sourceDigest })
    }
  }
  if (responses.length === 0) return
  // A message may ask again in a later step. What it names depends on what is open, and what it is does not.
  const commandId = derivedId(`${messageId}:approvals`, sent)
  reader.add({ kind: 'input.respond', commandId, contextId, responses, sourceDigest: sourceDigestOf(sent) })
}

/** A message of the assistant has the id of its task: what it asks is of that task, and what its subtasks ask. */
function answeredIn(reader: CommandReader, parts: readonly Fields[], messageId: string): Answered {
  const shown = reader.requests?.filter(
    ({ type, ancestorTaskIds }) => type !== 'tool' || ancestorTaskIds === undefined,
  )
  const own = shown?.filter(
    ({ taskId, ancestorTaskIds = [] }) => taskId === messageId || ancestorTaskIds.includes(messageId),
  )
  return {
    reader,
    requests: own?.length === 0 ? shown : own,
    callIds: new Set(parts.flatMap((part) => textIn(part, 'toolCallId') ?? [])),
    inputIds: new Set(parts.flatMap(({ approval }) => textIn(approval, 'id') ?? [])),
  }
}

function answerIn(answered: Answered, part: Fields, at: string, sentId: string): Found | undefined {
  if (part.state === 'approval-responded') return approvalIn(answered, part, at, sentId)
  const { requests = [], reader, callIds } = answered
  const executed = namedOnWire(requests, sentId, executedCall, callIds)
  const named = executed.taskId === undefined ? namedOnWire(requests, sentId, askedCall, callIds) : executed
  const isOpen = reader.requests === undefined || named.taskId !== undefined || named.isAmbiguous === true
  if (part.state === 'output-error') {
    return { isOpen, named, sentId, outcome: { success: false, error: textIn(part, 'errorText') } }
  }
  if (part.state !== 'output-available' || part.preliminary === true) return undefined
  return { isOpen, named, sentId, outcome: { success: true, result: part.output } }
}

/** What is read of a part that is approved or declined. */
const approvedShape: ShapeFields = {
  toolName: ['maybe', 'text'],
  approval: ['fields', { id: 'id', approved: 'boolean', reason: ['maybe', 'text'] }],
}

function approvalIn(
  { reader, requests = [], inputIds }: Answered,
  part: Fields,
  at: string,
  sentId: string,
): Found | undefined {
  const { approval } = part
  const inputId = textIn(approval, 'id')
  if (!reader.fits(approvedShape, part, at) || !isFields(approval) || inputId === undefined) return undefined
  const inputs = requests.filter(({ type }) => type === 'input')
  const named = namedOnWire(inputs, inputId, (each) => each, inputIds)
  const { request, isAmbiguous = false } = named
  const isOpen = request !== undefined || isAmbiguous || reader.requests === undefined
  const found = (given: Omit<InputResponse, 'inputId'>): Found => ({
    isOpen,
    response: { ...answerOf(named), ...given },
    sent: { inputId, ...given },
  })
  const reason = textIn(approval, 'reason')
  if (!approval.approved) {
    return found({ outcome: 'declined', ...(reason !== undefined && { reason }) })
  }
  if (reason !== undefined) reader.lossy('reason', `${at}/approval/reason`, 'An approval has no reason.')
  if (request !== undefined && request.call === undefined) return found({})
  const shown = toolNameOf(part)
  const { toolCallId, toolName = shown ?? '' } = request?.call ?? { toolCallId: sentId }
  const isOfCall = sentId === toolCallId || sentId === withSuffix(toolCallId, request?.taskId ?? '')
  if (!isOfCall || shown !== toolName) {
    const expected = `the approval of id "${inputId}" in the part of its call`
    reader.invalid(at, `Expected ${expected}, got another part.`)
    return undefined
  }
  // What the page has shown is what the user has approved.
  const digest = callDigest({ toolName, arguments: part.input })
  return found({ outcome: 'answered', callDigest: digest })
}
