/** `finalChatCompletion` and `finalResponse` of the SDK of OpenAI. */
import OpenAI from 'openai'
import { type Helper, parsed, sse, type Untyped } from './helper.ts'

export const openai: Helper = {
  name: 'Chat Completions, `openai`',
  bodyOf: sse,
  async read(url) {
    const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 })
    const stream = client.chat.completions.stream({ model: 'm', messages: [] })
    const { choices, usage } = await stream.finalChatCompletion()
    const { message, finish_reason: finishReason } = choices[0] as (typeof choices)[0]
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }: Untyped) => {
      return [id, name, parsed(json)] as const
    })
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage ?? {}
    return { answer: { text: message.content ?? '', calls, finishReason, inputTokens, outputTokens } }
  },
}

export const responses: Helper = {
  name: 'Responses, `openai`',
  bodyOf: sse,
  async read(url) {
    const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 })
    const final: Untyped = await client.responses.stream({ model: 'm', input: [] }).finalResponse()
    const itemsOf = (type: RegExp): Untyped[] => final.output.filter((item: Untyped) => type.test(item.type))
    const reasoning = itemsOf(/^reasoning$/).map(({ summary, content }) => [...summary, ...(content ?? [])])
    const calls = itemsOf(/^(function|custom_tool)_call$/).map((item) => {
      const args = item.type === 'custom_tool_call' ? { input: item.input } : parsed(item.arguments)
      return [item.call_id, item.name, args] as const
    })
    return {
      answer: {
        text: itemsOf(/^message$/)
          .flatMap(({ content }) => content)
          .map(({ text, refusal }: Untyped) => text ?? refusal)
          .join(''),
        thoughts: reasoning.map((parts) => parts.map(({ text }) => text).join('\n\n')).join(''),
        signatures: itemsOf(/^reasoning$/).flatMap(({ encrypted_content: one }) => one ?? []),
        calls,
        finishReason: final.incomplete_details?.reason ?? (final.status || undefined),
        inputTokens: final.usage?.input_tokens,
        outputTokens: final.usage?.output_tokens,
      },
    }
  },
}
