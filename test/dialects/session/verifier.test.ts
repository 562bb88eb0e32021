// Legal sessions pass, each rule has sessions that violate just it, and the state is bounded.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Diagnostic, run } from '../../../src/core/machine.ts'
import {
  type SessionRuleName,
  type SessionVerifierOptions,
  sessionEventNames,
  sessionRules,
  sessionVerifier,
} from '../../../src/dialects/session/index.ts'
import type { SessionVerifierState } from '../../../src/dialects/session/verify/state.ts'
import type { VerifiedEvent } from '../../../src/dialects/session/verify/verifier.ts'
import fixtures from '../../fixtures/session/streams.json'
import { jsonValue } from '../../support/json.ts'
import { expectViolationLaw } from '../../support/violation-law.ts'

interface Stream {
  readonly events: readonly VerifiedEvent[]
  readonly options: SessionVerifierOptions
}
const legal = fixtures.legal as unknown as readonly (Stream & { name: string })[]
const illegal = fixtures.illegal as unknown as readonly (Stream & {
  rule: SessionRuleName
  severity: 'error' | 'warn'
  path: string | null
})[]

function verify({ events, options }: Stream) {
  const verifier = run(sessionVerifier(options))
  return [...events.flatMap((event) => [...verifier.push(event)]), ...verifier.end()]
}

describe('a legal session', () => {
  it.each(legal)('$name', (stream) => {
    expect(verify(stream)).toEqual([])
  })
})

describe('a session that violates one rule', () => {
  it.each(illegal)('$rule at $path', (stream) => {
    const { rule, severity, path, events, options } = stream
    expect(sessionRules[rule].severity).toBe(severity)
    const violations = verify(stream)
    expect(violations).toHaveLength(1)
    const verifier = run(sessionVerifier(options))
    const at = events.findIndex((event) => verifier.push(event).length > 0)
    const eventIndex = (options.startIndex ?? 0) + (at < 0 ? events.length : at)
    expect(violations[0]).toMatchObject({ rule, severity, eventIndex, ...(path !== null && { path }) })
    // A message describes this violation, not only the rule.
    expect(violations[0]?.message).not.toBe('')
    expect(Object.values(sessionRules).map(({ summary }) => summary)).not.toContain(violations[0]?.message)
  })

  it.each(illegal)('has the value of the event as `actual`: $rule at $path', ({ events, options }) => {
    // These compare the stage of the session.
    const derived = ['stage-order', 'final-answer']
    expectViolationLaw((list) => verify({ events: list, options }), events, derived, options.startIndex)
  })

  it('exists for every rule', () => {
    expect([...new Set(illegal.map(({ rule }) => rule))].sort()).toEqual(Object.keys(sessionRules).sort())
    const ids = new Set(Object.values(sessionRules).map(({ id }) => id))
    expect(ids).toEqual(new Set(Array.from({ length: 22 }, (_, i) => `M${String(i + 1).padStart(2, '0')}`)))
  })

  it('passes in lenient mode if the rule is strictOnly', () => {
    for (const stream of illegal) {
      const isStrictOnly = 'strictOnly' in sessionRules[stream.rule]
      const rules = verify({ ...stream, options: { ...stream.options, mode: 'lenient' } }).map((v) => v.rule)
      // Lenient mode allows solver.start once per task.
      const isAgain = stream.rule === 'stage-order' && stream.events.at(-1)?.event === 'solver.start'
      const alsoPasses = isStrictOnly || (isAgain && stream.events.length === 7)
      expect(rules, stream.rule).toEqual(alsoPasses ? [] : [stream.rule])
    }
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
      event: 'agent.partial_answer',
      path: '/metadata/chunk_index',
      expected: 1,
      actual: 2,
    },
  ])
  expect(() => sessionVerifier({ startIndex: -1 })).toThrow(TypeError)
})

it('throws for an unknown mode', () => {
  expect(() => sessionVerifier({ mode: 'x' as 'strict' })).toThrow(
    new TypeError('"mode" must be "strict" or "lenient", got "x".'),
  )
})

describe('the verifier', () => {
  it('tracks a bounded number of open items, and reports evicted ones', () => {
    const diagnostics: Diagnostic[] = []
    const verifier = run(sessionVerifier({ startIndex: 1 }), {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    })
    for (let i = 0; i < 1100; i++) {
      const metadata = { call_id: `k-${i}` }
      verifier.push({ event: 'agent.tool_call', metadata } as VerifiedEvent)
    }
    expect(Object.keys(stateOf(verifier).open)).toHaveLength(1024)
    expect(diagnostics).toHaveLength(76)
    expect(diagnostics[0]).toMatchObject({ code: 'state-evicted', detail: 'tool-result k-0' })
  })

  it('does not track the tasks of a plan that is too long', () => {
    const tasks = Array.from({ length: 2000 }, (_, id) => ({ id: String(id) }))
    const verifier = run(sessionVerifier({ startIndex: 1, mode: 'lenient' }))
    verifier.push({ event: 'plan.completed', content: { tasks } } as VerifiedEvent)
    expect(stateOf(verifier).tasks).toBeNull()
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
          expect(sessionRules).toHaveProperty([violation.rule])
          expect(violation.severity).toBe(sessionRules[violation.rule].severity)
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
