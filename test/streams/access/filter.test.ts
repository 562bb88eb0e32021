// Tests which events each field of a filter lets through.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileFilter, type EventFilter, type ThoughtPolicy } from '../../../src/streams/access/filter.ts'
import { project, type Viewer } from '../../../src/streams/access/index.ts'
import { runs } from '../../support/runs.ts'

const kinds = ['content-delta', 'tool-start', 'tool-complete', 'internal:llm-call', 'tools-x', 'later-kind']
const verbosities = ['brief', 'normal', 'detailed', undefined] as const
const types = ['planning', 'decision', undefined] as const

const passes = (filter: EventFilter, event: object): boolean =>
  compileFilter(filter)({ kind: 'content-delta', ...event })

describe('a filter', () => {
  it.each<[filter: EventFilter, expected: readonly string[]]>([
    [{}, kinds],
    [{ internal: true }, kinds],
    [{ internal: false }, ['content-delta', 'tool-start', 'tool-complete', 'tools-x', 'later-kind']],
    [{ kinds: [] }, []],
    [{ kinds: ['tool-*'] }, ['tool-start', 'tool-complete']],
    [{ kinds: ['tool-start', 'internal:*'] }, ['tool-start', 'internal:llm-call']],
    [{ kinds: ['content-delta'], internal: true }, ['content-delta']],
  ])('%j lets kinds through', (filter, expected) => {
    expect(kinds.filter((kind) => passes(filter, { kind }))).toEqual(expected)
  })

  it('lets events of the tasks through, and none without a task', () => {
    expect(passes({ tasks: ['a', 'b'] }, { taskId: 'b' })).toBe(true)
    expect(passes({ tasks: ['a', 'b'] }, { taskId: 'c' })).toBe(false)
    expect(passes({ tasks: ['a'] }, {})).toBe(false)
    expect(passes({ tasks: [] }, { taskId: 'a' })).toBe(false)
  })

  it('lets a thought through that passes every field of its policy', () => {
    const policies: fc.Arbitrary<ThoughtPolicy> = fc.record(
      {
        maxVerbosity: fc.constantFrom('none', 'brief', 'normal', 'detailed'),
        verbosities: fc.subarray(['brief', 'normal', 'detailed'] as const),
        types: fc.subarray(['planning', 'decision'] as const),
        minConfidence: fc.constantFrom(0, 0.5, 1),
        unknownConfidence: fc.constantFrom('keep', 'drop'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<ThoughtPolicy>
    const thoughts = fc.record({
      kind: fc.constantFrom('thought-stream', 'thought-delta'),
      verbosity: fc.constantFrom(...verbosities),
      thoughtType: fc.constantFrom(...types),
      metadata: fc.constantFrom(undefined, {}, { confidence: 0.4 }, { confidence: 0.5 }, { confidence: 1 }),
    })
    fc.assert(
      fc.property(policies, thoughts, (policy, thought) => {
        const { kind, verbosity = 'detailed', thoughtType, metadata } = thought
        const confidence = (metadata as { confidence?: number } | undefined)?.confidence
        const ranks = ['none', 'brief', 'normal', 'detailed']
        const isExpected = [
          ranks.indexOf(verbosity) <= ranks.indexOf(policy.maxVerbosity ?? 'detailed'),
          policy.verbosities?.includes(verbosity) ?? true,
          policy.types === undefined || policy.types.some((type) => type === thoughtType),
          policy.minConfidence === undefined ||
            (kind === 'thought-stream' &&
              (confidence === undefined
                ? policy.unknownConfidence !== 'drop'
                : confidence >= policy.minConfidence)),
        ].every(Boolean)
        expect(passes({ thoughts: policy }, thought)).toBe(isExpected)
        expect(passes({ thoughts: policy }, {})).toBe(true)
      }),
      { numRuns: runs(400) },
    )
  })
})

it.each([0, 0.5, 1])('takes a minimum confidence of %d', (minConfidence) => {
  expect(() => project({ kind: 'x' }, { audience: 'user', thoughts: { minConfidence } })).not.toThrow()
})

it.each([-0.1, 1.1, 2, Number.NaN, '1'])('refuses a minimum confidence of %j', (minConfidence) => {
  const viewer = { audience: 'user', thoughts: { minConfidence } } as Viewer
  expect(() => project({ kind: 'x' }, viewer)).toThrow('a number from 0 to 1')
})
