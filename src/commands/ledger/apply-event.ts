/** What the events of the stream change in a ledger: what is open, and whose tasks. */

import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../../events/auth.ts'
import type { ContextAnyEvent, ContextEvent } from '../../events/event.ts'
import type { InputRequiredEvent, ToolCall } from '../../events/input.ts'
import { eachItemId } from '../../events/item-ids.ts'
import type { Audience } from '../../events/kind.ts'
import { isTerminalStatus, type TaskStatus } from '../../events/task-status.ts'
import type { ToolCompleteEvent, ToolStartEvent } from '../../events/tool.ts'
import { callDigest } from '../../json/call-digest.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { audiences, isAllowedByLabel } from '../../streams/access/audience.ts'
import { contextKey } from '../../streams/context-key.ts'
import { lastTimestamp } from '../../streams/delta.ts'
import { isFields } from '../../validation/predicates.ts'
import { hasRoom, MAX_REQUESTS, withoutTask, withStart } from './decisions.ts'
import { withdraw } from './end-requests.ts'
import { closedGate } from './gate.ts'
import { type Decision, isWaiting, type LedgerStep } from './ledger-step.ts'
import { differencesOf, digestsOf } from './same-request.ts'
import type { LedgerState, RequestedCall, RequestRecord, TaskRecord } from './state.ts'
import type { Sender } from './types.ts'
import { ownerOf } from './who.ts'

/** Applies an event that was appended to the stream. Applying it again changes nothing. */
export function applyEvent(step: LedgerStep, event: ContextAnyEvent): void {
  note(step, event)
  eachItemId(event, (type, id) => {
    if (type !== 'thought') step.name(type, event, id)
  })
  const { kind } = event
  if (kind === 'task-status') setStatus(step, event, event.status)
  else if (kind === 'task-complete') setStatus(step, event, 'completed')
  else if (kind === 'input-required') openInput(step, event)
  else if (kind === 'auth-required') openAuth(step, event)
  else if (kind === 'input-received') {
    const isDeclined = event.outcome === 'declined'
    const approved = isDeclined ? undefined : event.metadata?.callDigest
    closeRequest(step, 'input', event, event.inputId, isDeclined ? 'closed' : 'foreign', {
      ...(isDeclined && { isDeclined }),
      ...(approved !== undefined && { approved }),
    })
  } else if (kind === 'auth-completed') closeAuth(step, event, 'completed')
  else if (kind === 'input-canceled') {
    const status = event.reason === 'expired' ? 'expired' : 'closed'
    closeRequest(step, 'input', event, event.inputId, status)
  } else if (kind === 'auth-failed') {
    if (event.reason === 'expired') closeRequest(step, 'auth', event, event.authId, 'expired')
    else closeAuth(step, event, event.reason)
  } else if (kind === 'tool-start') startCall(step, event)
  else if (kind === 'tool-complete') endCall(step, event)
}

function startCall(step: LedgerStep, event: ContextEvent<ToolStartEvent>): void {
  const { contextId, taskId, toolCallId, toolName, metadata } = event
  const known = step.call(event, toolCallId)
  checkApproval(step, event)
  if (known?.approval !== undefined) step.taken(step.request('input', event, known.approval))
  step.update({ decisions: withStart(step.state, event, toolCallId) })
  if (known !== undefined && known.status !== 'requested') return
  const isClient = known?.isClient === true || metadata?.provider === 'client'
  step.setCall({
    ...known,
    ...{ contextId, taskId, toolCallId, toolName, status: 'running', isClient },
    ...labelOf(event),
  })
}

function endCall(step: LedgerStep, event: ContextEvent<ToolCompleteEvent>): void {
  const known = step.call(event, event.toolCallId)
  const hasStarted = known !== undefined && known.status !== 'requested'
  if (event.success && !hasStarted && known?.isClient !== true) checkApproval(step, event)
  if (known !== undefined && known.status !== 'ended') step.setCall({ ...known, status: 'ended' })
}

/** Notes the time, the context, and what the event states about its task. */
function note(step: LedgerStep, event: ContextAnyEvent): void {
  const { contextId, taskId, parentTaskId, path } = event
  const timestamp = lastTimestamp(event)
  const { state } = step
  const isLatest = state.latest === null || Date.parse(timestamp) > Date.parse(state.latest)
  if (isLatest || state.contextId !== contextId)
    step.state = withTime(state, contextId, isLatest ? timestamp : state.latest)
  let known = step.get('tasks', contextKey(contextId, taskId))
  if (known !== undefined) {
    const isOver = known.isAnswered === true && !isAboutAnswers.test(event.kind)
    if (isOver) {
      known = unanswered(known)
      step.setTask(known)
    }
  }
  const label = event.kind === 'task-created' ? labelOf(event) : undefined
  const isKnown = parentTaskId === undefined || known?.parentTaskId !== undefined
  if (known !== undefined && isKnown && label?.audience === undefined) return
  const isLost = known === undefined && state.hasLostTasks === true && event.kind !== 'task-created'
  const owner = known?.owner ?? step.get('owners', taskId) ?? (isLost ? '' : undefined)
  const parent = parentTaskId === undefined ? undefined : step.taskOf({ contextId, taskId: parentTaskId })
  step.setTask({
    ...{ contextId, taskId, status: null, isCanceled: false },
    ...known,
    ...(parentTaskId !== undefined && { parentTaskId }),
    ...(path !== undefined && { path: [...path] }),
    ...(owner !== undefined && { owner }),
    ...label,
  })
  // A subtask that begins after its parent was canceled is canceled as well.
  const begun = step.taskOf({ contextId, taskId })
  if (parent?.isCanceled === true && !begun.isCanceled) withdraw(step, begun, parent.reason)
}

/** Kinds that may come between a request and the status that waits for it. */
const isAboutAnswers = /^(?:input-|auth-|task-status$)/

function unanswered({ isAnswered: _, ...task }: TaskRecord): TaskRecord {
  return task
}

/** The state after an event, written field by field: most events change no more than this. */
function withTime(state: LedgerState, contextId: string, latest: string | null): LedgerState {
  return {
    contextId: state.contextId ?? contextId,
    hasSeveralContexts:
      state.hasSeveralContexts || (state.contextId !== null && state.contextId !== contextId),
    latest,
    requests: state.requests,
    decisions: state.decisions,
    keptSize: state.keptSize,
    answerChars: state.answerChars,
    open: state.open,
    calls: state.calls,
    tasks: state.tasks,
    owners: state.owners,
    ...(state.hasLostTasks === true && { hasLostTasks: true }),
    ...(state.owner !== undefined && { owner: state.owner }),
    names: state.names,
    commands: state.commands,
  }
}

function setStatus(step: LedgerStep, event: ContextAnyEvent, status: TaskStatus): void {
  const task = step.taskOf(event)
  if (isTerminalStatus(task.status)) return
  // The answer was faster than the status that waits for it.
  const isLate = task.isAnswered === true && isWaiting({ status })
  if (task.status !== status || isLate) step.setTask({ ...(isLate ? unanswered(task) : task), status })
  if (isLate) step.resume(event)
  if (!isTerminalStatus(status)) return
  for (const request of step.openRequests(event)) step.close(request, 'closed')
  step.update({ decisions: withoutTask(step.state, event) })
}

function openInput(step: LedgerStep, event: ContextEvent<InputRequiredEvent>): void {
  const { inputId, requireUser = false, inputType, prompt, metadata } = event
  const call = requestedCall(metadata?.toolCall)
  const isExecution = call !== undefined && metadata?.provider === 'client'
  const request = {
    ...asked(event, 'input', inputId, requireUser, metadata?.timeout),
    ...{ inputType, prompt },
    ...(call !== undefined && { call }),
    ...(isExecution && { isExecution }),
    ...digestsOf({ schema: event.schema, options: event.options }),
    ...details(step, event),
  }
  if (!openRequest(step, request) || call === undefined) return
  const { contextId, taskId } = event
  const known = step.call(event, call.toolCallId)
  const { toolCallId, toolName } = call
  if (known?.status === 'ended') {
    // A model may use an id again: the call starts with this approval, or not at all.
    if (!isExecution) step.setCall({ ...known, approval: inputId })
    return
  }
  step.setCall({
    ...(known ?? { contextId, taskId, toolCallId, toolName, status: 'requested' }),
    isClient: isExecution || known?.isClient === true,
    ...(isExecution ? { run: inputId } : { approval: inputId }),
  })
}

function openAuth(step: LedgerStep, event: ContextEvent<AuthRequiredEvent>): void {
  const { authId, prompt, metadata, authType, authUrl } = event
  const request = asked(event, 'auth', authId, true, metadata?.expiresIn)
  openRequest(step, { ...request, prompt, ...digestsOf({ authType, authUrl }) })
}

function asked(
  event: ContextAnyEvent,
  type: RequestRecord['type'],
  id: string,
  requireUser: boolean,
  seconds: number | undefined,
): Omit<RequestRecord, 'prompt'> {
  const { contextId, taskId, timestamp } = event
  return {
    ...{ type, id, contextId, taskId, status: 'open', requireUser, askedAt: timestamp },
    expiresAt: seconds === undefined ? null : Date.parse(timestamp) + seconds * 1000,
    ...labelOf(event),
  }
}

/** Who sees what an event opens. */
function labelOf(event: ContextAnyEvent): { audience?: Audience[] } {
  if (!hasLabel(event)) return {}
  return { audience: audiences.filter((audience) => isAllowedByLabel(event, audience)) }
}

function hasLabel(event: ContextAnyEvent): boolean {
  const { metadata } = event as { readonly metadata?: Readonly<Record<string, unknown>> }
  return metadata?.audience !== undefined && metadata.audience !== null
}

/** The schema and the options, which are kept as copies while the request is open. */
function details(
  step: LedgerStep,
  { inputId, schema, options }: InputRequiredEvent,
): Pick<RequestRecord, 'schema' | 'options'> {
  if (schema === undefined && options === undefined) return {}
  const text = canonicalJson([schema ?? null, options ?? null])
  if (text !== undefined && text.length <= step.limits.maxAnswerChars) {
    const [schemaCopy, optionsCopy] = JSON.parse(text) as [Record<string, unknown> | null, unknown[] | null]
    return {
      ...(schemaCopy !== null && { schema: schemaCopy }),
      ...(optionsCopy !== null && { options: optionsCopy }),
    }
  }
  const limit = step.limits.maxAnswerChars
  const message = `Expected schema and options of inputId "${inputId}" of at most ${limit} characters, got ${text?.length ?? 'too many levels'}. Answers are not compared with them.`
  step.lossy('schema', message)
  return {}
}

function requestedCall(toolCall: ToolCall | undefined): RequestedCall | undefined {
  if (toolCall === undefined) return undefined
  const { name: toolName, arguments: text } = toolCall.function
  return {
    toolCallId: toolCall.id,
    toolName,
    arguments: text,
    digest: callDigest({ toolName, arguments: text }),
  }
}

/**
 * Opens a request; `false` if it is known. That of a task that is to stop is withdrawn at once, and so is one with the id of another,
 * and that other one if it is open: an answer would be for either.
 */
function openRequest(step: LedgerStep, asked: RequestRecord): boolean {
  const { type, id } = asked
  const owner = ownerOf(step.state, step.limits.access, asked)
  const request = owner === undefined || owner === '' ? asked : { ...asked, owner }
  const known = step.request(type, request, id)
  if (known !== undefined) {
    const differs = differencesOf(known, request)
    if (differs.length === 0) return false
    const message = `Expected a new ${type}Id for another request, got "${id}" again with another ${differs.join(', ')}.`
    const detail = { [`${type}Id`]: id, differs }
    step.diagnostic('repeated-request', message, { path: `/${type}Id`, detail })
    if (known.status === 'open') step.withdraw(known, message)
    step.taken(known)
    step.supersede(request)
    // Pages go on to show the first one.
    const hasEnded = isTerminalStatus(step.taskOf(request).status)
    if (known.status !== 'open' && !hasEnded) step.eventOfWithdrawn(request, message)
    step.resume(request)
    return true
  }
  const isFull = step.state.open.length >= step.limits.maxEntries
  if (isFull || !hasRoom(step.state, request)) {
    const limit = isFull ? `${step.limits.maxEntries} open requests` : `${MAX_REQUESTS} requests of a task`
    const message = `Expected at most ${limit}, got more: ${type}Id "${id}" is withdrawn.`
    step.diagnostic('too-many-requests', message, { detail: { [`${type}Id`]: id } })
    step.close(request, 'closed', { reason: message })
    step.eventOfWithdrawn(request, message)
    step.resume(request)
    return true
  }
  if (
    request.owner === undefined &&
    step.limits.access.needsOwner &&
    (owner === undefined || request.requireUser)
  ) {
    const message = `Expected a task with an owner for ${type}Id "${id}", got task "${request.taskId}" without one: no user may answer.`
    step.diagnostic('no-owner', message, { detail: { [`${type}Id`]: id, taskId: request.taskId } })
  }
  step.open(request)
  const task = step.taskOf(request)
  if (isTerminalStatus(task.status)) step.close(request, 'closed')
  else if (task.isCanceled) withdraw(step, task, task.reason)
  return true
}

function closeRequest(
  step: LedgerStep,
  type: RequestRecord['type'],
  event: ContextAnyEvent,
  id: string,
  status: RequestRecord['status'],
  decision?: Decision,
): void {
  const request = step.request(type, event, id)
  if (request?.status === 'open') step.close(request, status, decision)
}

/** Closes a request for authentication that the application has completed itself: whoever waits for its answer gets it. */
function closeAuth(
  step: LedgerStep,
  event: ContextEvent<AuthCompletedEvent | AuthFailedEvent>,
  outcome: 'completed' | 'denied' | 'failed',
): void {
  const { contextId, taskId, authId, timestamp: at } = event
  const isCompleted = event.kind === 'auth-completed'
  const reason = isCompleted ? undefined : event.message
  const owner = ownerOf(step.state, step.limits.access, event) || 'unknown'
  const sender: Sender = { role: 'user', id: isCompleted ? event.userId : owner }
  const answer = { contextId, taskId, authId, outcome, ...(reason !== undefined && { reason }), sender, at }
  closeRequest(step, 'auth', event, authId, 'answered', { answer })
}

/** Reports a call that starts, or has a result, without the approval that it needs, or starts with other arguments than approved. */
function checkApproval(step: LedgerStep, event: ContextEvent<ToolStartEvent | ToolCompleteEvent>): void {
  const start = event.kind === 'tool-start' ? event : { ...event, arguments: undefined }
  const closed = closedGate(step.state, start, step.limits.needsApproval)
  // The same start may be applied again.
  if (closed === undefined || closed.code === 'started') return
  // With which arguments it ran, a result does not state.
  if (event.kind === 'tool-complete' && (closed.code === 'changed' || closed.code === 'ended')) return
  const { toolCallId } = event
  const detail = { toolCallId, reason: closed.code }
  const path = event.kind === 'tool-start' ? '/arguments' : '/success'
  step.diagnostic('call-not-approved', closed.message, { path, detail })
}

/** The arguments of a requested call; `undefined` if they are not a JSON object. */
export function argumentsOf({ arguments: text }: RequestedCall): Record<string, unknown> | undefined {
  const value = parsedArguments(text)
  return isFields(value) ? (value as Record<string, unknown>) : undefined
}
