/** The format of OpenAI Responses. */

import { openaiResponses, type ResponsesItem } from '../../providers/index.ts'
import { isFields } from '../../validation/predicates.ts'
import { type ModelFormat, modelFormat, providerIdOf, resultText } from './format.ts'

/** An item of the `input` of Responses. */
export type ResponsesParam =
  | { role: 'user' | 'assistant'; content: string }
  | ResponsesItem
  | { type: 'function_call_output'; call_id: string; output: string }
  | { type: 'custom_tool_call_output'; call_id: string; output: string }

const known = new Set(['message', 'function_call', 'custom_tool_call'])

/** OpenAI Responses. With `store: false`, ask for `include: ['reasoning.encrypted_content']`. */
export const responsesFormat: ModelFormat<ResponsesParam> = modelFormat<ResponsesParam>({
  name: 'openaiResponses',
  reader: openaiResponses,
  user: (content) => ({ role: 'user', content }),
  own: (content) => content as unknown as ResponsesItem[],
  foreign: (content, calls) => [
    ...(content === '' ? [] : [{ role: 'assistant' as const, content }]),
    ...calls.map(({ toolCallId: call_id, toolName: name, arguments: text }) => {
      return { type: 'function_call' as const, call_id, name, arguments: text || '{}' }
    }),
  ],
  results: (answers, content) =>
    answers.map(({ call, result }) => {
      const call_id = providerIdOf(call)
      const isCustom = content.some(
        (item) => isFields(item) && item.type === 'custom_tool_call' && item.call_id === call_id,
      )
      const type = isCustom ? 'custom_tool_call_output' : 'function_call_output'
      return { type, call_id, output: resultText(result) }
    }),
  providerOnly: ({ type }) => (known.has(String(type)) ? [] : [String(type)]),
})
