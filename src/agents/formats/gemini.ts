/** The format of Gemini, and of Vertex AI. */

import type { JsonValue } from '../../core/json-value.ts'
import { type GeminiContentPart, geminiContent } from '../../providers/index.ts'
import { argumentsOf, type ModelFormat, modelFormat, providerIdOf, resultText } from './format.ts'

/** One of the `contents` of a request of Gemini. */
export type GeminiParam = {
  role: 'user' | 'model'
  parts: (GeminiContentPart | { functionResponse: GeminiFunctionResponse })[]
}

/** The result of a tool, as Gemini has it. */
export type GeminiFunctionResponse = { id: string; name: string; response: Record<string, JsonValue> }

const known = new Set(['text', 'functionCall'])

/** Gemini: `generateContentStream`. */
export const geminiFormat: ModelFormat<GeminiParam> = modelFormat<GeminiParam>({
  name: 'geminiContent',
  reader: geminiContent,
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  own: (content) => [{ role: 'model', parts: content as unknown as GeminiContentPart[] }],
  foreign: (text, calls) => {
    const parts: GeminiContentPart[] = calls.map((call) => {
      return { functionCall: { id: call.toolCallId, name: call.toolName, args: argumentsOf(call) } }
    })
    return [{ role: 'model', parts: text === '' ? parts : [{ text }, ...parts] }]
  },
  results: (answers) => [
    {
      role: 'user',
      parts: answers.map(({ call, result }) => {
        const { toolName: name } = call
        const id = providerIdOf(call)
        const isPlain = result.success && result.arguments === undefined
        const outcome = isPlain ? (result.result ?? null) : resultText(result)
        return {
          functionResponse: { id, name, response: { [result.success ? 'output' : 'error']: outcome } },
        }
      }),
    },
  ],
  providerOnly: (part) => Object.keys(part).filter((name) => !known.has(name)),
})
