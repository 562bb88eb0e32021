/** The readers of all providers: how each is created, its recorded stream, and chunks of any kind. */
import type fc from 'fast-check'
import { run } from 'turnstream'
import { jsonDecoder } from 'turnstream/sse'
import { readers } from '../../../examples/readers.ts'
import { readRecording, recordingOf } from '../../../examples/recording.ts'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import type { Provider } from './agent-loop.ts'
import { anthropicChunk } from './anthropic-chunks.ts'
import { bedrockChunk } from './bedrock-chunks.ts'
import { chatChunk, responsesChunk } from './chunks.ts'
import { cohereChunk } from './cohere-chunks.ts'
import { geminiChunk } from './gemini-chunks.ts'
import { interactionsChunk } from './interactions-chunks.ts'
import { ollamaChunk } from './ollama-chunks.ts'

type Create = (options?: ModelOptions) => Provider

const chunks: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...{ anthropic: anthropicChunk, bedrock: bedrockChunk, cohere: cohereChunk, gemini: geminiChunk },
  ...{ interactions: interactionsChunk, ollama: ollamaChunk, openai: chatChunk, responses: responsesChunk },
}

/** By the names of their recordings. */
export const allReaders: [name: string, create: Create, chunk: fc.Arbitrary<unknown>][] = Object.entries(
  readers,
).map(([name, create]) => [name, create as Create, chunks[name] as fc.Arbitrary<unknown>])

/** Creates the reader of a provider. */
export function createReader(name: string, options?: ModelOptions): Provider {
  return (readers[name] as Create)(options)
}

/** The chunks of a recording. */
export function recordedChunks(name: string): unknown[] {
  return [...run(jsonDecoder()).push(readRecording(recordingOf(name)))].map(({ value }) => value)
}
