/** The SDK of Gemini yields the events of an interaction, and joins none. */
import { type Helper, installed, sse, sum, type Untyped } from './helper.ts'

export const interactions: Helper = {
  name: '`interactions.create`, `@google/genai`',
  bodyOf: sse,
  async read(url) {
    const { GoogleGenAI } = await installed('@google/genai')
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
    const chunks: Untyped[] = []
    const stream = await client.interactions.create({ model: 'm', input: 'Go.', stream: true })
    for await (const chunk of stream) chunks.push(chunk)
    const deltas = (type: string): Untyped[] =>
      chunks.flatMap(({ delta }) => (delta?.type === type ? [delta] : []))
    const end = chunks.findLast(({ interaction }) => interaction?.usage)?.interaction
    return {
      chunks,
      answer: {
        text: deltas('text')
          .map(({ text }) => text)
          .join(''),
        calls: [],
        finishReason: end?.status,
        inputTokens: sum(end?.usage?.total_input_tokens, end?.usage?.total_tool_use_tokens),
        outputTokens: sum(end?.usage?.total_output_tokens, end?.usage?.total_thought_tokens),
      },
    }
  },
}
