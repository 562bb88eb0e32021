/** From turnstream events to the updates of an ACP session. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { Mutable } from '../../core/mutable.ts'
import { optional, requireBoolean, requireOnly } from '../../core/require.ts'
import { EventWriter } from '../../dialects/engine/event-writer.ts'
import type { Item } from '../../dialects/engine/item.ts'
import type { ItemFormat } from '../../dialects/engine/write-item.ts'
import { newTask, type TaskFormat, type TaskState, taskMachine } from '../../dialects/engine/write-task.ts'
import { type AnswerEnd, noEnd, readEnd } from '../../dialects/shared/answer.ts'
import { finishReasonOf } from '../../dialects/shared/finish-reason.ts'
import { guarded } from '../../dialects/shared/guarded.ts'
import type { DataWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextAnyEvent, ContextEvent } from '../../events/event.ts'
import type { ToolCompleteEvent } from '../../events/tool.ts'
import type { Usage } from '../../events/usage.ts'
import { cleanText } from '../../json/sanitize.ts'
import { defaultViewer, type Viewer } from '../../streams/access/viewer.ts'
import { fileContent, resultContent, textContent } from './content.ts'
import { losses } from './losses.ts'
import { hasOtherFields, stateUpdate } from './state-updates.ts'
import type { AcpOutput, AcpPromptResponse, AcpToolCall, AcpUpdate, AcpUsage } from './updates.ts'

/** Options of {@link toAcp}. */
export interface ToAcpOptions {
  /**
   * Whether the input of the task is written, as the message of the user: `session/load` needs it, while the client of a prompt has it.
   *
   * @defaultValue `false`
   */
  readonly input?: boolean
  /**
   * Who reads the updates: events that this viewer may not see are dropped, fields removed.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/** What the format needs to know besides the task and its items, which the engine tracks. Plain JSON. */
interface AcpState extends TaskState, AnswerEnd {
  /** How many texts and thoughts were begun. */
  readonly messages: number
}

const initial: AcpState = { ...newTask, messages: 0, ...noEnd }

class AcpWriter extends EventWriter<Mutable<AcpState>, AcpOutput> {
  readonly hasInput: boolean

  constructor(state: AcpState, { input = false }: ToAcpOptions) {
    super({ ...state }, losses)
    this.hasInput = input
  }

  send(update: AcpUpdate): void {
    this.emit({ update })
  }

  call(update: AcpToolCall, sessionUpdate: 'tool_call' | 'tool_call_update' = 'tool_call_update'): void {
    this.send({ sessionUpdate, ...update })
  }

  finish(stopReason: AcpPromptResponse['stopReason']): void {
    const usage = toAcpUsage(this.state.usage)
    this.emit({ result: { stopReason, ...(usage !== undefined && { usage }) } })
  }
}

/** The id of a call in its session, which has calls of several tasks. */
export const acpCallId = (taskId: string, toolCallId: string): string => `${taskId}/${toolCallId}`

type MessageUpdate = 'agent_message_chunk' | 'agent_thought_chunk'

/** How a text or a thought is written. Without text, there is nothing to write; of several open ones, one is. */
function message(sessionUpdate: MessageUpdate): ItemFormat<AcpWriter, 'text' | 'thought'> {
  return {
    isAlone: true,
    empty: () => true,
    id: ({ state }, { taskId }) => `${taskId}/${state.messages++}`,
    append: (writer, { id }, text) =>
      writer.send({ sessionUpdate, content: textContent(text), messageId: id }),
  }
}

/** How a call is written: pending while its arguments come, which it has once it runs. */
const call: ItemFormat<AcpWriter, 'call'> = {
  id: (_, { taskId, toolCallId }) => acpCallId(taskId, toolCallId),
  open: (writer, { id: toolCallId, toolName }) =>
    writer.call({ toolCallId, title: toolName, name: toolName, status: 'pending' }, 'tool_call'),
  closesWithWhole: true,
  close(writer, { id: toolCallId, phase }, event) {
    if (event.kind !== 'tool-start') return
    const { toolName, arguments: rawInput } = event
    const running = { toolCallId, status: 'in_progress', rawInput } as const
    if (phase === 'open') writer.call(running)
    else writer.call({ ...running, title: toolName, name: toolName }, 'tool_call')
  },
  cut(writer, { id: toolCallId }) {
    const message = 'The arguments of a call were cut off: only complete ones are sent.'
    writer.diagnostic('gap', message, { detail: { toolCallId } })
    writer.call({ toolCallId, status: 'failed' })
  },
}

const format: TaskFormat<AcpWriter> = {
  items: { text: message('agent_message_chunk'), thought: message('agent_thought_chunk'), call },
  begin(writer, event) {
    if (event.kind !== 'task-created' || !writer.hasInput || event.metadata?.input === undefined) return
    const { input } = event.metadata
    const text = typeof input === 'string' ? input : cleanText(input)
    writer.kept.push('metadata.input')
    writer.send({ sessionUpdate: 'user_message_chunk', content: textContent(text) })
  },
  write(writer, event) {
    switch (event.kind) {
      case 'task-created':
        if (event.initiator === 'user') writer.kept.push('initiator')
        return
      case 'tool-complete':
        return writeResult(writer, event)
      case 'tool-progress':
        return writeProgress(writer, event)
      case 'file-write':
        return writeFile(writer, event)
      case 'data-write':
        return writeData(writer, event)
      default:
        writer.kept.push('metadata.usage')
        readEnd(writer.state, writer.kept, event)
    }
  },
  end(writer, calls) {
    failCalls(writer, calls)
    const reason = finishReasonOf(writer.state.finishReason ?? '')
    writer.finish(reason === 'length' ? 'max_tokens' : reason === 'content-filter' ? 'refusal' : 'end_turn')
  },
  fail(writer, error, status, calls) {
    failCalls(writer, calls)
    if (status === 'canceled') writer.finish('cancelled')
    else if (error.code === 'refused' || error.code === 'budget_exhausted') {
      writer.lossy('error', 'The response to a prompt has the reason alone.')
      writer.finish(error.code === 'refused' ? 'refusal' : 'max_turn_requests')
    } else writer.emit({ error: { code: INTERNAL_ERROR, message: error.message, data: error } })
  },
}

/** A client shows a call as running until it has ended. */
function failCalls(writer: AcpWriter, calls: readonly Item[]): void {
  for (const { id: toolCallId } of calls) writer.call({ toolCallId, status: 'failed' })
}

/** Of JSON-RPC. */
export const INTERNAL_ERROR = -32603

function writeResult(writer: AcpWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const { taskId, success, result, error } = event
  const toolCallId = acpCallId(taskId, event.toolCallId)
  const status = success ? 'completed' : 'failed'
  const returned = success ? result : (error ?? result)
  const { content, isWhole } = resultContent(returned)
  writer.call({
    ...{ toolCallId, status },
    ...(returned !== undefined && !isWhole && { rawOutput: returned }),
    ...(content.length > 0 && { content }),
  })
}

function writeProgress(writer: AcpWriter, event: ContextAnyEvent & { kind: 'tool-progress' }): void {
  const { taskId, message } = event
  const toolCallId = acpCallId(taskId, event.toolCallId)
  if (message === undefined) writer.noEquivalent(event, 'a fraction')
  else writer.call({ toolCallId, content: [{ type: 'content', content: textContent(message) }] })
}

function writeFile(writer: AcpWriter, event: ContextEvent<FileWriteEvent>): void {
  if (event.complete && event.index === 0)
    writer.send({ sessionUpdate: 'agent_message_chunk', content: fileContent(event) })
  else writer.noEquivalent(event, 'a file in pieces')
}

/** Writes what a session states of itself: the artifacts that `acpAgent` reads it as. */
function writeData(writer: AcpWriter, event: ContextEvent<DataWriteEvent>): void {
  const { artifactId, data } = event
  const update = stateUpdate(artifactId, data)
  if (update === undefined) {
    writer.noEquivalent(event, `the artifact ${artifactId}`)
    return
  }
  writer.send(update)
  if (hasOtherFields(data)) writer.lossy('data', 'An update has no other fields.')
}

function toAcpUsage(usage: Usage | null): AcpUsage | undefined {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens, cacheWriteInputTokens } = usage ?? {}
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return {
    ...{ totalTokens: inputTokens + outputTokens, inputTokens, outputTokens },
    ...(reasoningTokens !== undefined && { thoughtTokens: reasoningTokens }),
    ...(cachedInputTokens !== undefined && { cachedReadTokens: cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cachedWriteTokens: cacheWriteInputTokens }),
  }
}

/**
 * Maps the events of one task to what an ACP agent sends for a prompt: the updates of the session, and the response. `serveAcp` sends
 * them. Never throws on data.
 *
 * | event | output |
 * |---|---|
 * | `content-delta`, `content-complete` | `agent_message_chunk` |
 * | `content-replace` | a further message, with an id of its own: clients keep the one before |
 * | `thought-delta`, `thought-stream` | `agent_thought_chunk` |
 * | `tool-arguments-delta` | `tool_call` that is pending |
 * | `tool-start` | `tool_call` or `tool_call_update` that is in progress, with `rawInput` |
 * | `tool-progress` | the message, as content of the call |
 * | `tool-complete` | `tool_call_update` with `rawOutput` and content; a result that is content of ACP, such as a diff or a terminal, as it is. A call without one fails with the end of its task |
 * | `file-write` | an image, a sound or a resource in a message |
 * | `data-write` of `plan`, `mode`, `usage`, `commands`, `options`, `session` | `plan`, `current_mode_update`, `usage_update`, `available_commands_update`, `config_option_update`, `session_info_update` |
 * | `completed`, `task-complete` | the response: `end_turn`, `max_tokens` or `refusal`, and the usage |
 * | `canceled` | the response `cancelled` |
 * | `failed` | the response `refusal` or `max_turn_requests`, or an error |
 *
 * Of several open texts the first is sent as it comes, the others once they are complete. Ids of messages and calls begin with the
 * task, as a session has several. {@link acpLosses} lists what has no equivalent.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience`, `other-task`,
 *   `after-end`, `repeated`, `out-of-order` or `not-started`
 * - `lossy:<field>`: the field was dropped or changed, see {@link acpLosses}; `path` leads to it
 * - `gap`: deltas are missing; the arguments of a call were cut off; a call has no result when its task completes; or the stream ended before its task
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `state-evicted`: more than 1024 open items
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const { push } = run(toAcp())
 * for (const output of push(event)) if ('update' in output) notify('session/update', { sessionId, update: output.update })
 * ```
 */
export function toAcp(
  options: ToAcpOptions = {},
): Machine<MachineState<'toAcp'>, ContextAnyEvent, AcpOutput> {
  requireOnly('options', options, ['input', 'viewer'])
  optional(requireBoolean, 'input', options.input)
  const { viewer = defaultViewer } = options
  return opaque(
    guarded(
      viewer,
      taskMachine(initial, format, (state) => new AcpWriter(state, options)),
    ),
  )
}
