/** The messages of a snapshot, to be compared with those of the run: each text, thought, call and result by itself. */

import { markOf, type TextMark } from '../../../encoding/text-mark.ts'
import type { AgUiMessage } from '../wire/types/index.ts'

type AssistantMessage = Extract<AgUiMessage, { role: 'assistant' }>

/** What a message lists. */
export interface Listed {
  /** Its type and id, as messages of the run have them. */
  readonly key: string
  /** Its text, or the arguments of the call; `undefined` if it is no text. */
  readonly text: string | undefined
  readonly message: AgUiMessage
  /** The call, if it is one. */
  readonly call?: NonNullable<AssistantMessage['toolCalls']>[number]
  /** Whether it was there before the run. */
  readonly isEarlier: boolean
}

/** A snapshot, to look messages up in. */
export interface Snapshot {
  readonly listed: readonly Listed[]
  readonly byKey: ReadonlyMap<string, Listed>
  /** The texts of the assistant, by length and hash. */
  readonly texts: ReadonlySet<string>
  readonly hasReasoning: boolean
}

/**
 * Reads a snapshot. The run begins after the last message of the user, and after those of its request.
 *
 * @param requested - The ids of the messages that the request of the run has.
 */
export function snapshotOf(messages: readonly AgUiMessage[], requested: ReadonlySet<string>): Snapshot {
  const start = messages.findLastIndex(({ role, id }) => role === 'user' || requested.has(id))
  const listed = messages.flatMap((message, i) =>
    partsOf(message).map((part) => ({ ...part, message, isEarlier: i <= start })),
  )
  const texts = listed.flatMap(({ key, text }) => (key.startsWith('text ') ? (text ?? []) : []))
  return {
    listed,
    byKey: new Map(listed.map((each) => [each.key, each])),
    texts: new Set(texts.map((text) => nameOf(markOf(text)))),
    hasReasoning: messages.some(({ role }) => role === 'reasoning'),
  }
}

function partsOf(message: AgUiMessage): Pick<Listed, 'key' | 'text' | 'call'>[] {
  const { role, id } = message
  if (role === 'reasoning') return [{ key: `thought ${id}`, text: message.content }]
  if (role === 'tool') return [{ key: `result ${message.toolCallId}`, text: textOf(message.content) }]
  if (role !== 'assistant') return [{ key: `${role} ${id}`, text: undefined }]
  const { content = '', toolCalls = [] } = message
  const text = content === '' && toolCalls.length > 0 ? [] : [{ key: `text ${id}`, text: content }]
  const calls = toolCalls.map((call) => ({ key: `call ${call.id}`, text: call.function.arguments, call }))
  return [...text, ...calls]
}

function textOf(content: unknown): string | undefined {
  return typeof content === 'string' ? content : undefined
}

/** A name that equal texts have. */
export function nameOf({ length, hash }: TextMark): string {
  return `${length} ${hash}`
}
