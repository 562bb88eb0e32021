/** The updates of an ACP session, as drafts. */

import type { Diagnostic } from '../core/machine.ts'
import { MAX_TEXT } from '../dialects/shared/limits.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { isBase64 } from '../encoding/base64.ts'
import type { NeedsApproval } from '../events/approval.ts'
import type { Fields } from '../validation/predicates.ts'
import { fieldsOf, textIn, textOf } from '../validation/read-fields.ts'
import { AcpCalls } from './calls.ts'
import { isStateUpdate, SessionState } from './session-state.ts'

/** Reads `session/update` notifications. Each function returns drafts. */
export class AcpUpdates {
  readonly calls: AcpCalls
  readonly session: SessionState = new SessionState()
  readonly #report: (diagnostic: Diagnostic) => void
  #text = ''
  #thought = ''
  #messages = 0
  #files = 0
  /** The id that the agent gives the open text or thought; empty if it gives none. */
  #messageId = ''

  constructor(report: (diagnostic: Diagnostic) => void, needsApproval: NeedsApproval | undefined) {
    this.calls = new AcpCalls(report, needsApproval)
    this.#report = report
  }

  /** Reads the `update` of a notification. */
  read(update: Fields): EventDraft[] {
    const type = textOf(update.sessionUpdate)
    if (type === 'agent_message_chunk') return this.#readChunk('content', update)
    if (type === 'agent_thought_chunk') return this.#readChunk('thought', update)
    if (type === 'tool_call' || type === 'tool_call_update')
      return [...this.close(), ...this.calls.read(update)]
    if (isStateUpdate(type)) return [this.session.read(type, update)]
    if (type !== 'user_message_chunk') this.#drop(type)
    return []
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

  /** Ends what is open. */
  end(): EventDraft[] {
    return [...this.close(), ...this.calls.end()]
  }

  /** Reads a piece of a message: more of its text, or a file. */
  #readChunk(of: 'content' | 'thought', update: Fields): EventDraft[] {
    const content = fieldsOf(update.content)
    const messageId = textIn(update, 'messageId') ?? ''
    const drafts = messageId === this.#messageId ? [] : this.close()
    this.#messageId = messageId
    if (content.type === 'text') return [...drafts, ...this.#grow(of, textOf(content.text))]
    if (content.type === 'resource_link') return [...drafts, ...this.#grow(of, textOf(content.uri))]
    const file = fileOf(content, `file-${this.#files}`)
    if (file === undefined) this.#drop(`content:${textOf(content.type)}`)
    else this.#files++
    return file === undefined ? drafts : [...drafts, ...this.close(), file]
  }

  #grow(of: 'content' | 'thought', piece: string): EventDraft[] {
    if (piece === '') return []
    const isOther = of === 'content' ? this.#thought !== '' : this.#text !== ''
    const isLong = this.#text.length + this.#thought.length + piece.length > MAX_TEXT
    const drafts = isOther || isLong ? this.close() : []
    if (of === 'thought') {
      this.#thought += piece
      return drafts
    }
    this.#text += piece
    return [...drafts, { kind: 'content-delta', contentId: `message-${this.#messages}`, delta: piece }]
  }

  #drop(type: string): void {
    const what = type.slice(0, 64)
    this.#report({ code: `dropped:${what}`, message: `Events have no equivalent of ${what}.` })
  }
}

/** The file that a block is: an image, a sound or a resource; `undefined` for other types and for broken data. */
function fileOf(block: Fields, artifactId: string): EventDraft | undefined {
  const { blob, text, mimeType, uri } = block.type === 'resource' ? fieldsOf(block.resource) : partOf(block)
  const file = { kind: 'file-write', artifactId, complete: true, ...labels(mimeType, uri) } as const
  if (typeof text === 'string') return { ...file, data: text, encoding: 'utf-8' }
  return typeof blob === 'string' && isBase64(blob) ? { ...file, data: blob, encoding: 'base64' } : undefined
}

function partOf({ type, data, mimeType, uri }: Fields): Fields {
  return type === 'image' || type === 'audio' ? { blob: data, mimeType, uri } : {}
}

function labels(mimeType: unknown, uri: unknown): { mimeType?: string; name?: string } {
  const [type, name] = [textIn({ mimeType }, 'mimeType'), textIn({ uri }, 'uri')]
  return { ...(type !== undefined && { mimeType: type }), ...(name !== undefined && { name }) }
}
