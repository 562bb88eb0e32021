/** `finalMessage` of the SDK of Anthropic. */
import Anthropic from '@anthropic-ai/sdk'
import { type Helper, sse, sum, type Untyped } from './helper.ts'

export const anthropic: Helper = {
  name: 'Messages, `@anthropic-ai/sdk`',
  bodyOf: sse,
  async read(url) {
    const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 })
    const stream = client.beta.messages.stream({ model: 'm', max_tokens: 1, messages: [] })
    const { content, stop_reason, usage }: Untyped = await stream.finalMessage()
    const blocksOf = (type: RegExp): Untyped[] => content.filter((block: Untyped) => type.test(block.type))
    return {
      answer: {
        text: blocksOf(/^text$/)
          .map(({ text }) => text)
          .join(''),
        thoughts: blocksOf(/^thinking$/)
          .map(({ thinking }) => thinking)
          .join(''),
        signatures: blocksOf(/thinking$/).map(({ signature, data }) => signature ?? data),
        calls: blocksOf(/^tool_use$/).map(({ id, name, input }) => [id, name, input]),
        finishReason: stop_reason,
        inputTokens: sum(
          usage.input_tokens,
          usage.cache_read_input_tokens,
          usage.cache_creation_input_tokens,
        ),
        outputTokens: usage.output_tokens,
      },
    }
  },
}
