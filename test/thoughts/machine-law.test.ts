/** Proves that the machines of this folder have plain JSON states and mutate nothing. */

import fc from 'fast-check'
import { snapshotsToDeltas, thoughtEvents, thoughtExtractor } from 'turnstream/thoughts'
import { describe, test } from 'vitest'
import { expectMachineLaw } from '../support/law.ts'
import { modelOutput } from './support.ts'

const policy = fc.constantFrom<'thought' | 'content'>('thought', 'content')
const how = fc.record({ unterminated: policy }, { requiredKeys: [] })
const eventsHow = fc.record({ unterminated: policy, finishReason: fc.string() }, { requiredKeys: [] })

describe('machine law', () => {
  test.each([
    {},
    { startInside: true, maxThoughtLength: 8 },
    { pairs: [{ open: '[THINK]', close: '[/THINK]' }] },
  ])('thoughtExtractor(%j)', (options) =>
    expectMachineLaw(thoughtExtractor(options), modelOutput, { reason: how, runs: 500 }),
  )
  test.each([{ live: false }, { live: true, maxThoughtLength: 8 }])('thoughtEvents(%j)', (options) =>
    expectMachineLaw(thoughtEvents(options), modelOutput, { reason: eventsHow, runs: 500 }),
  )
  test('snapshotsToDeltas()', () => {
    const snapshot = fc.tuple(modelOutput, fc.nat({ max: 40 })).map(([text, times]) => text.repeat(times))
    expectMachineLaw(snapshotsToDeltas(), snapshot)
  })
})
