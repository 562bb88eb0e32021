/** What the transport of `useChat` posts, and what is read of it. */

import type { Fields } from '../../../validation/predicates.ts'
import { objectsIn, textIn, textOf } from '../../../validation/read-fields.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'

/** What the transport of `useChat` posts: the conversation, which ends with a new message of the user, or with answers. */
export interface ChatRequest {
  /** The chat. */
  readonly id?: string
  /** Messages as `UIMessage` of the AI SDK, whatever its version. */
  readonly messages: readonly {
    readonly id?: string
    readonly role: string
    readonly parts: readonly object[]
  }[]
  /** `submit-message` or `regenerate-message`, and which message. */
  readonly trigger?: string
  readonly messageId?: string
  /** The tools that the page runs, by name, as the transport of assistant-ui sends them. Omitted: they are not known. */
  readonly tools?: object
}

/** What is read of messages, which any version of the SDK may have written. */
export const messagesShape: Shape = [
  'list',
  [
    'fields',
    { id: ['maybe', 'text'], role: 'text', parts: ['maybe', ['list', ['fields', { type: 'text' }]]] },
  ],
]

/** What is read of a message of the user. */
export const inputShape: ShapeFields = { parts: ['list', ['fields', { text: ['maybe', 'text'] }]] }

/** The text of a message, or its parts if it has others. */
export function inputOf(message: Fields): unknown {
  const parts = objectsIn(message, 'parts')
  const isText =
    parts.length > 0 && parts.every((part) => part.type === 'text' && typeof part.text === 'string')
  return isText ? parts.map(({ text }) => text as string).join('') : (message.parts ?? null)
}

/** The tool of a part of a message. */
export function toolNameOf(part: Fields): string | undefined {
  return part.type === 'dynamic-tool' ? textIn(part, 'toolName') : textOf(part.type).slice('tool-'.length)
}
