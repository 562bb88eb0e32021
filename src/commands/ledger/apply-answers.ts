/** Applies `input.respond` and `auth.respond`. */

import type { TaskName } from '../../events/event.ts'
import { callDigest } from '../../json/call-digest.ts'
import { respondersOf } from '../../streams/access/audience.ts'
import type { AuthRespondCommand } from '../auth.ts'
import type { InputRespondCommand, InputResponse } from '../input.ts'
import { approvesNothing, checkAnswer, type SchemaValidator } from './check-answer.ts'
import { answerKey, answerKeyOf } from './decisions.ts'
import { expire, isExpired } from './end-requests.ts'
import { charsOf, isCrowded } from './kept-answers.ts'
import { type LedgerStep, requestsIn } from './ledger-step.ts'
import { type Refusal, takerOf } from './named.ts'
import type { RequestRecord } from './state.ts'
import type { Answer, CommandResult, Sender, VerifiedAuth } from './types.ts'
import { mayAnswer, ownerOf } from './who.ts'

/**
 * Applies each response of a command by itself.
 *
 * @param validate - Omitted: the `commandId` was accepted with something else, and no response is accepted now.
 */
export function applyResponses(
  step: LedgerStep,
  { commandId, contextId, responses }: InputRespondCommand,
  sender: Sender,
  validate?: SchemaValidator,
): CommandResult[] {
  return responses.map((response) => {
    const applied = applyResponse(step, contextId, response, sender, validate)
    const { inputId, taskId } = response
    return { ...(applied ?? conflictOf(commandId)), inputId, ...(taskId !== undefined && { taskId }) }
  })
}

/** The result of a command whose id another one has had. */
export function conflictOf(commandId: string): Pick<CommandResult, 'status' | 'message'> {
  return {
    status: 'conflict',
    message: `Another command with commandId "${commandId}" was accepted before.`,
  }
}

function applyResponse(
  step: LedgerStep,
  contextId: string | undefined,
  response: InputResponse,
  sender: Sender,
  validate: SchemaValidator | undefined,
): CommandResult | undefined {
  const { inputId, taskId, value, reason, callDigest: shown } = response
  const contradiction = contradictionIn(response)
  if (contradiction !== undefined) return contradiction
  const outcomeFor = (request: RequestRecord): 'answered' | 'declined' =>
    isApproval(request) && approvesNothing(response) ? 'declined' : (response.outcome ?? 'answered')
  const keyFor = (request: RequestRecord): string => {
    // To approve a call, `true` means the same as no value.
    const given = isApproval(request) && value === true ? undefined : value
    const outcome = outcomeFor(request)
    return answerKey(outcome, outcome === 'declined' ? undefined : given)
  }
  const found = openFor(step, { type: 'input', contextId, taskId, id: inputId }, sender, keyFor, shown)
  if ('status' in found) return found
  if (validate === undefined) return undefined
  const { request } = found
  const { maxAnswerChars, checkEditOf, keepsAnswers } = step.limits
  const checked = checkAnswer(request, response, maxAnswerChars, validate, checkEditOf(request))
  if ('issues' in checked) {
    const message = checked.issues[0]?.message ?? 'Expected a valid answer.'
    return { status: 'invalid', message, issues: checked.issues }
  }
  const { call } = checked
  const isPlainApproval = call !== undefined && !call.isEdited
  const outcome = outcomeFor(request)
  const given = {
    outcome,
    ...(value !== undefined && response.outcome !== 'declined' && !isPlainApproval && { value }),
    ...(reason !== undefined && outcome === 'declined' && { reason }),
    ...(call !== undefined && { call }),
  }
  if (keepsAnswers && outcome === 'answered' && isCrowded(step.state, request, charsOf(given))) {
    const message = `Expected the agent of task "${request.taskId}" to take the answers that it has first, got a further one: send it again.`
    return { status: 'busy', message }
  }
  answerInput(step, request, sender, given)
  step.resume(request)
  return { status: 'accepted', message: `Accepted the answer to inputId "${inputId}".` }
}

/** Whether a request asks to approve a call. */
function isApproval({ call, isExecution, forgotten }: RequestRecord): boolean {
  return forgotten?.isApproval ?? (call !== undefined && isExecution !== true)
}

/** That a response declines and answers; `undefined` if it does not. */
function contradictionIn({ outcome, value = null }: InputResponse): CommandResult | undefined {
  if (outcome !== 'declined' || value === null || value === false) return undefined
  const message = 'Expected no value with the outcome "declined", got one.'
  return { status: 'invalid', message, issues: [{ code: 'invalid-value', path: '/value', message }] }
}

/** Stores the answer to an open request, and emits it. */
export function answerInput(
  step: LedgerStep,
  request: RequestRecord,
  sender: Sender,
  given: Pick<Answer, 'outcome' | 'value' | 'reason' | 'call'>,
): void {
  const { contextId, taskId, id: inputId } = request
  accept(step, request, { contextId, taskId, inputId, ...given, sender, at: step.at })
  const isUser = sender.role === 'user'
  step.event(request, {
    kind: 'input-received',
    inputId,
    providedBy: isUser ? 'user' : 'agent',
    [isUser ? 'userId' : 'agentId']: sender.id,
    ...(given.outcome === 'declined' && { outcome: 'declined' }),
    metadata: {
      duration: Math.max(0, Date.parse(step.at) - Date.parse(request.askedAt)),
      ...(given.call !== undefined && { callDigest: callDigest(given.call) }),
    },
  })
}

/**
 * Applies the outcome of an authentication.
 *
 * @param verified - Omitted: the claim was not verified.
 */
export function applyAuth(
  step: LedgerStep,
  command: AuthRespondCommand,
  sender: Sender,
  verified: VerifiedAuth | undefined,
): CommandResult {
  const { authId, outcome, expiresAt, message: reason } = command
  const named = { authId, ...(command.taskId !== undefined && { taskId: command.taskId }) }
  const key = answerKey(outcome, undefined)
  const found = openFor(step, { ...command, type: 'auth', id: authId }, sender, () => key)
  if ('status' in found) return { ...found, ...named }
  if (outcome === 'completed' && verified === undefined) {
    const message = `Expected a verified claim that authId "${authId}" is completed, got one that nobody has verified.`
    return { status: 'forbidden', message, ...named }
  }
  const { request } = found
  const { contextId, taskId } = request
  const credentialRef = verified?.credentialRef
  accept(step, request, {
    ...{ contextId, taskId, authId, outcome },
    ...(reason !== undefined && { reason }),
    ...(credentialRef !== undefined && outcome === 'completed' && { credentialRef }),
    ...{ sender, at: step.at },
  })
  if (outcome === 'completed') {
    const metadata = expiresAt === undefined ? undefined : { expiresAt }
    step.event(request, { kind: 'auth-completed', authId, userId: sender.id, ...(metadata && { metadata }) })
  } else {
    const message = reason === undefined ? undefined : { message: reason }
    step.event(request, { kind: 'auth-failed', authId, reason: outcome, ...message })
  }
  step.resume(request)
  return { status: 'accepted', message: `Accepted the outcome of authId "${authId}".`, ...named }
}

/** Closes a request with an answer, of which state and output hold a copy each. */
function accept(step: LedgerStep, request: RequestRecord, { sender, ...rest }: Answer): void {
  const answer = structuredClone({ ...rest, sender: { role: sender.role, id: sender.id } })
  step.close(request, 'answered', {
    answer,
    ...(answer.call !== undefined && { approved: callDigest(answer.call) }),
    ...(answer.outcome === 'declined' && { isDeclined: true }),
  })
  step.emit({ type: 'answer', answer: structuredClone(answer) })
}

/** Why a sender may not answer a request; `undefined` if it may. Whoever may not see one does not learn that there is one. */
export function refusalOf(step: LedgerStep, request: RequestRecord, sender: Sender): Refusal | undefined {
  const { type, id, audience, requireUser } = request
  const { role } = sender
  const shownId = `${type}Id "${id}"`
  if (audience?.includes(role) === false) return { status: 'unknown-request', message: `Unknown ${shownId}.` }
  const responders: readonly string[] = respondersOf({
    kind: `${type}-required`,
    ...(requireUser && { requireUser: true }),
  })
  if (!responders.includes(role)) {
    const message = `Expected an answer to ${shownId} by ${responders.join(' or ')}, got one by ${role}.`
    return { status: 'forbidden', message }
  }
  return strangerTo(step, request, sender, shownId)
}

/** Why a sender may not answer what a task asks, whose role may; `undefined` if it may. */
export function strangerTo(
  { state, limits: { access } }: LedgerStep,
  asking: TaskName & Partial<Pick<RequestRecord, 'owner' | 'requireUser'>>,
  sender: Sender,
  shownId: string,
): Refusal | undefined {
  const { contextId, taskId, requireUser = false } = asking
  const owner = asking.owner ?? ownerOf(state, access, asking)
  const request = { contextId, taskId, requireUser, ...(owner !== undefined && owner !== '' && { owner }) }
  if (mayAnswer(access, sender, request)) return undefined
  const message = `Expected an answer to ${shownId} by a sender who may answer task "${taskId}", such as its owner, got one by another.`
  return { status: 'forbidden', message }
}

/** The open request that a sender may answer, or why there is none. */
export function openFor(
  step: LedgerStep,
  { type, contextId: context, taskId, id }: RequestId,
  sender: Sender,
  keyFor: (request: RequestRecord) => string,
  shown?: string,
): { readonly request: RequestRecord } | Refusal {
  const shownId = `${type}Id "${id}"`
  if (sender.role !== 'user' && sender.role !== 'coordinator') {
    const message = `Expected an answer to ${shownId} by user or coordinator, got one by ${sender.role}.`
    return { status: 'forbidden', message }
  }
  const contextId = step.contextOf(context)
  if (contextId === undefined) {
    const message = `Unknown ${shownId}. Expected a contextId, because the stream has several.`
    return { status: 'unknown-request', message }
  }
  const requests = requestsIn(step.state, type, contextId, taskId, id)
  const found = takerOf(requests, shownId, (each) => closedTo(step, each, sender, keyFor, shown))
  return 'taker' in found ? { request: found.taker } : found
}

/** Names a request. */
interface RequestId {
  readonly type: RequestRecord['type']
  readonly contextId?: string | undefined
  readonly taskId?: string | undefined
  readonly id: string
}

/**
 * Why a request takes no answer of a sender; `undefined` if it does.
 *
 * @param keyFor - The `answerKey` of what the sender answers.
 * @param shown - The digest of the call that the sender was shown. Omitted if it states none.
 */
export function closedTo(
  step: LedgerStep,
  request: RequestRecord,
  sender: Sender,
  keyFor: (request: RequestRecord) => string,
  shown?: string,
): Refusal | undefined {
  const shownId = `${request.type}Id "${request.id}"`
  const refused = refusalOf(step, request, sender)
  if (refused !== undefined) return refused
  const isAnswerable = request.status === 'open' || request.status === 'answered'
  if (
    isAnswerable &&
    request.forgotten === undefined &&
    shown !== undefined &&
    shown !== request.call?.digest
  ) {
    // The digest itself would let the sender approve what the user has not seen.
    const message = `Expected the callDigest of the call that ${shownId} is about, got another one.`
    return { status: 'changed-call', message }
  }
  switch (request.status) {
    case 'open':
      // Of so many open requests that the oldest are no longer listed.
      if (!isExpired(request, Date.parse(step.at))) return undefined
      expire(step, request)
      return { status: 'expired', message: `${shownId} has expired.` }
    case 'answered':
      return (request.answer ? answerKeyOf(request.answer) : request.forgotten?.answer) === keyFor(request)
        ? { status: 'repeated', message: `The same answer to ${shownId} was accepted before.` }
        : { status: 'conflict', message: `Another answer to ${shownId} was accepted before.` }
    case 'foreign':
      return { status: 'conflict', message: `${shownId} was answered before.` }
    case 'expired':
      return { status: 'expired', message: `${shownId} has expired.` }
    case 'closed':
      return { status: 'unknown-request', message: `${shownId} is no longer open.` }
    default:
      return request.status satisfies never
  }
}
