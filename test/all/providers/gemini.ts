/** The SDK of Gemini yields chunks, and joins none. */
import { type Helper, installed, sse, sum, type Untyped } from './helper.ts'
import { partialArguments } from './partial-arguments.ts'

export const gemini: Helper = {
  name: '`streamGenerateContent`, `@google/genai`',
  bodyOf: sse,
  async read(url) {
    const { GoogleGenAI } = await installed('@google/genai')
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } })
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
