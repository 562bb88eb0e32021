/**
 * From turnstream events to the chunks of OpenAI's Chat Completions. The smallest format, and the example of how to add one: its
 * state, a step that sends chunks, how an item is written, and how a task is.
 */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { optional, requireBoolean, requireOnly, requireText } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Usage } from '../../../events/usage.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import type { ItemFormat } from '../../engine/write-item.ts'
import { newTask, type TaskFormat, type TaskState, taskMachine } from '../../engine/write-task.ts'
import { type AnswerEnd, noEnd, readEnd } from '../../shared/answer.ts'
import { finishReasonOf } from '../../shared/finish-reason.ts'
import { guarded } from '../../shared/guarded.ts'
import type {
  ChatCompletionDelta,
  ChatCompletionEvent,
  ChatCompletionUsage,
  ChatFinishReason,
} from '../wire/chunk.ts'
import { losses } from './losses.ts'

/** Options of {@link toChatCompletions}. */
export interface ToChatCompletionsOptions {
  /**
   * The `model` of the chunks. Not empty.
   *
   * @defaultValue `'agent'`
   */
  readonly model?: string
  /**
   * Whether a last chunk without a choice has the usage: `stream_options.include_usage` of the request.
   *
   * @defaultValue `false`
   */
  readonly includeUsage?: boolean
  /**
   * Who reads the stream: events that this viewer may not see are dropped, fields removed.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/** What the format needs to know besides the task and its items, which the engine tracks. Plain JSON. */
interface ChatState extends TaskState, AnswerEnd {
  /** In seconds since 1970. */
  readonly created: number
  /** How many calls were written. */
  readonly calls: number
}

const initial: ChatState = { ...newTask, created: 0, calls: 0, ...noEnd }

/** One step: collects chunks and diagnostics, and changes the state. */
class ChatWriter extends EventWriter<Mutable<ChatState>, ChatCompletionEvent> {
  readonly model: string
  readonly includeUsage: boolean

  constructor(state: ChatState, { model = 'agent', includeUsage = false }: ToChatCompletionsOptions) {
    super({ ...state }, losses)
    this.model = model
    this.includeUsage = includeUsage
  }

  send(delta: ChatCompletionDelta, finish_reason: ChatFinishReason | null = null): void {
    this.emit({ ...this.#head(), choices: [{ index: 0, delta, finish_reason }] })
  }

  finish(reason: ChatFinishReason): void {
    const { usage } = this.state
    this.send({}, reason)
    if (this.includeUsage && usage !== null)
      this.emit({ ...this.#head(), choices: [], usage: toChatUsage(usage) })
  }

  #head() {
    const { taskId, created } = this.state
    return { id: `chatcmpl-${taskId}`, object: 'chat.completion.chunk', created, model: this.model } as const
  }
}

/** A message has one text and one reasoning: what it has several of follows each other. Without text, there is nothing to write. */
const alone = { isAlone: true, empty: () => true } as const

/** How a call is written. Nothing marks where it ends. */
const call: ItemFormat<ChatWriter, 'call'> = {
  namesResults: true,
  // The first piece of a call has its own id, the others have only its place.
  id: ({ state }) => String(state.calls++),
  open(writer, { id, key, toolName: name }) {
    const first = { index: Number(id), id: key, type: 'function', function: { name, arguments: '' } } as const
    writer.send({ tool_calls: [first] })
  },
  append: (writer, { id }, text) =>
    writer.send({ tool_calls: [{ index: Number(id), function: { arguments: text } }] }),
}

/** How a task is written. */
const format: TaskFormat<ChatWriter> = {
  items: {
    text: { ...alone, append: (writer, _, content) => writer.send({ content }) },
    thought: { ...alone, append: (writer, _, reasoning_content) => writer.send({ reasoning_content }) },
    call,
  },
  begin(writer, { timestamp }) {
    writer.state.created = Math.floor(Date.parse(timestamp) / 1000)
    writer.send({ role: 'assistant', content: '' })
  },
  write(writer, event) {
    const { state } = writer
    if (writer.includeUsage) writer.kept.push('metadata.usage')
    if (event.kind === 'task-created' && event.initiator === 'user') writer.kept.push('initiator')
    readEnd(state, writer.kept, event)
  },
  // `tool_calls` asks the client to run the calls that have no result.
  leavesCalls: true,
  end: (writer, calls) =>
    writer.finish(calls.length > 0 ? 'tool_calls' : toFinishReason(writer.state.finishReason)),
  fail(writer, { code, message }, status) {
    if (status === 'failed') writer.emit({ error: { message, type: code, code, param: null } })
    else {
      writer.lossy('status', 'A completion that is canceled has stopped.')
      writer.finish('stop')
    }
  },
}

function toFinishReason(reason: string | null): ChatFinishReason {
  const known = finishReasonOf(reason ?? '')
  return known === 'length' ? 'length' : known === 'content-filter' ? 'content_filter' : 'stop'
}

function toChatUsage({
  inputTokens: input = 0,
  outputTokens: output = 0,
  ...usage
}: Usage): ChatCompletionUsage {
  const { totalTokens = 0, cachedInputTokens: cached, reasoningTokens: reasoning } = usage
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: totalTokens },
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

/**
 * Maps the events of one task to the chunks of an OpenAI Chat Completions stream, so that any client of it shows the agent.
 * Never throws on data.
 *
 * | event | chunk |
 * |---|---|
 * | `task-created` | `role` |
 * | `content-delta`, `content-complete` | `content` |
 * | `thought-delta`, `thought-stream` | `reasoning_content` |
 * | `tool-arguments-delta`, `tool-start` | `tool_calls` |
 * | `completed`, `task-complete` | `finish_reason`: `tool_calls` if a call has no result, otherwise that of the last text, or `stop`; the usage |
 * | `canceled` | `finish_reason` `stop` |
 * | `failed` | `error`, which clients throw |
 *
 * A message has one text: those of a task follow each other, and of several open ones the first is sent as it comes, the others
 * once they are complete. {@link openaiCoverage} lists the kinds without an equivalent.
 *
 * Encode the chunks with `encodeJson` of `turnstream/sse`, and send `data: [DONE]` after the last one. Use one machine for each
 * task.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience`, `other-task`,
 *   `after-end`, `repeated`, `out-of-order` or `not-started`
 * - `lossy:<field>`: the field was dropped or changed, see {@link openaiLosses}; `path` leads to it
 * - `gap`: deltas are missing; a call has no result when its task completes; or the stream ended before its task
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `state-evicted`: more than 1024 open items
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const { push, end } = run(toChatCompletions({ model: 'harbour-agent' }))
 * for await (const event of events) for (const chunk of push(event)) response.write(encodeJson(chunk))
 * for (const chunk of end()) response.write(encodeJson(chunk))
 * response.end('data: [DONE]\n\n')
 * ```
 */
export function toChatCompletions(
  options: ToChatCompletionsOptions = {},
): Machine<MachineState<'toChatCompletions'>, ContextAnyEvent, ChatCompletionEvent> {
  requireOnly('options', options, ['model', 'includeUsage', 'viewer'])
  optional(requireText, 'model', options.model)
  optional(requireBoolean, 'includeUsage', options.includeUsage)
  const { viewer = defaultViewer } = options
  return opaque(
    guarded(
      viewer,
      taskMachine(initial, format, (state) => new ChatWriter(state, options)),
    ),
  )
}
