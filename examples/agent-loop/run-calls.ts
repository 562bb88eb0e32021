/** Runs the calls of a response: asks for approval, and returns what the model is told. */
import type { EventDraft } from 'turnstream'
import type { TurnCall } from 'turnstream/providers'
import type { AgentOptions, Events, Tool } from './options.ts'

/** What the model is told about a call. */
export interface Answer {
  readonly call: TurnCall
  readonly text: string
  readonly isError: boolean
}

/** Runs the calls side by side, after all approvals. */
export async function* runCalls(calls: readonly TurnCall[], options: AgentOptions): Events<Answer[]> {
  const { tools, signal, emitter } = options
  const answers: (Answer | Promise<Answer>)[] = []
  const approved: { call: TurnCall; tool: Tool }[] = []
  for (const call of calls) {
    const tool = Object.hasOwn(tools, call.toolName) ? tools[call.toolName] : undefined
    // Calls with other arguments were reported, and ended, by the reader of the model.
    if (call.status !== 'complete') answers.push(refused(call, `The arguments are ${call.status}.`))
    else if (tool === undefined) answers.push(yield* endCall(call, `Unknown tool ${call.toolName}.`, options))
    else if (tool.needsApproval && !(yield* ask(call, options))) {
      answers.push(yield* endCall(call, signal.aborted ? CANCELED : 'The user declined.', options))
    } else approved.push({ call, tool })
  }
  for (const { call, tool } of approved) {
    if (signal.aborted) {
      answers.push(yield* endCall(call, CANCELED, options))
      continue
    }
    const { toolCallId, toolName, arguments: args = {} } = call
    yield emitter.emit({ kind: 'tool-start', toolCallId, toolName, arguments: args })
    answers.push(answerOf(call, async () => tool.run(args, signal)))
  }
  for (const [i, pending] of answers.entries()) {
    const answer = await pending
    answers[i] = answer
    if (pending instanceof Promise) yield emitter.emit(completionOf(answer))
  }
  return Promise.all(answers)
}

const CANCELED = 'The task was canceled.'

/** Ends a call that does not start. Without arguments, nothing of it was emitted. */
export async function* endCall(call: TurnCall, error: string, { emitter }: AgentOptions): Events<Answer> {
  if (call.text !== '') yield emitter.emit(completionOf(refused(call, error)))
  return refused(call, error)
}

/** Asks the user whether a call may run. */
async function* ask(call: TurnCall, { approve, signal, emitter: { emit } }: AgentOptions): Events<boolean> {
  const { toolCallId, toolName, text } = call
  if (signal.aborted) return false
  const inputId = `approval-${toolCallId}`
  const toolCall = { id: toolCallId, type: 'function', function: { name: toolName, arguments: text } }
  const prompt = `May the agent call ${toolName}?`
  const inputType = 'tool-execution'
  yield emit({
    kind: 'input-required',
    inputId,
    requireUser: true,
    inputType,
    prompt,
    metadata: { toolCall },
  })
  yield emit({ kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } })
  const answer = await approve(call, signal).catch(() => undefined)
  if (answer === undefined) yield emit({ kind: 'input-canceled', inputId, reason: 'withdrawn' })
  else {
    const outcome = answer.approved ? 'answered' : 'declined'
    yield emit({ kind: 'input-received', inputId, providedBy: 'user', userId: answer.userId, outcome })
  }
  if (!signal.aborted) yield emit({ kind: 'task-status', status: 'working' })
  return answer?.approved ?? false
}

async function answerOf(call: TurnCall, action: () => Promise<unknown>): Promise<Answer> {
  try {
    return { call, text: JSON.stringify(await action()) ?? 'null', isError: false }
  } catch (error) {
    return refused(call, error instanceof Error ? error.message : String(error))
  }
}

function refused(call: TurnCall, text: string): Answer {
  return { call, text, isError: true }
}

function completionOf({ call: { toolCallId, toolName }, text, isError }: Answer): EventDraft {
  if (isError) return { kind: 'tool-complete', toolCallId, toolName, success: false, error: text }
  return { kind: 'tool-complete', toolCallId, toolName, success: true, result: JSON.parse(text) }
}
