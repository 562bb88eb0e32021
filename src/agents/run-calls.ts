/** The calls of a response: asked about, started, and run side by side. */

import type { JsonValue } from '../core/json-value.ts'
import { timeLimit, unlessAborted } from '../core/time-limit.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { mustBeApproved } from '../events/approval.ts'
import type { ErrorInfo } from '../events/error.ts'
import { parsedArguments } from '../json/parsed.ts'
import { cleanJson } from '../json/sanitize.ts'
import type { Approval, ToolCall } from '../server/ask-options.ts'
import { describeError } from '../server/describe-error.ts'
import { type ToolResult, type TurnToolCall, turnDraft } from '../turns/index.ts'
import { notJson, tooLong, toolLate, toolThrew } from './failures.ts'
import type { LoopSettings, LoopTask, Tool } from './options.ts'

type Settings = Pick<
  LoopSettings<unknown, unknown>,
  'tools' | 'signal' | 'toolTimeoutMs' | 'maxResultLength' | 'onError'
>

/** A call that has started: its tool runs when all have. */
interface Started {
  readonly call: TurnToolCall
  readonly tool: Tool
  /** The arguments that it runs with, and whether a user has changed them. */
  readonly arguments: string
  readonly isEdited: boolean
}

/** What a tool has done, and how the page learns of it. */
interface Outcome {
  readonly result: ToolResult
  /** Omitted: it succeeded. */
  readonly error?: ErrorInfo
}

/**
 * Runs calls, and yields what happens to each: those that cannot run end first, then all others start, and no tool runs before the last
 * start was taken. Each ends as its tool does.
 */
export async function* runCalls(
  calls: readonly TurnToolCall[],
  iteration: number,
  task: LoopTask,
  settings: Settings,
): AsyncGenerator<EventDraft, void> {
  const runnable = calls.filter((call) => call.status === 'complete' && toolOf(call, settings) !== undefined)
  const approvals = yield* approvalsOf(runnable.map(shownCall), task)
  const started: Started[] = []
  for (const call of calls) {
    const approval = approvals[runnable.indexOf(call)]
    const tool = toolOf(call, settings)
    if (tool !== undefined && approval?.status === 'approved') {
      const { arguments: text, isEdited } = approval.call
      started.push({ call, tool, arguments: text, isEdited })
    } else yield* endOf(call, { result: refusalOf(call, approval) }, iteration)
  }
  for (const { call, arguments: text } of started) {
    const { toolCallId, toolName } = call
    const args = parsedArguments(text) as Record<string, unknown>
    yield { kind: 'tool-start', toolCallId, toolName, arguments: args, iteration }
  }
  yield* runAll(started, iteration, settings)
}

function toolOf({ toolName }: TurnToolCall, { tools }: Settings): Tool | undefined {
  return Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
}

/** Asks about the calls that need it; all are asked about before it waits. */
async function* approvalsOf(
  calls: readonly ToolCall[],
  task: LoopTask,
): AsyncGenerator<EventDraft, readonly Approval[]> {
  const { needsApproval } = task
  const isAsked = needsApproval !== undefined && calls.some((call) => mustBeApproved(needsApproval, call))
  if (isAsked) return yield* task.approve(calls)
  return calls.map((call) => ({ status: 'approved', call: { ...call, isEdited: false } }))
}

function shownCall({ toolCallId, toolName, arguments: text }: TurnToolCall): ToolCall {
  return { toolCallId, toolName, arguments: text.trim() === '' ? '{}' : text }
}

/** Runs the tools side by side, and yields their progress and results as they come. */
async function* runAll(
  started: readonly Started[],
  iteration: number,
  settings: Settings,
): AsyncGenerator<EventDraft, void> {
  const { signal } = settings
  const progress = new Map<string, { value: number; message: string | undefined }>()
  const ended: { call: TurnToolCall; outcome: Outcome }[] = []
  let open = started.length
  let wake = (): void => {}
  for (const each of started) {
    const { toolCallId } = each.call
    let latest = 0
    const report = (value: number, message?: string): void => {
      if (Number.isFinite(value)) latest = Math.min(1, Math.max(latest, value))
      progress.set(toolCallId, { value: latest, message })
      wake()
    }
    void outcomeOf(each, report, settings).then((outcome) => {
      ended.push({ call: each.call, outcome })
      wake()
    })
  }
  while (open > 0 && !signal.aborted) {
    if (progress.size + ended.length === 0) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await unlessAborted(() => woken, signal).catch(() => undefined)
      continue
    }
    const [latest] = progress
    if (latest !== undefined) {
      const [toolCallId, { value, message }] = latest
      progress.delete(toolCallId)
      const text = message !== undefined && { message: String(message) }
      yield { kind: 'tool-progress', toolCallId, progress: value, iteration, ...text }
      continue
    }
    const next = ended.shift()
    if (next === undefined) continue
    open--
    yield* endOf(next.call, next.outcome, iteration)
  }
}

/** How a call ends, for the page, and what is kept for the model. */
function* endOf(
  call: TurnToolCall,
  { result, error }: Outcome,
  iteration: number,
): Generator<EventDraft, void> {
  const { toolCallId, toolName, success } = result
  // First: once the page has it, the model has it, whatever happens in between.
  yield turnDraft({ role: 'tool', results: [result] }, iteration)
  if (error !== undefined) yield { kind: 'task-error', error: { ...error, scope: 'tool', toolCallId } }
  // Of a call without arguments nothing was written; what was cut off, its reader has ended.
  const wasShown = success || error !== undefined || (call.status === 'complete' && call.arguments !== '')
  if (wasShown) {
    const outcome = success ? { result: result.result } : { error: result.error ?? toolThrew.message }
    yield { kind: 'tool-complete', toolCallId, toolName, success, iteration, ...outcome }
  }
}

const refusals = {
  declined: ['permission_denied', 'The call was declined.'],
  expired: ['input_expired', 'Nobody approved the call in time.'],
  canceled: ['canceled', 'The call was withdrawn.'],
} as const

/** Why a call does not start, for the model. */
function refusalOf(
  { toolCallId, toolName, status }: TurnToolCall,
  approval: Approval | undefined,
): ToolResult {
  const failed = (code: string, error: string): ToolResult => {
    return { toolCallId, toolName, success: false, code, error }
  }
  if (status !== 'complete')
    return failed('invalid_request', `Expected arguments that are a JSON object, got ${status} ones.`)
  if (approval === undefined || approval.status === 'approved')
    return failed('not_found', 'There is no tool with this name.')
  const [code, sentence] = refusals[approval.status]
  return failed(code, approval.reason === undefined ? sentence : `${sentence} ${approval.reason}`)
}

/** Runs a tool. Never rejects; never resolves once the task is stopped. */
async function outcomeOf(
  { call, tool, arguments: text, isEdited }: Started,
  progress: (value: number, message?: string) => void,
  { signal, toolTimeoutMs, maxResultLength, onError }: Settings,
): Promise<Outcome> {
  const { toolCallId, toolName } = call
  const edited = isEdited && { arguments: text }
  const failed = (error: ErrorInfo): Outcome => {
    const { code, message } = error
    return { result: { toolCallId, toolName, success: false, code, error: message, ...edited }, error }
  }
  const limit = timeLimit(toolTimeoutMs, signal, () => new Error(toolLate.message))
  try {
    const args = parsedArguments(text)
    const value = await limit.wait(() => tool(args, { signal: limit.signal, toolCallId, progress }))
    const result = jsonOf(value, toolName, maxResultLength)
    return { result: { toolCallId, toolName, success: true, result, ...edited } }
  } catch (error) {
    // That a tool is stopped with its task is no error.
    const known = signal.aborted ? undefined : describeError(onError(error))
    const reason = error instanceof Unusable ? error.reason : limit.isOver ? toolLate : toolThrew
    return failed(known ?? reason)
  }
}

/** A result that is not kept: JSON cannot represent it, as a cycle, or it is too long. */
class Unusable extends TypeError {
  readonly reason: ErrorInfo

  constructor(toolName: string, reason: ErrorInfo, cause?: unknown) {
    super(`The result of the tool "${toolName}" is not kept: ${reason.message}`, { cause })
    this.reason = reason
  }
}

/** What a tool has returned, as JSON. */
function jsonOf(value: unknown, toolName: string, maxLength: number): JsonValue {
  if (value === undefined) return null
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new Unusable(toolName, notJson, cause)
  }
  if (text === undefined) throw new Unusable(toolName, notJson)
  if (text.length > maxLength) throw new Unusable(toolName, tooLong(text.length, maxLength))
  return cleanJson(JSON.parse(text)) ?? null
}
