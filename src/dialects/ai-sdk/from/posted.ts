/** The request that was posted to the server, which responses do not repeat. */

import type { JsonValue } from '../../../core/json-value.ts'
import { mismatch } from '../../../core/require.ts'
import { cleanJson } from '../../../json/sanitize.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { issuesOf } from '../../../validation/read.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'
import type { Shape } from '../../../validation/shape.ts'
import { inputOf, messagesShape } from '../wire/chat-request.ts'

/** What is known of a request. */
export interface Posted {
  readonly chatId: string | undefined
  /** The last message of the user. */
  readonly prompt: JsonValue | undefined
  /** Whether the response continues the last message, and the id of that. */
  readonly isContinued: boolean
  readonly messageId: string | undefined
  /** The calls in the last step of that message, which is the one that is answered. */
  readonly calls: readonly (readonly [toolCallId: string, part: Fields])[]
  /** The names of the tools of the page. `undefined`: not known. */
  readonly tools: ReadonlySet<string> | undefined
}

const requestShape: Shape = [
  'fields',
  { id: ['maybe', 'text'], messages: messagesShape, tools: ['maybe', ['fields', {}]] },
]

/**
 * Reads a request.
 *
 * @throws TypeError if it has no messages.
 */
export function postedIn(request: unknown): Posted {
  if (issuesOf(requestShape, request).length > 0)
    throw mismatch('request', 'what useChat posts, an object with messages', request)
  const messages = objectsIn(request, 'messages')
  const asked = messages.findLast(({ role }) => role === 'user')
  const last = messages.at(-1)
  const isContinued = last?.role === 'assistant'
  const parts = isContinued ? objectsIn(last, 'parts') : []
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
  const { tools } = request as Fields
  return {
    chatId: textIn(request, 'id'),
    prompt: asked === undefined ? undefined : cleanJson(inputOf(asked)),
    isContinued,
    messageId: isContinued ? textIn(last, 'id') : undefined,
    calls: step.flatMap((part) => {
      const id = textIn(part, 'toolCallId')
      return id === undefined ? [] : [[id, part] as const]
    }),
    tools: isFields(tools) ? new Set(Object.keys(tools)) : undefined,
  }
}
