/** The chunks of a task, with what it asks as text: a message has no other place for it. */

import { type Diagnostic, run } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { blocked } from '../../../server/protocol/begin-task.ts'
import { OpenRequests, type Request } from '../../../server/protocol/open-requests.ts'
import type { TaskEvents } from '../../../server/protocol/read-task.ts'
import type { TaskOutputs, TaskWriter } from '../../../server/protocol/write-task.ts'
import type { Viewer } from '../../../streams/access/viewer.ts'
import { clientCallOf } from '../../shared/client-call.ts'
import { type ToChatCompletionsOptions, toChatCompletions } from '../to/to-chat-completions.ts'
import type { ChatCompletionDelta, ChatCompletionEvent } from '../wire/chunk.ts'
import { type Question, questionText } from '../wire/question.ts'
import { errorOf } from './completion.ts'

/** An output: a chunk, or `null` for the end of the message. */
export type Written = ChatCompletionEvent | null

/** What a message that asks for an answer ends with. */
export interface Replies {
  /** Behind calls to approve. */
  readonly call: string
  /** Behind other questions. */
  readonly other: string
}

export function taskWriter(
  taskId: string,
  options: ToChatCompletionsOptions & { readonly viewer: Viewer },
  replies: Replies,
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): TaskWriter<Written> {
  const machine = toChatCompletions(options)
  const runner = run(machine, onDiagnostic && { onDiagnostic })
  const requests = new OpenRequests(taskId, options.viewer)
  /** How many questions were open when they were written, and nobody has answered since. */
  let written = 0
  const started = new Set<string>()

  /** The end of the message at which the task waits. The machine itself continues with what follows the answer. */
  function pause(event: ContextAnyEvent): Written[] {
    const { timestamp, contextId } = event
    const { waiting } = requests
    const questions = waiting.filter((each) => !isExecution(each))
    const fork = run(machine, { state: structuredClone(runner.state) })
    const at = { contextId, taskId, timestamp }
    const reply = questions.some((each) => callOf(each) !== undefined) ? replies.call : replies.other
    const text = [...questions.map(textOf), reply].join('\n\n')
    // The machine writes one task: the calls that subtasks leave to the client are part of the end.
    const calls = waiting.flatMap((each) => (each.taskId === taskId ? [] : (callLeft(each) ?? [])))
    const chunks = [
      ...calls.flatMap((call) => fork.push({ ...call, taskId })),
      ...(questions.length > 0
        ? fork.push({ kind: 'content-complete', ...at, contentId: 'question', content: `\n\n${text}` })
        : []),
      ...fork.push({ kind: 'task-complete', ...at }),
      ...fork.push({ kind: 'task-status', status: 'completed', ...at }),
      ...fork.end(),
    ]
    const runsCalls = waiting.some(isExecution)
    return [...chunks.map((chunk) => (runsCalls ? chunk : withoutCalls(chunk))), null]
  }

  return {
    push(event) {
      if (event.kind === 'tool-start') started.add(event.toolCallId)
      const call = event.taskId === taskId ? callLeft(event) : undefined
      const isNew = call !== undefined && !started.has(call.toolCallId)
      const chunks = [...(isNew ? runner.push(call) : []), ...runner.push(event)]
      requests.follow(event)
      if (chunks.some(isLast)) return [...chunks, null]
      const asked = requests.waiting.length
      if (asked === written) return chunks
      written = asked
      return asked === 0 ? chunks : [...chunks, ...pause(event)]
    },
    end: () => [...runner.end(), null],
    isEnd: (output) => output === null,
  }
}

/** The start of the call that an event leaves to the client; `undefined` if it leaves none. */
function callLeft(event: ContextAnyEvent): ReturnType<typeof clientCallOf> {
  return event.kind === 'input-required' ? clientCallOf(event) : undefined
}

/** Whether the client is to run a call. */
function isExecution(request: Request): boolean {
  return (
    request.kind === 'input-required' &&
    request.metadata?.provider === 'client' &&
    callOf(request) !== undefined
  )
}

function callOf(request: Request): Question['call'] {
  const called = request.kind === 'input-required' ? request.metadata?.toolCall?.function : undefined
  return called && { toolName: called.name, arguments: called.arguments }
}

function textOf(request: Request): string {
  const { prompt, taskId } = request
  const call = callOf(request)
  const id = request.kind === 'input-required' ? request.inputId : request.authId
  return questionText({ id, taskId, prompt, ...(call && { call }) })
}

function isLast(event: ChatCompletionEvent): boolean {
  return 'error' in event || event.choices.some(({ finish_reason }) => finish_reason !== null)
}

/** The end of a message whose calls the agent runs once they are approved, and the client does not. */
function withoutCalls(event: ChatCompletionEvent): ChatCompletionEvent {
  if ('error' in event) return event
  const choices = event.choices.map((choice) =>
    choice.finish_reason === 'tool_calls' ? { ...choice, finish_reason: 'stop' as const } : choice,
  )
  return { ...event, choices }
}

/**
 * The chunks of a message that begins behind an answer, as those of a message of its own: it has its role, and its calls are counted
 * from 0. Pieces of calls that began in the message before are left out.
 *
 * @param onWaiting - Called when the message ends as its task waits.
 */
export async function* continued(
  { skipped }: TaskEvents,
  outputs: TaskOutputs<Written>,
  onWaiting: () => Promise<void>,
): AsyncGenerator<ChatCompletionEvent, void, undefined> {
  const places = new Map<number, number>()
  let hasRole = skipped === 0
  for (;;) {
    const { done, value } = await outputs.next()
    if (done === true) {
      if (value === 'waiting') await onWaiting()
      if (value === 'blocked') yield errorOf(blocked)
      return
    }
    if (value === null) continue
    if (skipped === 0 || 'error' in value) {
      yield value
      continue
    }
    if (!hasRole) yield { ...value, choices: [{ ...choice, delta: { role: 'assistant', content: '' } }] }
    hasRole = true
    const choices = value.choices.map((each) => ({ ...each, delta: numbered(each.delta, places) }))
    yield { ...value, choices }
  }
}

const choice = { index: 0, finish_reason: null } as const

function numbered(delta: ChatCompletionDelta, places: Map<number, number>): ChatCompletionDelta {
  const { tool_calls: calls, ...others } = delta
  if (calls === undefined) return delta
  const own = calls.flatMap((call) => {
    if (call.id !== undefined) places.set(call.index, places.size)
    const index = places.get(call.index)
    return index === undefined ? [] : [{ ...call, index }]
  })
  return own.length === 0 ? others : { ...others, tool_calls: own }
}
