/** OpenAI Agents SDK. */

import { apiOf } from '../../core/apis.ts'
import type { Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { parsedOrText } from '../../json/parsed.ts'
import { openaiChat } from '../../providers/openai-chat/openai-chat.ts'
import { openaiResponses } from '../../providers/openai-responses/openai-responses.ts'
import { type Fields, fieldsOf, firstText, textOf } from '../../providers/shared/fields.ts'
import { FrameworkRun, type Outcome } from './framework-run.ts'
import { textChunk, wholeChunk } from './openai-agents-neutral.ts'
import {
  type FrameworkDrafts,
  type FrameworkOptions,
  readFramework,
  requireFramework,
} from './read-framework.ts'

/** Events of items whose text, thought or call the events of the model have. */
const repeated = new Set([
  'message_output_created',
  'reasoning_item_created',
  'tool_called',
  'handoff_requested',
])

/** The last events of a response. */
const ends = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/**
 * Reads a run of the OpenAI Agents SDK: the events that `run(agent, input, { stream: true })` yields, or the same as JSON, of models that it calls by
 * Responses or by Chat Completions, and of those of other packages, such as `aisdk()`. A tool
 * starts when its result comes, so that one which waits for an approval has not started: its `tool_approval_requested` is an
 * `input-required`, and the task waits. Pass `task`, and the run after the answers continues it: its calls start with the arguments
 * that were approved, and one that was rejected does not start. A handoff is the call of a tool.
 *
 * Diagnostics: those of `openaiResponses` and `openaiChat`; `dropped:<event>` for other events of items, once for each type;
 * `unknown-type` and `ended-early`, see {@link FrameworkOptions}.
 *
 * @returns The questions that the run waits for: none if it is over. `metadata.callId` is the call of the SDK.
 * @throws TypeError for an invalid source or option.
 *
 * @example
 * ```ts
 * const agent: Agent = async function* (task) {
 *   let run = await runner.run(harbour, String(task.input), { stream: true, signal: task.signal })
 *   for (;;) {
 *     const questions = yield* fromOpenaiAgents(run, { task })
 *     if (questions.length === 0) return
 *     for (const { inputId, metadata } of questions) {
 *       const answer = await task.answer({ inputId })
 *       const call = run.interruptions.find(({ rawItem }) => rawItem.callId === metadata?.callId)
 *       if (answer?.call === undefined) run.state.reject(call)
 *       else run.state.approve(call)
 *     }
 *     run = await runner.run(harbour, run.state, { stream: true, signal: task.signal })
 *   }
 * }
 * ```
 */
export function fromOpenaiAgents(source: Source<unknown>, options: FrameworkOptions = {}): FrameworkDrafts {
  requireFramework(source, options)
  /** The API of the model, as its chunks show: `neutral` if the SDK alone states the response, empty if it is not known yet. */
  let api: 'OpenAI Responses' | 'Chat Completions' | 'neutral' | '' = ''
  const isResponses = (): boolean => api === 'OpenAI Responses' || api === ''
  const run = new FrameworkRun((each) => (isResponses() ? openaiResponses(each) : openaiChat(each)), options)

  /** Of Responses the SDK states the end of a response before its last event; of Chat Completions only that. */
  function readModel({ type: of, event, delta, response }: Fields): EventDraft[] {
    if (of === 'response_started') {
      const before = api === 'neutral' ? run.endResponse() : []
      if (!run.isReading) api = ''
      return before
    }
    if (of === 'output_text_delta' && isNeutral()) return readNeutral(textChunk(delta))
    if (of === 'response_done') return readDone(fieldsOf(response))
    if (of !== 'model') return []
    const chunk = fieldsOf(event)
    const other = apiOf(chunk)
    const isKnown = other === 'OpenAI Responses' || other === 'Chat Completions'
    // What the SDK states of it follows.
    if (!isKnown && isNeutral() && chunk.type !== 'error') return []
    const before = chunk.type === 'response.created' ? run.endResponse() : []
    if (!run.isReading && isKnown) api = other
    const drafts = [...before, ...run.push(chunk)]
    return ends.has(textOf(chunk.type)) ? [...drafts, ...run.endResponse()] : drafts
  }

  /** Whether no chunk of an API that is read has come of the response. */
  function isNeutral(): boolean {
    return api === 'neutral' || (api === '' && !run.isReading)
  }

  function readNeutral(chunk: Fields): EventDraft[] {
    api = 'neutral'
    return run.push(chunk)
  }

  function readDone(response: Fields): EventDraft[] {
    if (!isNeutral()) return isResponses() ? [] : run.endResponse()
    const drafts = readNeutral(wholeChunk(response, run.isReading))
    return [...drafts, ...run.endResponse()]
  }

  return readFramework(source, options, {
    name: 'the OpenAI Agents SDK',
    isOwn: (value) => apiOf(fieldsOf(value)) === 'OpenAI Agents SDK',
    read(value) {
      const { type, data, name, item } = fieldsOf(value)
      if (type === 'raw_model_stream_event') return readModel(fieldsOf(data))
      if (type !== 'run_item_stream_event' || repeated.has(textOf(name))) return []
      const { rawItem, output } = fieldsOf(item)
      const raw = fieldsOf(rawItem)
      const id = firstText(raw.callId, raw.call_id, raw.id)
      if (name === 'tool_output' || name === 'handoff_occurred') {
        const text = output ?? raw.output
        const name = textOf(raw.name)
        const value = typeof text === 'string' ? parsedOrText(text) : text
        return run.result(
          id,
          name,
          outcomeOf(textOf(text), () => isRejected(source, name, id)),
          value,
        )
      }
      if (name === 'tool_approval_requested') {
        const call = { id: run.idOf(id), name: textOf(raw.name), arguments: textOf(raw.arguments) }
        return run.askAbout(`approval-${call.id}`, call, '', { callId: id })
      }
      run.dropped(textOf(name))
      return []
    },
    run,
    end: () => run.end(),
    breakOff: () => run.close(),
  })
}

/** The SDK gives the model a sentence in place of what a tool throws, and of the result of one that was rejected. */
function outcomeOf(text: string, isRejected: () => boolean): Outcome {
  if (/^An error occurred while running the tool/.test(text)) return 'failed'
  return text === 'Tool execution was not approved.' || isRejected() ? 'refused' : 'succeeded'
}

/** Whether the run states that a call was rejected. The sentence may be one of the application. */
function isRejected(source: Source<unknown>, toolName: string, callId: string): boolean {
  const { runContext } = source as { readonly runContext?: Partial<RunContext> }
  return typeof runContext?.isToolApproved === 'function'
    ? runContext.isToolApproved({ toolName, callId }) === false
    : false
}

/** The `RunContext` of the SDK, as far as it is read. */
interface RunContext {
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined
}
