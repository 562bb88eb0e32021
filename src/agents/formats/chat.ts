/** The format of OpenAI Chat Completions, and of the servers that speak it. */

import { type ChatMessage, openaiChat } from '../../providers/index.ts'
import { type ModelFormat, modelFormat, providerIdOf, resultText } from './format.ts'

/** A message of a request of Chat Completions. */
export type ChatParam =
  | { role: 'user'; content: string }
  | ChatMessage
  | { role: 'tool'; tool_call_id: string; content: string }

/** What every server reads in the message of an assistant. */
const known = new Set(['role', 'content', 'tool_calls'])

/**
 * OpenAI Chat Completions. For models that write thoughts between tags, replace its reader:
 * `{ ...chatFormat, reader: (options) => openaiChat({ ...options, thoughts }) }`.
 */
export const chatFormat: ModelFormat<ChatParam> = modelFormat<ChatParam>({
  name: 'openaiChat',
  reader: openaiChat,
  user: (content) => ({ role: 'user', content }),
  own: (content) => content as unknown as ChatMessage[],
  foreign: (content, calls) => {
    const tool_calls = calls.map(({ toolCallId: id, toolName: name, arguments: text }) => ({
      ...{ id, type: 'function' as const },
      function: { name, arguments: text || '{}' },
    }))
    return [{ role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) }]
  },
  results: (answers) =>
    answers.map(({ call, result }) => {
      return { role: 'tool', tool_call_id: providerIdOf(call), content: resultText(result) }
    }),
  providerOnly(block) {
    const calls = Array.isArray(block.tool_calls) ? block.tool_calls : []
    const isSigned = calls.some((call) => 'extra_content' in Object(call))
    return [...Object.keys(block).filter((name) => !known.has(name)), ...(isSigned ? ['extra_content'] : [])]
  },
})
