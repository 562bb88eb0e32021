// Proves that legal sessions pass, that each rule is broken by a stream made to break just it, and that memory is bounded.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Diagnostic, run } from '../../../src/core/machine.ts'
import {
  type SessionRuleName,
  type SessionVerifierOptions,
  sessionEventNames,
  sessionRules,
  sessionVerifier,
  type VerifiedEvent,
} from '../../../src/dialects/session/index.ts'
import fixtures from '../../fixtures/session/streams.json'
import { jsonValue } from '../../support/json.ts'

interface Stream {
  readonly events: readonly VerifiedEvent[]
  readonly options: SessionVerifierOptions
}
const legal = fixtures.legal as unknown as readonly (Stream & { name: string })[]
const illegal = fixtures.illegal as unknown as readonly (Stream & {
  rule: SessionRuleName
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

describe('a session that breaks one rule', () => {
  it.each(illegal)('$rule at $path', (stream) => {
    const { rule, path } = stream
    const { severity, summary } = sessionRules[rule]
    const violations = verify(stream)
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatchObject({ rule, severity, message: summary, ...(path !== null && { path }) })
  })

  it('is there for every rule', () => {
    expect([...new Set(illegal.map(({ rule }) => rule))].sort()).toEqual(Object.keys(sessionRules).sort())
    const ids = new Set(Object.values(sessionRules).map(({ id }) => id))
    expect(ids).toEqual(new Set(Array.from({ length: 22 }, (_, i) => `M${String(i + 1).padStart(2, '0')}`)))
  })

  it('passes leniently where the rule is only of the document', () => {
    for (const stream of illegal) {
      const isStrictOnly = 'strictOnly' in sessionRules[stream.rule]
      const rules = verify({ ...stream, options: { ...stream.options, mode: 'lenient' } }).map((v) => v.rule)
      // Solving may begin once for each task.
      const isAgain = stream.rule === 'stage-order' && stream.events.at(-1)?.event === 'solver.start'
      const alsoPasses = isStrictOnly || (isAgain && stream.events.length === 7)
      expect(rules, stream.rule).toEqual(alsoPasses ? [] : [stream.rule])
    }
  })
})

describe('the verifier', () => {
  it('remembers a bounded number of open things, and says what it forgets', () => {
    const diagnostics: Diagnostic[] = []
    const verifier = run(sessionVerifier({ startIndex: 1 }), {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    })
    for (let i = 0; i < 1100; i++) {
      const metadata = { call_id: `k-${i}` }
      verifier.push({ event: 'agent.tool_call', metadata } as VerifiedEvent)
    }
    expect(Object.keys(verifier.state.open)).toHaveLength(1024)
    expect(diagnostics).toHaveLength(76)
    expect(diagnostics[0]).toMatchObject({ code: 'forgotten', detail: 'tool-result k-0' })
  })

  it('does not remember a plan that is too long', () => {
    const tasks = Array.from({ length: 2000 }, (_, id) => ({ id: String(id) }))
    const verifier = run(sessionVerifier({ startIndex: 1, mode: 'lenient' }))
    verifier.push({ event: 'plan.completed', content: { tasks } } as VerifiedEvent)
    expect(verifier.state.tasks).toBeNull()
  })

  it('takes whatever comes', () => {
    const json = fc.oneof(jsonValue({ maxDepth: 1 }), fc.constant({ toString: 1, valueOf: 2 }))
    const fields = fc.record({
      task_id: json,
      attempt: fc.nat(),
      id: json,
      answer: json,
      task_results: fc.array(json),
    })
    const event = fc.record({
      event: fc.oneof(fc.constantFrom(...sessionEventNames, '__proto__', ''), fc.string()),
      step_id: json,
      content: fc.oneof(json, fields),
      metadata: fc.oneof(json, fields),
    })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        for (const { rule } of verify({ events, options: {} })) expect(sessionRules).toHaveProperty([rule])
      }),
    )
  })
})
