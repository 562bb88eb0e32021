// The laws of mappers: plain state, what is lost is declared and reported, any value is taken.
import fc from 'fast-check'
import { openaiCoverage, openaiLosses, toChatCompletions } from 'turnstream/openai'
import { describe, expect, test } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import {
  expectCoverageLaw,
  expectTotal,
  inputsUntilEvicted,
  withUnknownFields,
} from '../../support/mapper-laws.ts'

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

  test('tracks at most 2048 calls without a result', () => {
    const start = (i: number): ContextAnyEvent => ({
      ...{ kind: 'tool-start', contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' },
      ...{ toolCallId: `k${i}`, toolName: 'f', arguments: {} },
    })
    expect(inputsUntilEvicted(writer() as never, start)).toBe(2 * 1024 + 1)
  })
})
