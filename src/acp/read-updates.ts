/** The updates of an ACP session, as drafts. */

import type { Diagnostic } from '../core/machine.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { cleanJson } from '../json/sanitize.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf, textOf } from '../validation/read-fields.ts'

const contentText = (content: unknown): string => {
  const { type, text, uri } = fieldsOf(content)
  return type === 'text' ? textOf(text) : textOf(uri)
}

/** A call of a tool. */
interface Call {
  readonly toolName: string
  readonly fields: Fields
  readonly isStarted: boolean
}

/** Reads `session/update` notifications. Each function returns drafts. */
export class AcpUpdates {
  readonly #report: (diagnostic: Diagnostic) => void
  readonly #calls = new Map<string, Call>()
  readonly #done = new Set<string>()
  #text = ''
  #thought = ''
  #messages = 0

  constructor(report: (diagnostic: Diagnostic) => void) {
    this.#report = report
  }

  /** Reads the `update` of a notification. */
  read(update: Fields): EventDraft[] {
    const type = textOf(update.sessionUpdate)
    const piece = contentText(update.content)
    if (type === 'agent_message_chunk') return this.#grow('content', piece)
    if (type === 'agent_thought_chunk') return this.#grow('thought', piece)
    if (type === 'tool_call' || type === 'tool_call_update')
      return [...this.close(), ...this.#readCall(update)]
    if (type === 'plan') {
      const items = cleanJson(update.entries) ?? []
      return [{ kind: 'data-write', artifactId: 'plan', name: 'plan', data: { items } }]
    }
    if (type !== 'user_message_chunk') this.#drop(type)
    return []
  }

  /** The call that a permission is asked for. */
  callOf(update: Fields): { toolCallId: string; toolName: string; arguments: string } {
    const toolCallId = textOf(update.toolCallId)
    const { toolName, fields } = this.#merged(toolCallId, update)
    return { toolCallId, toolName, arguments: JSON.stringify(argumentsOf(fields)) }
  }

  /** Starts a call that was approved. */
  start(toolCallId: string): EventDraft[] {
    const call = this.#calls.get(toolCallId)
    if (call === undefined || call.isStarted || this.#done.has(toolCallId)) return []
    this.#calls.set(toolCallId, { ...call, isStarted: true })
    return [{ kind: 'tool-start', toolCallId, toolName: call.toolName, arguments: argumentsOf(call.fields) }]
  }

  /** Completes the open text and thought. */
  close(): EventDraft[] {
    const drafts: EventDraft[] = []
    if (this.#thought !== '') {
      drafts.push({
        kind: 'thought-stream',
        thoughtType: 'reasoning',
        verbosity: 'normal',
        content: this.#thought,
      })
    }
    if (this.#text !== '') {
      drafts.push({ kind: 'content-complete', contentId: `message-${this.#messages++}`, content: this.#text })
    }
    this.#thought = this.#text = ''
    return drafts
  }

  /** Ends what is open: calls without a result fail. */
  end(): EventDraft[] {
    const drafts = this.close()
    for (const [toolCallId, { toolName, isStarted }] of this.#calls) {
      const error = 'The session ended without a result.'
      if (isStarted) drafts.push({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
    }
    this.#calls.clear()
    return drafts
  }

  #grow(of: 'content' | 'thought', piece: string): EventDraft[] {
    if (piece === '') return []
    const isOther = of === 'content' ? this.#thought !== '' : this.#text !== ''
    const drafts = isOther ? this.close() : []
    if (of === 'thought') {
      this.#thought += piece
      return drafts
    }
    this.#text += piece
    return [...drafts, { kind: 'content-delta', contentId: `message-${this.#messages}`, delta: piece }]
  }

  #merged(toolCallId: string, update: Fields): Call {
    const known = this.#calls.get(toolCallId)
    const stated = Object.fromEntries(Object.entries(update).filter(([, value]) => value != null))
    const fields = { ...known?.fields, ...stated }
    const toolName =
      known?.toolName ?? (textOf(fields.name) || textOf(fields.title) || textOf(fields.kind) || 'tool')
    const call = { toolName, fields, isStarted: known?.isStarted ?? false }
    this.#calls.set(toolCallId, call)
    return call
  }

  #readCall(update: Fields): EventDraft[] {
    const toolCallId = textOf(update.toolCallId)
    if (toolCallId === '' || this.#done.has(toolCallId)) {
      this.#drop('tool_call')
      return []
    }
    const { toolName, fields } = this.#merged(toolCallId, update)
    const { status } = fields
    // A call that is pending may wait for a permission.
    if (status === 'pending' || status === undefined) return []
    const drafts = this.start(toolCallId)
    if (status !== 'completed' && status !== 'failed') return drafts
    this.#calls.delete(toolCallId)
    this.#done.add(toolCallId)
    const result = cleanJson(fields.rawOutput ?? fields.content) ?? null
    const failure = typeof result === 'string' ? result : JSON.stringify(result)
    drafts.push(
      status === 'completed'
        ? { kind: 'tool-complete', toolCallId, toolName, success: true, result }
        : { kind: 'tool-complete', toolCallId, toolName, success: false, error: failure },
    )
    return drafts
  }

  #drop(type: string): void {
    const what = type.slice(0, 64)
    this.#report({ code: `dropped:${what}`, message: `Events have no equivalent of ${what}.` })
  }
}

function argumentsOf({ rawInput }: Fields): Record<string, never> {
  return (isFields(rawInput) ? (cleanJson(rawInput) ?? {}) : {}) as Record<string, never>
}
