// Proves that no reader loses a field of another type in silence, wherever in a stream it is.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelOptions } from '../../src/providers/shared/options.ts'
import { type Provider, type ReadStream, readStream } from '../support/providers/agent-loop.ts'
import { pathsOf, withValue } from '../support/providers/mutations.ts'
import { allReaders, createReader, recordedChunks } from '../support/providers/readers.ts'
import { runs } from '../support/runs.ts'

type Path = readonly string[]

/** What is looked for in the output. */
const MARK = 424_242

/** Values of all types that state something. */
const replacements: readonly unknown[] = [String(MARK), MARK, { mark: MARK }, [MARK]]

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], value)

/** The path without positions in arrays: something is reported once for all of them. */
const fieldOf = (path: Path): string => path.filter((name) => !/^\d+$/.test(name)).join('/')

const textOfDrafts = ({ drafts }: ReadStream): string => JSON.stringify(drafts)

/** Whether a diagnostic has the value, or names the field: by its path, or in its text. */
function isNamed({ diagnostics }: ReadStream, path: Path): boolean {
  const name = path.findLast((step) => !/^\d+$/.test(step)) ?? ''
  if (JSON.stringify(diagnostics).includes(String(MARK))) return true
  return diagnostics.some(
    ({ code, message, path: at }) =>
      (at !== undefined && fieldOf(at.split('/').slice(1)) === fieldOf(path)) ||
      (code === 'dropped:usage' && message.includes(`as ${name},`)) ||
      (code === 'unknown-type' && at === '' && /type$|^object$/.test(name)),
  )
}

/** Expects that a value of another type than that at a path is read or reported, if the value there is read. */
function expectReported(
  create: Reader,
  chunks: readonly unknown[],
  at: number,
  path: Path,
  next: unknown,
): void {
  const withChunk = (value: unknown): ReadStream =>
    readStream(create({}), chunks.with(at, withValue(chunks[at], path, value)))
  const known = textOfDrafts(readStream(create({}), chunks))
  if (textOfDrafts(withChunk(undefined)) === known) return
  const read = withChunk(next)
  const isRead = textOfDrafts(read).includes(String(MARK))
  const lost = isRead || isNamed(read, path) ? [] : [`${fieldOf(path)}: ${JSON.stringify(next)}`]
  expect(lost).toEqual([])
  // A text in place of a number may be anything, also a secret.
  const quoted = read.diagnostics.filter(
    ({ code, message }) => code === 'dropped:usage' && message.includes(`"${MARK}`),
  )
  expect(quoted).toEqual([])
}

type Reader = (options: ModelOptions) => Provider

describe.each(allReaders.filter(([name]) => name !== 'ollama'))('the reader of %s', (name, create, chunk) => {
  const recorded = recordedChunks(name)
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const pick = <T>(list: readonly T[], at: number): T => list[Math.floor(at * list.length)] as T

  const law = (streams: fc.Arbitrary<readonly unknown[]>, count: number): void => {
    fc.assert(
      fc.property(
        streams,
        fraction,
        fraction,
        fc.constantFrom(...replacements),
        (chunks, at, which, next) => {
          const place = Math.floor(at * chunks.length)
          const path = pick(pathsOf(chunks[place]), which)
          const value = valueAt(chunks[place], path)
          if (path.length === 0 || value === null || value === '' || typeOf(value) === typeOf(next)) return
          expectReported(create, chunks, place, path, next)
        },
      ),
      { numRuns: runs(count) },
    )
  }

  it('reads or reports a value of another type in each field of a recorded stream', () => {
    const fields = new Map<string, [at: number, path: Path]>()
    for (const [at, each] of recorded.entries()) {
      for (const path of pathsOf(each)) {
        const value = valueAt(each, path)
        const isStated = path.length > 0 && value !== null && value !== ''
        if (isStated && !fields.has(fieldOf(path))) fields.set(fieldOf(path), [at, path])
      }
    }
    for (const [field, [at, path]] of fields) {
      const type = typeOf(valueAt(recorded[at], path))
      for (const next of replacements.filter((other) => typeOf(other) !== type).slice(0, 2)) {
        // Some servers send it as a text, which is read.
        const isText = field === 'choices/delta/tool_calls/index' && typeof next === 'string'
        if (!isText) expectReported(create, recorded, at, path, next)
      }
    }
  })

  it('reads or reports a value of another type in any stream', () => {
    law(fc.array(chunk, { minLength: 1, maxLength: 12 }), 300)
  })
})

/** A chunk of each API whose text is an object, and where. */
const malformed: readonly [string, unknown, string][] = [
  [
    'anthropic',
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: { a: 1 } } },
    '/delta/text',
  ],
  ['bedrock', { contentBlockDelta: { delta: { text: { a: 1 } } } }, '/contentBlockDelta/delta/text'],
  [
    'cohere',
    { type: 'content-delta', delta: { message: { content: { text: { a: 1 } } } } },
    '/delta/message/content/text',
  ],
  [
    'gemini',
    { candidates: [{ content: { parts: [{ text: { a: 1 } }] } }] },
    '/candidates/0/content/parts/0/text',
  ],
  [
    'interactions',
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: { a: 1 } } },
    '/delta/text',
  ],
  ['openai', { choices: [{ delta: { content: { a: 1 } } }] }, '/choices/0/delta/content'],
  ['responses', { type: 'response.output_text.delta', delta: { a: 1 } }, '/delta'],
  ...['container_id', 'execution', 'server_label', 'output_format'].map((name): [string, unknown, string] => [
    'responses',
    { type: 'response.output_item.added', item: { type: 'x', [name]: { a: 1 } } },
    `/item/${name}`,
  ]),
]

it.each(malformed)('%s: a text that is an object is reported once, with its path', (name, chunk, path) => {
  const { diagnostics } = readStream(createReader(name), [chunk, chunk])
  const invalid = diagnostics.filter(({ code }) => code === 'invalid-event')
  expect(invalid.map((one) => one.path)).toEqual([path])
  expect(invalid[0]?.detail).toMatchObject([{ code: 'invalid-type', path }])
})
