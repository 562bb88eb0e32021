// Proves that a reader names what is no stream of its API, once.

import { type Diagnostic, pipe, run } from 'turnstream'
import { jsonDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { readers } from '../../examples/readers.ts'
import { readRecording, recordingOf } from '../../examples/recording.ts'
import { readStream } from '../support/providers/agent-loop.ts'

const names = Object.keys(readers)
const chunksOf = (name: string): readonly unknown[] =>
  [...run(jsonDecoder()).push(readRecording(recordingOf(name)))].map(({ value }) => value)

const reportsOf = (reader: string, inputs: readonly unknown[]): string[] =>
  readStream(readers[reader]?.({}) as never, inputs).diagnostics.map(({ message }) => message)

describe.each(names)('the reader of %s', (reader) => {
  it.each(names.filter((name) => name !== reader))('names a stream of %s', (other) => {
    const [report = '', ...more] = reportsOf(reader, chunksOf(other))
    expect(more).toEqual([])
    expect(report).toMatch(/^Expected a chunk of .+, got one of .+\.$/)
  })

  it('names bytes and text', () => {
    const bytes = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')
    const start = 'Dropped an invalid event. Expected an object, got '
    const hint = '; jsonDecoder reads a body.'
    expect(reportsOf(reader, [bytes, bytes])).toEqual([`${start}bytes${hint}`])
    expect(reportsOf(reader, [...'data: {}'])).toEqual([`${start}string${hint}`])
  })

  it('says that an empty stream ended early', () => {
    expect(readStream(readers[reader]?.({}) as never, []).codes).toEqual(['ended-early'])
  })
})

it('the decoder in front of a reader names a page of HTML', () => {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(pipe(jsonDecoder(), readers.openai?.({}) as never), {
    onDiagnostic: (one) => diagnostics.push(one),
  })
  push('<html><body>Bad Gateway</body></html>')
  end()
  expect(diagnostics.map(({ code }) => code)).toEqual(['no-message', 'ended-early'])
})
