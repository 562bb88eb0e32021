/** Reads what a run asks at its end. */

import { isSafeAuthUrl } from '../../../events/auth-url.ts'
import type { InputType, ToolCall } from '../../../events/input.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { emitValid } from '../../engine/draft.ts'
import { fromResponseSchema } from '../wire/approval-schema.ts'
import { AUTH_REASON, reasonOf } from '../wire/extension.ts'
import type { AgUiInterrupt } from '../wire/types/index.ts'
import { newPart } from './items.ts'
import { emitWith } from './metadata.ts'
import { callIn } from './read-asked.ts'
import { requestOfRun } from './request.ts'
import type { OpenCall, OpenTask, Question, RunWriter } from './state.ts'
import { ROOT, tasksFrom, uniqueId } from './tasks.ts'

/** Asks for what interrupts a run. What is still open is not asked again. */
export function askInterrupts(writer: RunWriter, interrupts: readonly AgUiInterrupt[]): readonly Question[] {
  const open = new Map(writer.state.run?.questions.map((each) => [each.interruptId, each]))
  const suspended = new Map<string, string>()
  for (const { key, interruptIds } of tasksFrom(writer, ROOT)) {
    for (const id of interruptIds) if (!suspended.has(id)) suspended.set(id, key)
  }
  return interrupts.map((interrupt) => {
    const again = open.get(interrupt.id)
    if (again !== undefined) return again
    const task = askingTask(writer, interrupt, suspended)
    return interrupt.reason === AUTH_REASON
      ? askAuth(writer, task, interrupt)
      : askInput(writer, task, interrupt)
  })
}

/**
 * Asks the client to execute calls: those named; and without names those that have no result, of tools that the client has.
 * If its tools are unknown, a call that a text follows is not one of them, as the model went on without the client.
 */
export function askPendingCalls(
  writer: RunWriter,
  named: readonly string[] | undefined,
): readonly Question[] {
  const running = tasksFrom(writer, ROOT)
    .flatMap(({ key }) => writer.itemsOf('calls', key).map(([, call]) => call))
    .filter(({ phase }) => phase === 'running')
  const names = new Set(named)
  const hasRequest = requestOfRun(writer) !== undefined
  const asked = new Set(writer.state.run?.questions.flatMap((each) => (each.isExecution ? [] : each.callId)))
  const isPending = ({ toolName, owner, texts }: OpenCall): boolean =>
    hasRequest ? writer.options.tools.has(toolName) : texts === writer.item('tasks', owner)?.texts
  const calls = running.filter((call) =>
    named === undefined ? isPending(call) && !asked.has(call.key) : names.has(call.key),
  )
  const found = new Set(calls.map(({ key }) => key))
  for (const id of named ?? []) {
    if (found.has(id)) continue
    writer.diagnostic('lossy:outcome', 'Expected a call without a result, got an unknown one.', {
      path: '/outcome/pendingToolCallIds',
      detail: id,
    })
  }
  if (calls.length === 0) return []
  if (named === undefined && !hasRequest) {
    writer.inferred('input-required', 'Calls have no result: the client was inferred to execute them.')
  }
  const open = new Map(writer.state.run?.questions.map((each) => [each.interruptId, each]))
  return calls.flatMap((call): Question[] => {
    const task = writer.item('tasks', call.owner)
    if (task === undefined || task.phase === 'ended') return []
    const again = open.get(call.key)
    if (again !== undefined) return [again]
    const id = uniqueId(writer, 'input', call.id)
    writer.emitDraft(
      {
        kind: 'input-required',
        inputId: id,
        inputType: 'tool-execution',
        prompt: `Execute ${call.toolName}.`,
        metadata: { toolCall: toolCallOf(call), provider: 'client' },
      },
      task,
    )
    return [
      { type: 'input', id, interruptId: call.key, owner: task.key, callId: call.key, isExecution: true },
    ]
  })
}

function toolCallOf({ id, toolName, text }: OpenCall): ToolCall {
  return {
    id,
    type: 'function',
    function: { name: toolName, arguments: text === '' ? '{}' : text },
  }
}

/** The task of an interrupt: that of its subagent, or of the one that was suspended for it. */
function askingTask(
  writer: RunWriter,
  { id, subagentRunId }: AgUiInterrupt,
  suspended: ReadonlyMap<string, string>,
): OpenTask | undefined {
  const named = subagentRunId === undefined ? undefined : writer.item('tasks', `sub:${subagentRunId}`)
  if (named !== undefined && named.phase !== 'ended') return named
  return writer.item('tasks', suspended.get(id) ?? ROOT)
}

function askInput(writer: RunWriter, task: OpenTask | undefined, interrupt: AgUiInterrupt): Question {
  const { id: interruptId, reason, message, toolCallId, responseSchema, expiresAt, metadata = {} } = interrupt
  const id = uniqueId(writer, 'input', interruptId)
  const call = toolCallId === undefined ? undefined : askedCall(writer, task, toolCallId, interrupt)
  const question: Question = {
    type: 'input',
    id,
    interruptId,
    owner: task?.key ?? ROOT,
    callId: call?.key ?? null,
    isExecution: false,
  }
  if (task === undefined) return question
  const base = {
    kind: 'input-required',
    inputId: id,
    prompt: message ?? reason,
    ...(responseSchema !== undefined && {
      schema: toolCallId === undefined ? responseSchema : fromResponseSchema(responseSchema),
    }),
  } as const
  const { inputType, requireUser, options, ...stated } = metadata
  const seconds = stated.timeout === undefined ? secondsUntil(writer, expiresAt) : undefined
  const isImplied =
    inputType !== undefined &&
    [inputType, reasonOf({ inputType: inputType as InputType, metadata: stated })].includes(reason)
  const details = {
    ...(!isImplied && { reason }),
    ...(call !== undefined && { toolCall: toolCallOf(call) }),
    ...(call === undefined && toolCallId !== undefined && stated.toolCall === undefined && { toolCallId }),
    ...(seconds !== undefined && { timeout: seconds }),
    ...(expiresAt !== undefined && stated.timeout === undefined && { expiresAt }),
  }
  // `toAgUi` states the type of the question as metadata.
  const isOwn = emitValid(
    writer,
    {
      ...base,
      inputType: inputType as InputType,
      ...(requireUser !== undefined && { requireUser: requireUser as boolean }),
      ...(options !== undefined && { options: options as unknown[] }),
      ...(Object.keys({ ...details, ...stated }).length > 0 && { metadata: { ...details, ...stated } }),
    },
    task,
  )
  if (!isOwn) {
    const type = call === undefined ? 'clarification' : 'confirmation'
    emitWith(writer, { ...base, inputType: type, metadata: details }, task, interrupt.metadata ?? null)
  }
  return question
}

/** The call that a question is about. One that only the question states starts once something comes of it. */
function askedCall(
  writer: RunWriter,
  task: OpenTask | undefined,
  key: string,
  interrupt: AgUiInterrupt,
): OpenCall | undefined {
  const known = writer.item('calls', key)
  const stated = known === undefined ? callIn(interrupt) : undefined
  if (task === undefined || stated === undefined) return known
  const call: OpenCall = {
    ...newPart(writer, task, key, {}),
    ...stated,
    ...{ id: uniqueId(writer, 'call', key), deltas: 0, phase: 'asked', texts: task.texts, answer: null },
  }
  writer.setItem('calls', key, call)
  return call
}

/** Reads what `toAgUi` writes for an authentication: a reason of its own, with the details as metadata. */
function askAuth(writer: RunWriter, task: OpenTask | undefined, interrupt: AgUiInterrupt): Question {
  const { id: interruptId, message, metadata, expiresAt } = interrupt
  const id = uniqueId(writer, 'auth', interruptId)
  const { authUrl, authType, provider, scopes, expiresIn, ...others } = metadata ?? {}
  const isSafe = typeof authUrl === 'string' && isSafeAuthUrl(authUrl)
  const type = (['api-key', 'password', 'biometric', 'custom'] as const).find((each) => each === authType)
  const seconds =
    typeof expiresIn === 'number' && expiresIn >= 0 ? expiresIn : secondsUntil(writer, expiresAt)
  if (authUrl !== undefined && !isSafe)
    writer.lossy('outcome', 'Expected a safe URL, got another one.', authUrl)
  if (task !== undefined) {
    emitWith(
      writer,
      {
        kind: 'auth-required',
        authId: id,
        authType: isSafe ? 'oauth2' : (type ?? 'custom'),
        prompt: message ?? interrupt.reason,
        ...(isSafe && { authUrl }),
        ...(typeof provider === 'string' && { provider }),
        ...(Array.isArray(scopes) && scopes.every((each) => typeof each === 'string') && { scopes }),
        ...(seconds !== undefined && { metadata: { expiresIn: seconds } }),
      },
      task,
      Object.keys(others).length === 0 ? null : others,
    )
  }
  return { type: 'auth', id, interruptId, owner: task?.key ?? ROOT, callId: null, isExecution: false }
}

/** The seconds until an instant; `undefined` if there is no such instant, or it is over. */
function secondsUntil(writer: RunWriter, instant: string | undefined): number | undefined {
  const milliseconds = instant === undefined ? Number.NaN : Date.parse(instant) - Date.parse(writer.time)
  return milliseconds >= 0 ? Math.round(milliseconds / 1000) : undefined
}

/** Lets the tasks of questions wait, and the task of the run for its subagents. */
export function wait(writer: RunWriter, questions: readonly Question[], metadata: Metadata | null): void {
  // The first question of each task is the one that it waits for.
  const asking = new Map<string, Question>()
  for (const question of questions) if (!asking.has(question.owner)) asking.set(question.owner, question)
  for (const [key, question] of asking) {
    const task = writer.item('tasks', key)
    if (task === undefined) continue
    if (key !== ROOT) writer.setItem('tasks', key, { ...task, phase: 'suspended' })
    const status = question.type === 'input' ? 'waiting-input' : 'waiting-auth'
    emitWith(
      writer,
      { kind: 'task-status', status, metadata: { blockedBy: question.id } },
      task,
      key === ROOT ? metadata : null,
    )
  }
  const root = writer.item('tasks', ROOT)
  if (root === undefined || asking.has(ROOT)) return
  emitWith(writer, { kind: 'task-status', status: 'waiting-subtask' }, root, metadata)
}
