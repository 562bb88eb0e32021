/** A completion that is not streamed: all chunks in one. */

import type { Problem } from '../../../server/protocol/begin-task.ts'
import type {
  ChatCompletionError,
  ChatCompletionEvent,
  ChatCompletionUsage,
  ChatFinishReason,
} from '../wire/chunk.ts'

/** A completion. */
export interface ChatCompletion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: [{ index: 0; message: ChatCompletionMessage; logprobs: null; finish_reason: ChatFinishReason }]
  usage?: ChatCompletionUsage
}

interface ChatCompletionMessage {
  role: 'assistant'
  content: string | null
  refusal: null
  reasoning_content?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

/** The completion that chunks add up to, or the error that they end with. */
export async function completionOf(
  chunks: AsyncIterable<ChatCompletionEvent>,
): Promise<ChatCompletion | ChatCompletionError> {
  const message: ChatCompletionMessage = { role: 'assistant', content: null, refusal: null }
  let completion: ChatCompletion = {
    ...{ id: '', object: 'chat.completion', created: 0, model: '' },
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
  }
  const calls = new Map<number, { id: string; name: string; arguments: string }>()
  for await (const chunk of chunks) {
    if ('error' in chunk) return chunk
    const { id, created, model, usage } = chunk
    completion = { ...completion, id, created, model, ...(usage !== undefined && { usage }) }
    for (const { delta, finish_reason } of chunk.choices) {
      const { content, reasoning_content: reasoning, tool_calls = [] } = delta
      if (content !== undefined) message.content = (message.content ?? '') + content
      if (reasoning !== undefined) message.reasoning_content = (message.reasoning_content ?? '') + reasoning
      for (const { index, id: callId, function: piece } of tool_calls) {
        const call = calls.get(index) ?? { id: callId ?? '', name: piece.name ?? '', arguments: '' }
        calls.set(index, { ...call, arguments: call.arguments + piece.arguments })
      }
      if (finish_reason !== null) completion.choices[0].finish_reason = finish_reason
    }
  }
  if (calls.size > 0)
    message.tool_calls = [...calls.values()].map(({ id, ...called }) => ({
      id,
      type: 'function',
      function: called,
    }))
  return completion
}

/** The error of a request that is refused. */
export function errorOf({ status, code, message }: Problem): ChatCompletionError {
  const type = status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return { error: { message, type, code, param: null } }
}

/** The status of a response with the error of a task. */
export function statusOf(code: string): number {
  if (code === 'rate_limited') return 429
  return code === 'timeout' ? 504 : 500
}
