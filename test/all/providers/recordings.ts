/** Recorded streams of models: one a file, as lines of JSON, as server-sent events, or as the event stream of Bedrock. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'turnstream'
import { awsEventDecoder } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'
import { type Reader, readers } from '../../../examples/readers.ts'
import { readRecording } from '../../../examples/recording.ts'
import { isFields } from '../../../src/validation/predicates.ts'

export interface Recording {
  /** Its path in the folder. */
  readonly name: string
  /** The name of its reader in `readers`. */
  readonly provider: string
  readonly chunks: readonly unknown[]
}

/** All recordings in a folder. Files that no reader is for are left out. */
export function recordingsIn(folder: string): Recording[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(txt|jsonl|ndjson|sse|eventstream)$/.test(name))
    .sort()
    .flatMap((name) => {
      const chunks = chunksOf(join(folder, name))
      const provider = providerOf(JSON.stringify(chunks.slice(0, 4)))
      return provider === undefined ? [] : [{ name, provider, chunks }]
    })
}

/** A new reader of a recording. */
export function readerFor({ provider }: Recording): Reader {
  return (readers[provider] as (typeof readers)[string])({})
}

/** What only the stream of a provider has, in its first chunks. */
const marks: readonly (readonly [provider: string, mark: RegExp])[] = [
  ['interactions', /"event_type":/],
  ['cohere', /"type":"message-start"/],
  ['bedrock', /"(messageStart|contentBlock(Start|Delta))":/],
  ['responses', /"type":"(response\.|error","sequence_number)/],
  ['anthropic', /"type":"(message_start|ping)"/],
  // Gateways add the members of others to a chunk.
  ['openai', /"choices":/],
  ['ollama', /"message":.*"done":/],
  ['gemini', /"(candidates|usageMetadata)":/],
]

function providerOf(start: string): string | undefined {
  return marks.find(([, mark]) => mark.test(start))?.[0]
}

function chunksOf(path: string): unknown[] {
  const bytes = readFileSync(path)
  if (path.endsWith('.eventstream')) return [...run(awsEventDecoder()).push(bytes)]
  const decoder = run(jsonDecoder())
  const body = bytes.toString('utf8', 0, 1) === '{' ? readRecording(path) : bytes
  return [...decoder.push(body), ...decoder.end()].map(({ value }) => value).filter(isFields)
}
