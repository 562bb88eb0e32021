/** The SDK of Gemini yields chunks, and events of an interaction, and joins none. */
import { type Helper, installed, sse, sum, type Untyped } from './helper.ts'
import { partialArguments } from './partial-arguments.ts'

export const gemini: Helper = {
  name: '`streamGenerateContent`, `@google/genai`',
  bodyOf: sse,
  async read(url) {
    const client = await clientOf(url)
    const chunks: Untyped[] = []
    for await (const chunk of await client.models.generateContentStream({ model: 'm', contents: 'Go.' })) {
      chunks.push(chunk)
    }
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
    const usage = chunks.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata
    return {
      chunks,
      answer: {
        text: parts.map(({ thought, text = '' }) => (thought ? '' : text)).join(''),
        thoughts: parts.map(({ thought, text }) => (thought ? text : '')).join(''),
        calls: partialArguments(parts.flatMap(({ functionCall }) => functionCall ?? [])),
        finishReason: chunks.findLast((chunk) => chunk.candidates?.[0]?.finishReason)?.candidates[0]
          .finishReason,
        inputTokens: sum(usage?.promptTokenCount, usage?.toolUsePromptTokenCount),
        outputTokens: sum(usage?.candidatesTokenCount, usage?.thoughtsTokenCount),
      },
    }
  },
}

export const interactions: Helper = {
  name: '`interactions.create`, `@google/genai`',
  bodyOf: sse,
  async read(url) {
    const client = await clientOf(url)
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

async function clientOf(baseUrl: string): Promise<Untyped> {
  const { GoogleGenAI } = await installed('@google/genai')
  return new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } })
}
