/** The format of Anthropic Messages. */

import { type AnthropicContentBlock, anthropicMessages } from '../../providers/index.ts'
import { argumentsOf, type ModelFormat, modelFormat, providerIdOf, resultText } from './format.ts'

/** A message of a request of Anthropic Messages. */
export type MessagesParam =
  | { role: 'user'; content: string | MessagesToolResult[] }
  | { role: 'assistant'; content: AnthropicContentBlock[] }

/** The result of a tool, as Anthropic Messages has it. */
export type MessagesToolResult = {
  type: 'tool_result'
  tool_use_id: string
  content: string
  is_error?: true
}

const known = new Set(['text', 'tool_use'])

/** Anthropic Messages. */
export const messagesFormat: ModelFormat<MessagesParam> = modelFormat<MessagesParam>({
  name: 'anthropicMessages',
  reader: anthropicMessages,
  user: (content) => ({ role: 'user', content }),
  own: (content) => [{ role: 'assistant', content: content as unknown as AnthropicContentBlock[] }],
  foreign: (text, calls) => {
    const blocks: AnthropicContentBlock[] = calls.map((call) => {
      return { type: 'tool_use', id: call.toolCallId, name: call.toolName, input: argumentsOf(call) }
    })
    // The API accepts no empty text.
    return [{ role: 'assistant', content: text === '' ? blocks : [{ type: 'text', text }, ...blocks] }]
  },
  results: (answers) => [
    {
      role: 'user',
      content: answers.map(({ call, result }) => ({
        ...{ type: 'tool_result', tool_use_id: providerIdOf(call), content: resultText(result) },
        ...(!result.success && { is_error: true }),
      })),
    },
  ],
  providerOnly: ({ type }) => (known.has(String(type)) ? [] : [String(type)]),
  pauseReason: 'pause_turn',
})
