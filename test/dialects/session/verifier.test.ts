// Legal sessions pass, each rule has sessions that violate just it, and the state is bounded.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Diagnostic, run } from '../../../src/core/machine.ts'
import { sessionEventNames, sessionRules, sessionVerifier } from '../../../src/dialects/session/index.ts'
import type { SessionRuleName } from '../../../src/dialects/session/verify/rule-names.ts'
import type { SessionVerifierState } from '../../../src/dialects/session/verify/state.ts'
import type { VerifyMode } from '../../../src/rules/rule.ts'
import { jsonValue } from '../../support/json.ts'
import { expectRules, expectViolationLaw } from '../../support/violation-law.ts'
import { illegal, legal, type Stream, type VerifiedEvent } from './cases.ts'
import { realSessions } from './session-streams.ts'

const severityOf = (name: SessionRuleName, mode: VerifyMode): string | undefined =>
  sessionRules.find(({ rule }) => rule === name)?.severity[mode]

function verify({ events, options }: Omit<Stream, 'name'>) {
  const verifier = run(sessionVerifier({ mode: 'strict', ...options }))
  return [...events.flatMap((event) => [...verifier.push(event)]), ...verifier.end()]
}

describe('a legal session', () => {
  it.each(legal)('$name', (stream) => {
    expect(verify(stream)).toEqual([])
  })
})

it.each([
  ['idle', []],
  ['planning', ['plan.start']],
  ['planned', ['plan.start', 'plan.completed']],
  ['done', ['plan.start', 'plan.completed', 'solver.start', 'agent.final_answer']],
])('an answer is too early in stage %s', (stage, names) => {
  const events = [...names, 'agent.final_answer'].map((event) => ({ event, content: {}, metadata: {} }))
  const last = verify({ events, options: { mode: 'standard' } }).filter(
    ({ rule, eventIndex }) => rule === 'final-answer' && eventIndex === events.length - 1,
  )
  const message =
    stage === 'done'
      ? 'Expected one agent.final_answer in a round, got another.'
      : `Expected agent.final_answer after solver.start, got it in stage ${stage}.`
  expect(last).toMatchObject([{ actual: stage === 'done' ? expect.any(String) : stage, message }])
})

describe('a session that violates one rule', () => {
  it.each(illegal)('$name', (stream) => {
    expect(severityOf(stream.rule, 'strict')).toBe(stream.violation.severity)
    const violations = verify(stream)
    expect(violations).toMatchObject([stream.violation])
    // A message describes this violation, not only the rule.
    expect(violations[0]?.message).not.toBe('')
    expect(sessionRules.map(({ summary }) => summary)).not.toContain(violations[0]?.message)
  })

  it.each(illegal)('has the value of the event as `actual`: $name', ({ events, options }) => {
    // These compare the stage of the session.
    const derived = ['stage-order', 'final-answer']
    expectViolationLaw((list) => verify({ events: list, options }), events, derived, options.startIndex)
  })

  it('exists for every rule', () => {
    expect([...new Set(illegal.map(({ rule }) => rule))].sort()).toEqual(
      sessionRules.map(({ rule }) => rule).sort(),
    )
    const ids = new Set(sessionRules.map(({ id }) => id))
    expect(ids).toEqual(new Set(Array.from({ length: 22 }, (_, i) => `M${String(i + 1).padStart(2, '0')}`)))
  })

  it('passes in a mode in which the rule is off', () => {
    for (const stream of illegal) {
      // Real servers solve several tasks at once, with equal ids of calls, and plan again.
      const isRelaxed =
        (stream.rule === 'stage-order' && /^(solver|plan)\.start$/.test(stream.events.at(-1)?.event ?? '')) ||
        (stream.rule === 'tool-result' &&
          stream.events.filter(({ event }) => event === 'agent.tool_call').length > 1)
      for (const mode of ['standard', 'lenient'] as const) {
        if (isRelaxed && mode === 'lenient') continue
        const found = verify({ ...stream, options: { ...stream.options, mode } })
        const severity = severityOf(stream.rule, mode)
        const expected = severity === 'off' ? [] : [[stream.rule, severity]]
        expect([stream.rule, mode, ...found.map((each) => [each.rule, each.severity])]).toEqual([
          stream.rule,
          mode,
          ...expected,
        ])
      }
    }
  })
})

describe('a session of a real server', () => {
  const opening = (session_id: string): VerifiedEvent[] =>
    [
      { event: 'system.connected', content: 'Connected', connection_id: 'c-9' },
      { event: 'user.create_session' },
      { event: 'agent.session_created', session_id, content: 'Created' },
    ] as VerifiedEvent[]

  it('has no violation in lenient mode', () => {
    fc.assert(
      fc.property(realSessions, (events) => {
        expect(verify({ events: [...opening('s-7'), ...events], options: { mode: 'lenient' } })).toEqual([])
      }),
    )
  })

  it('has none either if only the side of the server is known', () => {
    fc.assert(
      fc.property(realSessions, (events) => {
        const sent = [...opening('s-7'), ...events].filter(({ event }) => !event.startsWith('user.'))
        expect(verify({ events: sent, options: { mode: 'lenient', direction: 'server' } })).toEqual([])
      }),
    )
  })

  it('has no violation after it was restored on another connection, from any event on', () => {
    fc.assert(
      fc.property(realSessions, fc.nat(), (events, n) => {
        const [connected] = opening('s-9') as [VerifiedEvent]
        const restored = [
          connected,
          { event: 'user.reconnect_with_state' },
          { event: 'agent.state_restored', session_id: 's-9', metadata: { original_session_id: 's-7' } },
        ]
        const replayed = events
          .slice(n % events.length)
          .filter(({ event }) => !event.startsWith('user.'))
          .map((event) => ({ ...event, session_id: 's-9' }))
        expect(verify({ events: [...restored, ...replayed], options: { mode: 'lenient' } })).toEqual([])
      }),
    )
  })

  it('is verified by itself, also with others on one connection', () => {
    const step = (event: string, session_id: string, metadata: object = {}): VerifiedEvent =>
      ({ event, session_id, timestamp: '2026-03-04T05:06:07Z', metadata }) as VerifiedEvent
    const events = [
      ...opening('s-7'),
      step('agent.session_created', 's-8'),
      step('agent.tool_call', 's-7', { call_id: 'k' }),
      step('agent.tool_call', 's-8', { call_id: 'k' }),
      step('agent.tool_result', 's-7', { call_id: 'k' }),
      step('agent.session_end', 's-7'),
      step('agent.thinking', 's-8'),
    ]
    const found = verify({ events, options: { mode: 'lenient' } })
    expect(
      found.map(({ rule, sessionId, relatedEventIndex }) => [rule, sessionId, relatedEventIndex]),
    ).toEqual([['left-open', 's-8', 5]])
  })
})

const stateOf = ({ state }: { readonly state: object }) => state as unknown as SessionVerifierState

it('reports the expected and the actual value, and the position of the event', () => {
  const chunk = (chunk_index: number): VerifiedEvent =>
    ({
      event: 'agent.partial_answer',
      timestamp: '2026-03-04T05:06:07Z',
      session_id: 's-7',
      content: 'x',
      metadata: { chunk_index },
    }) as VerifiedEvent
  const options = { startIndex: 40 }
  expect(verify({ events: [chunk(0), chunk(2)], options })).toEqual([
    {
      rule: 'chunk-index',
      severity: 'error',
      message: 'Expected chunk_index 1, got 2.',
      eventIndex: 41,
      sessionId: 's-7',
      path: '/metadata/chunk_index',
      expected: 1,
      actual: 2,
    },
  ])
  expect(() => sessionVerifier({ startIndex: -1 })).toThrow(TypeError)
})

it('throws for an unknown mode', () => {
  expect(() => sessionVerifier({ mode: 'x' as 'strict' })).toThrow(
    new TypeError('"mode" must be "strict", "standard" or "lenient", got "x".'),
  )
})

describe('the verifier', () => {
  it('tracks at least 4096 open items, and reports when it evicts some', () => {
    const diagnostics: Diagnostic[] = []
    const verifier = run(sessionVerifier({ startIndex: 1, mode: 'lenient' }), {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    })
    const call = (event: string, i: number): VerifiedEvent =>
      ({ event, session_id: 's', metadata: { call_id: `k-${i}` } }) as VerifiedEvent
    for (let i = 0; i < 9000; i++) verifier.push(call('agent.tool_call', i))
    expect(diagnostics).toEqual([{ code: 'state-evicted', message: expect.any(String) }])
    expect(verifier.push(call('agent.tool_result', 0))).toEqual([])
    expect(verifier.end().length).toBeGreaterThan(4096)
    expect(verifier.end()).toEqual([])
  })

  it('counts values that are no events', () => {
    const verifier = run(sessionVerifier())
    verifier.push(null as never)
    const [violation] = verifier.push({ event: 'plan.start' } as VerifiedEvent)
    expect(violation?.eventIndex).toBe(1)
  })

  it('holds keys of any length in bounded space', () => {
    const verifier = run(sessionVerifier({ startIndex: 1 }))
    const call_id = 'k'.repeat(100_000)
    verifier.push({ event: 'agent.tool_call', session_id: 's', metadata: { call_id } } as VerifiedEvent)
    expect(JSON.stringify(stateOf(verifier)).length).toBeLessThan(4000)
    expect(JSON.stringify(stateOf(verifier))).toContain('k'.repeat(200))
    expect(JSON.stringify(stateOf(verifier))).not.toContain('k'.repeat(201))
    const result = { event: 'agent.tool_result', session_id: 's', metadata: { call_id } }
    verifier.push(result as VerifiedEvent)
    expect(verifier.end()).toEqual([])
  })

  it('does not track the tasks of a plan that is too long', () => {
    const tasks = Array.from({ length: 2000 }, (_, id) => ({ id: String(id) }))
    const verifier = run(sessionVerifier({ startIndex: 1, mode: 'lenient' }))
    verifier.push({ event: 'plan.completed', content: { tasks } } as VerifiedEvent)
    const results = [{ task_id: 'other' }]
    expect(
      verifier.push({ event: 'solver.completed', content: { task_results: results } } as VerifiedEvent),
    ).toEqual([])
  })

  const json = fc.oneof(jsonValue({ maxDepth: 1 }), fc.constant({ toString: 1, valueOf: 2 }))
  const fields = fc.record({
    task_id: json,
    attempt: fc.nat(),
    id: json,
    answer: json,
    task_results: fc.array(json),
  })
  const body = fc.record({
    step_id: json,
    content: fc.oneof(json, fields),
    metadata: fc.oneof(json, fields),
  })

  it('reports rules of the table with their severity and position, whatever the events contain', () => {
    const name = fc.oneof(fc.constantFrom(...sessionEventNames, '__proto__', ''), fc.string())
    const event = fc.tuple(name, body).map(([event, more]) => ({ event, ...more }))
    fc.assert(
      fc.property(fc.array(event), fc.nat(3), (events, startIndex) => {
        const before = structuredClone(events)
        for (const violation of verify({ events, options: { startIndex } })) {
          expect(violation.severity).toBe(severityOf(violation.rule, 'strict'))
          expect(violation.eventIndex).toBeGreaterThanOrEqual(startIndex)
          expect(violation.eventIndex).toBeLessThanOrEqual(startIndex + events.length)
        }
        expect(events).toEqual(before)
      }),
    )
  })

  it('finds the same in a session with events of unknown names between', () => {
    // How a session opens and ends is checked at events of any name.
    const long = [...legal, ...illegal.filter(({ rule }) => rule !== 'session-opened')].filter(
      ({ events }) => events.length > 1,
    )
    const noise = fc.array(fc.tuple(fc.nat(), fc.constantFrom('x.plan.start', '__proto__', ''), body), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.constantFrom(...long), noise, ({ events, options }, noise) => {
        const all = events.map((event) => ({ event, isNoise: false }))
        for (const [n, event, more] of noise)
          all.splice(1 + (n % (all.length - 1)), 0, { event: { event, ...more } as never, isNoise: true })
        const start = options.startIndex ?? 0
        const found = verify({ events: all.map(({ event }) => event), options })
        const kept = found.filter(({ eventIndex }) => all[eventIndex - start]?.isNoise !== true)
        const brief = (violations: typeof found) => violations.map(({ rule, path }) => [rule, path])
        expect(brief(kept)).toEqual(brief(verify({ events, options })))
        expect(found.filter(({ rule }) => rule === 'known-event').length).toBeGreaterThanOrEqual(noise.length)
      }),
    )
  })
})

test('sessionRules have unique names and summaries that stand alone', () => expectRules(sessionRules))
