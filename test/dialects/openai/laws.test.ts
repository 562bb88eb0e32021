// The laws of mappers: plain state, what is lost is declared and reported, any value is taken.
import fc from 'fast-check'
import { openaiCoverage, toChatCompletions } from 'turnstream/openai'
import { describe, test } from 'vitest'
import { openaiLosses } from '../../../src/dialects/openai/to/losses.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { expectCoverageLaw, expectTotal, withUnknownFields } from '../../support/mapper-laws.ts'

const writer = () => toChatCompletions({ viewer: { audience: 'operator' }, includeUsage: true })
const event = legalStreams({ revisions: true }).chain((events) => fc.constantFrom(...events))

describe('toChatCompletions', () => {
  test('has the law of machines', () => expectMachineLaw(writer(), event, { runs: 500 }))

  test('takes any value', () => expectTotal<ContextAnyEvent>(writer as never, legalStreams()))

  test('loses what it declares', () =>
    expectCoverageLaw({
      machine: () => toChatCompletions({ viewer: { audience: 'operator' } }) as never,
      coverage: openaiCoverage,
      losses: openaiLosses,
      streams: withUnknownFields(
        fc.oneof(legalStreams({ subtasks: false }), legalStreams({ subtasks: false, focus: 'texts' })),
      ),
      runs: 400,
    }))
})
