/** The readers of model streams by the names of the demo. */
import type { EventDraft, Machine } from 'turnstream'
import {
  anthropicMessages,
  bedrockConverse,
  cohereChat,
  geminiContent,
  geminiInteractions,
  type ModelEnd,
  type ModelMachineState,
  ollamaChat,
  openaiChat,
  openaiResponses,
} from 'turnstream/providers'

/** Reads the stream of a model: parsed chunks, or the messages of `jsonDecoder`. */
export type Reader = Machine<ModelMachineState, unknown, EventDraft, ModelEnd>

/** What each of them takes. */
type ReaderOptions = NonNullable<Parameters<typeof anthropicMessages>[0]>

/** By provider; `openai` is Chat Completions. Each has a recording in `recordings`. */
export const readers: Readonly<Record<string, (options: ReaderOptions) => Reader>> = {
  anthropic: anthropicMessages,
  bedrock: bedrockConverse,
  cohere: cohereChat,
  gemini: geminiContent,
  interactions: geminiInteractions,
  ollama: ollamaChat,
  openai: openaiChat,
  responses: openaiResponses,
}

/** Creates the reader of a provider. */
export function readerOf(provider: string, options: ReaderOptions): Reader {
  const create = readers[provider]
  if (create === undefined) {
    throw new Error(`Expected one of ${Object.keys(readers).join(', ')}, got ${provider}.`)
  }
  return create(options)
}
