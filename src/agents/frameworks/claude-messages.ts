/** The messages of Claude: of an agent, or of one of its subagents. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import { cleanJson } from '../../json/sanitize.ts'
import { anthropicMessages } from '../../providers/anthropic-messages/anthropic-messages.ts'
import { type Fields, fieldsOf, objectsOf, textOf } from '../../providers/shared/fields.ts'
import { type ClaudeResult, endWith, resultOf } from './claude-result.ts'
import { FrameworkRun } from './framework-run.ts'
import type { FrameworkOptions } from './read-framework.ts'
import { Recent } from './run-memory.ts'

/** Messages that state nothing that happened in the task. */
const silent = new Set(['system', 'keep_alive', 'control_request', 'control_response', 'rate_limit_event'])

/** The known types. Every other message has a `session_id`. */
export const types: ReadonlySet<string> = new Set([
  ...['assistant', 'user', 'result', 'stream_event', 'tool_progress'],
  ...silent,
])

/** The messages of an agent or a subagent. */
export class ClaudeRun {
  readonly run: FrameworkRun
  /** The calls that were not permitted. */
  readonly refused: Set<string> = new Set()
  #messageId = ''
  #blocks = 0
  /** Whether a message came since the last result. */
  #hasMessages = false
  #isStreaming = false
  /** Results that came before the end of the response that calls for them. */
  readonly #results: Fields[] = []
  #result: ClaudeResult | undefined
  readonly #streamed = new Recent()

  /** @param starts - Whether a call starts when it is written. Otherwise it does when it is permitted, or with its result. */
  constructor(options: FrameworkOptions, starts: boolean) {
    this.run = new FrameworkRun(anthropicMessages, options, starts)
  }

  /** Whether a response is streamed. */
  get isStreaming(): boolean {
    return this.#isStreaming
  }

  get hasResult(): boolean {
    return this.#result !== undefined
  }

  read(message: Fields): EventDraft[] {
    const { type, event } = message
    if (type === 'stream_event') return this.#readEvent(fieldsOf(event))
    if (type === 'assistant') return this.#readMessage(message)
    if (type === 'user') return this.#readResults(message)
    if (type === 'result') return this.#readResult(message)
    if (type === 'tool_progress') return []
    if (!silent.has(textOf(type))) this.run.dropped(textOf(type))
    return []
  }

  #readEvent(event: Fields): EventDraft[] {
    this.#hasMessages = true
    const { type } = event
    if (type === 'message_start') {
      this.#messageId = textOf(fieldsOf(event.message).id)
      this.#streamed.add(this.#messageId)
      const before = this.#endStream()
      this.#isStreaming = true
      return [...before, ...this.run.begin(), ...this.run.push(event)]
    }
    const drafts = this.run.push(event)
    return type === 'message_stop' ? [...drafts, ...this.#endStream()] : drafts
  }

  /** Ends the response that is streamed. A tool may have its result before. */
  #endStream(): EventDraft[] {
    if (!this.#isStreaming) return []
    this.#isStreaming = false
    return [...this.run.endResponse(), ...this.#results.splice(0).flatMap((each) => this.#readResults(each))]
  }

  /** A message as a whole; each of its blocks may be one of its own, with the same id. Its calls may begin before a stream of it ends. */
  #readMessage({ message, error }: Fields): EventDraft[] {
    this.#hasMessages = true
    const { content, stop_reason, usage, ...start } = fieldsOf(message)
    const id = textOf(start.id)
    const blocks = objectsOf(content)
    const drafts: EventDraft[] = []
    if (!this.#streamed.has(id)) {
      if (error != null) this.run.failure('The model reported an error.', { error })
      if (id !== this.#messageId || !this.run.isReading) {
        drafts.push(...this.stop('end_turn'), ...this.run.begin())
        drafts.push(...this.run.push({ type: 'message_start', message: { ...start, content: [], usage } }))
        this.#messageId = id
        this.#blocks = 0
      }
      for (const block of blocks) {
        const index = this.#blocks++
        drafts.push(...this.run.push({ type: 'content_block_start', index, content_block: block }))
        drafts.push(...this.run.push({ type: 'content_block_stop', index }))
      }
    }
    if (id !== this.#messageId) return drafts
    for (const { type, id, name, input } of blocks)
      if (type === 'tool_use') this.run.written(textOf(id), textOf(name), fieldsOf(cleanJson(input)))
    const isOver = !this.#streamed.has(id) && stop_reason != null
    return isOver ? [...drafts, ...this.stop(textOf(stop_reason))] : drafts
  }

  #readResults(results: Fields): EventDraft[] {
    if (this.#isStreaming) {
      this.#results.push(results)
      return []
    }
    const { message, tool_use_result: whole } = results
    const drafts = this.stop('tool_use')
    const { content } = fieldsOf(message)
    for (const { type, tool_use_id: id, is_error: isError, content: result } of objectsOf(content)) {
      if (type !== 'tool_result' || this.run.callOf(textOf(id)) === undefined) continue
      const parts = objectsOf(result)
      const text = typeof result === 'string' ? result : parts.map((part) => textOf(part.text)).join('')
      const others = parts.map((part) => textOf(part.type)).filter((each) => each !== 'text')
      if (isError === true) for (const each of others) this.run.dropped(each)
      const failed = this.refused.has(textOf(id)) ? 'refused' : 'failed'
      const value = isError === true ? text : (whole ?? (others.length > 0 ? parts : text))
      drafts.push(...this.run.result(textOf(id), '', isError === true ? failed : 'succeeded', value))
    }
    return drafts
  }

  /** Ends the response that is read. */
  stop(reason = 'end_turn'): EventDraft[] {
    if (this.#isStreaming) return this.#endStream()
    if (!this.run.isReading) return []
    const drafts = this.run.push({ type: 'message_delta', delta: { stop_reason: reason } })
    return [...drafts, ...this.run.push({ type: 'message_stop' }), ...this.run.endResponse()]
  }

  #readResult(message: Fields): EventDraft[] {
    const { is_error: isError, stop_reason, result, permission_denials: denials } = message
    const drafts = this.stop(textOf(stop_reason) || 'end_turn')
    // The output of a command that needs no model, or of a program that prints its result alone.
    if (!this.#hasMessages && isError !== true && textOf(result) !== '') {
      const message = { id: 'result', content: [{ type: 'text', text: result }] }
      drafts.push(...this.#readMessage({ message }), ...this.stop())
    }
    this.#hasMessages = false
    if (objectsOf(denials).some(({ tool_use_id: id }) => !this.run.hasEnded(textOf(id))))
      this.run.dropped('permission_denials')
    this.#result = resultOf(message)
    return drafts
  }

  /** The end of the run: that of its last result. */
  end(): EventDraft[] {
    const drafts = this.stop()
    if (this.#result === undefined) return [...drafts, ...this.run.cutOff('the Claude Agent SDK')]
    return [...drafts, ...endWith(this.run, this.#result)]
  }
}
