// Proves that nothing changes unseen in what is read of model streams, recorded and drawn, with and without faults.
import fc from 'fast-check'
import { run } from 'turnstream'
import { jsonDecoder } from 'turnstream/sse'
import { it } from 'vitest'
import { readers } from '../../examples/readers.ts'
import { readRecording, recordingOf } from '../../examples/recording.ts'
import { baselineOf, drawn } from '../support/baseline.ts'
import { readStream } from '../support/providers/agent-loop.ts'
import { anthropicChunk } from '../support/providers/anthropic-chunks.ts'
import { bedrockChunk } from '../support/providers/bedrock-chunks.ts'
import { chatChunk, responsesChunk } from '../support/providers/chunks.ts'
import { cohereChunk } from '../support/providers/cohere-chunks.ts'
import { geminiChunk } from '../support/providers/gemini-chunks.ts'
import { interactionsChunk } from '../support/providers/interactions-chunks.ts'
import { mutationsOf } from '../support/providers/mutations.ts'
import { ollamaChunk } from '../support/providers/ollama-chunks.ts'

const chunks: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...{ anthropic: anthropicChunk, bedrock: bedrockChunk, cohere: cohereChunk, gemini: geminiChunk },
  ...{ interactions: interactionsChunk, ollama: ollamaChunk, openai: chatChunk, responses: responsesChunk },
}
const expectBaseline = baselineOf('providers')
let ids = 0
const options = [{}, { calls: 'start' }, { model: 'm', newId: () => `new-${ids++}` }] as const

it.each(Object.entries(readers))('%s', async (name, create) => {
  const recorded = [...run(jsonDecoder()).push(readRecording(recordingOf(name)))].map(({ value }) => value)
  const any = fc.array(chunks[name] as fc.Arbitrary<unknown>, { minLength: 1, maxLength: 16, size: 'max' })
  const cases = drawn(fc.tuple(fc.oneof(any, any, mutationsOf(recorded)), fc.nat(2)), 200)
  await expectBaseline(name, cases, ([stream, which]) => {
    ids = 0
    const { drafts, diagnostics, turn } = readStream(create(options[which] as object), stream)
    return [drafts, diagnostics, turn]
  })
})
