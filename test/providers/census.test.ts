// Proves that every leaf of every recording reaches a draft, the turn or a diagnostic, or is in the list of docs/reference/providers.md.

import { readdirSync, readFileSync } from 'node:fs'
import { run } from 'turnstream'
import { awsEventDecoder } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { readers } from '../../examples/readers.ts'
import { readRecording, recordingOf } from '../../examples/recording.ts'
import type { Provider } from '../support/providers/agent-loop.ts'
import { lostLeaves, readerNames } from '../support/providers/census.ts'
import { leftOut } from '../support/providers/left-out.ts'

const folder = 'test/fixtures/recordings/'
/** Recordings of providers beside those that the readers are known by. */
const others: readonly (readonly [reader: string, file: string])[] = [
  ['openai', 'openai-chat.sse'],
  ['responses', 'openai-responses.jsonl'],
  ['anthropic', 'anthropic.sse'],
  ['gemini', 'gemini.sse'],
  ['interactions', 'gemini-interactions.jsonl'],
  ['bedrock', 'bedrock.jsonl'],
  ['bedrock', 'bedrock.eventstream'],
  ['cohere', 'cohere.sse'],
]
const dialects = readdirSync('test/fixtures/leaves').map(
  (file) => [file.split('.')[0] ?? '', `../leaves/${file}`] as const,
)

const valuesOf = (bytes: Uint8Array): readonly unknown[] => {
  if (bytes[0] === 0) return run(awsEventDecoder()).push(bytes)
  const { push, end } = run(jsonDecoder())
  return [...push(bytes), ...end()].map((message) => (message.event === 'error' ? message : message.value))
}

const create = (reader: string) => (): Provider => readers[reader]?.({ newId: () => 'r' }) as Provider

describe.each(Object.keys(readers))('of %s', (reader) => {
  it('no leaf of its recording is lost', () => {
    expect(lostOf(reader, readRecording(recordingOf(reader)))).toEqual([])
  })
  const own = [...others, ...dialects].filter(([name]) => name === reader)
  it.each(own)('no leaf of %s in %s is lost', (_, file) => {
    expect(lostOf(reader, readFileSync(folder + file))).toEqual([])
  })
})

it('has a list for every reader, and one for all', () => {
  expect(Object.keys(leftOut).sort()).toEqual([...Object.values(readerNames), 'all'].sort())
})

function lostOf(reader: string, bytes: Uint8Array): string[] {
  return lostLeaves(reader, create(reader), valuesOf(bytes))
}
