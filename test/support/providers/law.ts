// What every machine that reads the stream of a model must do, whatever the stream is.

import type { ModelOptions } from 'agentwire/providers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutBytes, cuts } from '../../sse/streams.ts'
import { jsonValue } from '../json.ts'
import { expectMachineLaw } from '../law.ts'
import { runs } from '../runs.ts'
import { type Provider, readStream, taskOf, violationsOf } from './agent-loop.ts'
import { bodyOf, readBody } from './read-body.ts'

const end = fc.option(fc.record({ reason: fc.constant('abort') }), { nil: undefined })

/** Options that change what is emitted. */
const variants: readonly ModelOptions[] = [
  {},
  { calls: 'start' },
  { thoughts: {}, calls: 'start', iteration: 3 },
]

/** Declares the tests of a provider over arbitrary chunks. */
export function providerLaws(
  create: (options: ModelOptions) => Provider,
  chunk: fc.Arbitrary<unknown>,
): void {
  it.each(variants)('keep their state as JSON, with %o', (options) => {
    expectMachineLaw(create(options), chunk, { reason: end })
    expectMachineLaw(create(options), jsonValue(), { reason: end, runs: 50 })
  })

  it.each(variants)('emit drafts of which an agent makes a legal task, with %o', (options) => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 24 }), end, (chunks, reason) => {
        expect(violationsOf(taskOf(readStream(create(options), chunks, reason)))).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('give the same for the bytes of a body, wherever they are cut', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), cuts, (chunks, at) => {
        const { drafts, turn } = readStream(create({}), chunks)
        expect(readBody(create({}), cutBytes(bodyOf(chunks), at))).toEqual({ drafts, turn })
      }),
      { numRuns: runs(100) },
    )
  })

  it('state the whole of each text in content-complete, and all texts in the turn', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 24 }), (chunks) => {
        const { drafts } = readStream(create({}), chunks)
        const deltas = drafts.flatMap((draft) => (draft.kind === 'content-delta' ? [draft.delta] : []))
        const wholes = drafts.flatMap((draft) => (draft.kind === 'content-complete' ? [draft.content] : []))
        expect(wholes.join('').length).toBe(deltas.join('').length)
      }),
      { numRuns: runs(200) },
    )
  })

  it('start no call whose arguments are not whole', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 24 }), (chunks) => {
        const { drafts, turn } = readStream(create({ calls: 'start' }), chunks)
        const started = drafts.flatMap((draft) => (draft.kind === 'tool-start' ? [draft.toolCallId] : []))
        const failed = turn.calls
          .filter(({ status }) => status !== 'complete')
          .map(({ toolCallId }) => toolCallId)
        expect(started.filter((id) => failed.includes(id))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
}
