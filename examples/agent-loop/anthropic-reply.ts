/** What a response and its calls add to the messages of the next request. */
import type Anthropic from '@anthropic-ai/sdk'
import type { AnthropicContentBlock, ModelTurn } from 'turnstream/providers'
import type { Answer } from './run-calls.ts'

/** The response as the model wrote it, and the results of its calls. */
export function replyOf(
  turn: ModelTurn<AnthropicContentBlock>,
  answers: readonly Answer[],
): Anthropic.MessageParam[] {
  const { content } = turn
  const results = answers.map(({ call, text, isError: is_error }) => {
    return { type: 'tool_result' as const, tool_use_id: call.toolCallId, content: text, is_error }
  })
  return [
    // The API accepts no message without content.
    ...(content.length === 0 ? [] : [{ role: 'assistant' as const, content }]),
    ...(results.length === 0 ? [] : [{ role: 'user' as const, content: results }]),
  ]
}
