/** What a response and its calls add to the messages of the next request. */
import type Anthropic from '@anthropic-ai/sdk'
import type { ModelTurn } from 'agentwire/providers'
import type { Answer } from './run-calls.ts'

/** The response with the signatures of its thoughts, and the results of its calls. */
export function replyOf(turn: ModelTurn, answers: readonly Answer[]): Anthropic.MessageParam[] {
  const results = answers.map(({ call, text, isError: is_error }) => {
    return { type: 'tool_result' as const, tool_use_id: call.toolCallId, content: text, is_error }
  })
  const blocks = blocksOf(turn)
  return [
    // The API accepts no message without content.
    ...(blocks.length === 0 ? [] : [{ role: 'assistant' as const, content: blocks }]),
    ...(results.length === 0 ? [] : [{ role: 'user' as const, content: results }]),
  ]
}

function blocksOf({ thoughts, text, calls }: ModelTurn): Anthropic.ContentBlockParam[] {
  return [
    ...thoughts.map(({ text, signature = '', redacted }) => {
      if (redacted) return { type: 'redacted_thinking' as const, data: signature }
      return { type: 'thinking' as const, thinking: text, signature }
    }),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ toolCallId: id, toolName: name, arguments: input = {} }) => {
      return { type: 'tool_use' as const, id, name, input }
    }),
  ]
}
