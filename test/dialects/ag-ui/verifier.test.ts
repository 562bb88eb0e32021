// A legal stream has no violations, and each violation is reported at its place.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type AgUiEvent, agUiRules, agUiVerifier } from '../../../src/dialects/ag-ui/index.ts'
import type { AgUiVerifierOptions } from '../../../src/dialects/ag-ui/verify/verifier.ts'
import { run } from '../../../src/index.ts'
import rules from '../../fixtures/ag-ui/rules.json' with { type: 'json' }
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { expectRules, expectViolationLaw } from '../../support/violation-law.ts'
import { orderErrorsOf } from './peers.ts'
import { agUiEvent } from './streams.ts'
import { outputsOf, writer } from './support.ts'

function violationsOf(events: readonly unknown[], options: AgUiVerifierOptions = {}) {
  const { push, end } = run(agUiVerifier(options))
  return [...events.flatMap((event) => [...push(event as AgUiEvent)]), ...end()]
}

describe('agUiRules', () => {
  it('has the 40 ids of the corpus', () => {
    const groups = { 0: 8, 1: 6, 2: 8, 3: 5, 4: 2, 5: 8, 9: 3 }
    const ids = Object.entries(groups).flatMap(([group, count]) =>
      Array.from({ length: count }, (_, i) => `AGUI${group}${String(i + 1).padStart(2, '0')}`),
    )
    expect(agUiRules.map(({ id }) => id)).toEqual(ids)
  })

  it('have names of their own, and summaries that stand alone', () => expectRules(agUiRules))

  it('each have a fixture that breaks them, unless only the connection shows it', () => {
    const broken = new Set(rules.cases.map(({ rule }) => rule))
    const unseen = agUiRules.filter(({ rule }) => !broken.has(rule))
    expect(unseen.map(({ checkedBy }) => checkedBy)).toEqual(unseen.map(() => 'none'))
  })
})

test.each(rules.legal)('legal: $why', ({ events }) => {
  expect(violationsOf(events, { mode: 'strict' })).toEqual([])
  // The client reads no older spellings without its middleware.
  const isCurrent = events.every(({ type }) => !type.startsWith('THINKING_'))
  if (isCurrent) expect(orderErrorsOf(events)).toEqual([])
})

test.each(rules.cases)('$rule: $why', ({ rule, events, violations, ...rest }) => {
  const options = 'options' in rest ? (rest.options as AgUiVerifierOptions) : {}
  const found = violationsOf(events, options)
  expect(
    found.map(({ rule, severity, message, eventIndex, relatedEventIndex, path, type }) => ({
      rule,
      severity,
      message,
      eventIndex,
      ...(relatedEventIndex !== undefined && { relatedEventIndex }),
      ...(path !== undefined && { path }),
      type,
    })),
  ).toEqual(
    violations.map((violation) => ({
      rule,
      ...violation,
      type: (events as AgUiEvent[])[violation.eventIndex]?.type,
    })),
  )
  expectViolationLaw<unknown>((list) => violationsOf(list, options), events)
})

describe('what is written', () => {
  it.each([false, true])('is legal, with the extension %s', (extension) => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        expect(violationsOf(outputsOf(writer({ extension }), events))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('the verifier', () => {
  it('has the law of machines', () => {
    expectMachineLaw(agUiVerifier({ mode: 'strict' }), agUiEvent as fc.Arbitrary<AgUiEvent>)
  })

  it('reports once that changes of the state come before its snapshot', () => {
    const change = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] }
    const events = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r', timestamp: 1 }, change, change]
    const rules = violationsOf(events, { mode: 'strict' }).map(({ rule }) => rule)
    expect(rules).toEqual(['snapshot-first', 'run-ends'])
  })

  it('reports the first chunk of a call without the name of its tool', () => {
    const events = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r', timestamp: 1 },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'k', delta: '{}' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'k', toolCallName: 'n', delta: '' },
    ]
    const found = violationsOf(events).filter(({ rule }) => rule === 'well-formed')
    expect(found).toMatchObject([{ eventIndex: 1, path: '/toolCallName' }])
  })

  it.each([{ messages: [null] }, { messages: [{ toolCalls: [null] }] }])(
    'takes a snapshot of %j',
    (snapshot) => {
      const event = { type: 'MESSAGES_SNAPSHOT', ...snapshot }
      expect(violationsOf([event]).map(({ rule }) => rule)).toContain('well-formed')
    },
  )

  it('takes any value', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 5 }), (values) => {
        expect(() => violationsOf(values, { mode: 'strict' })).not.toThrow()
      }),
      { numRuns: runs(300) },
    )
  })

  it('reports nothing unknown in a stream that was joined late', () => {
    const { events } = rules.legal[0] ?? { events: [] }
    for (let from = 1; from < events.length; from++) {
      expect(violationsOf(events.slice(from), { startIndex: from })).toEqual([])
    }
  })
})

it('a span of reasoning ends after its message, which has its id', () => {
  const of = { messageId: 'm', timestamp: 1 }
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r', timestamp: 1 },
    { type: 'REASONING_START', ...of },
    { type: 'REASONING_MESSAGE_START', role: 'reasoning', ...of },
    { type: 'REASONING_END', ...of },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r', timestamp: 1 },
  ]
  expect(violationsOf(events).map(({ rule }) => rule)).toEqual(['reasoning-ends'])
})
