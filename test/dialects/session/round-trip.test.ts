// Proves that core events come back from the session protocol as they were, but for the declared losses, and that what is converted is legal.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  fromSessionEvents,
  type SessionServerEvent,
  sessionCoverage,
  sessionVerifier,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import { type ContextAnyEvent, type Diagnostic, eventKinds, iterate, run } from '../../../src/index.ts'
import { wrongWith } from './basics.ts'
import { omitted, streams, tasks } from './core-streams.ts'

function toSession(events: readonly ContextAnyEvent[]) {
  const dropped = new Set<ContextAnyEvent>()
  const diagnostics: Diagnostic[] = []
  let current: ContextAnyEvent | undefined
  const machine = run(toSessionEvents(), {
    onDiagnostic: (diagnostic) => {
      diagnostics.push(diagnostic)
      if (diagnostic.code.startsWith('dropped:') && current !== undefined) dropped.add(current)
    },
  })
  const out: SessionServerEvent[] = []
  for (const event of events) {
    current = event
    out.push(...machine.push(event))
  }
  out.push(...machine.end())
  return { out, diagnostics, dropped }
}

function fromSession(events: readonly SessionServerEvent[]) {
  const diagnostics: string[] = []
  const machine = run(fromSessionEvents(), { onDiagnostic: ({ code }) => diagnostics.push(code) })
  return { out: [...events.flatMap((event) => [...machine.push(event)]), ...machine.end()], diagnostics }
}

describe('core → session', () => {
  it('gives events of the document, as a server sends them', () => {
    fc.assert(
      fc.property(streams, (events) => {
        for (const event of toSession(events).out) {
          expect(decodeSessionEvent(event, { direction: 'server' })).toEqual({ status: 'known', event })
        }
      }),
    )
  })

  it('gives a legal session', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const verifier = run(sessionVerifier({ startIndex: 1, direction: 'server' }))
        const violations = toSession(events).out.flatMap((event) => [...verifier.push(event)])
        // The core does not number attempts across errors.
        const errors = violations.filter(({ severity, rule }) => severity === 'error' && rule !== 'attempts')
        expect(errors).toEqual([])
      }),
    )
  })

  it('says of every event that is not told that it is dropped, and of no other', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const { dropped, diagnostics } = toSession(events)
        expect(diagnostics.every(({ code }) => code.startsWith('dropped:'))).toBe(true)
        for (const event of events) {
          if (dropped.has(event)) expect(['omitted', 'partial']).toContain(sessionCoverage[event.kind])
          else expect(sessionCoverage[event.kind]).not.toBe('omitted')
        }
      }),
    )
  })
})

describe('core → session → core', () => {
  it('is what it was, but for what was dropped', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const { out, dropped } = toSession(events)
        const back = fromSession(out)
        expect(back.out).toEqual(events.filter((event) => !dropped.has(event)))
        expect(wrongWith(back.out)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('does not depend on the state being stored between two events', () => {
    fc.assert(
      fc.property(tasks('task-1'), (events) => {
        const plain = toSession(events).out
        let state = toSessionEvents().initial
        const out: SessionServerEvent[] = []
        for (const event of events) {
          const step = toSessionEvents().step(JSON.parse(JSON.stringify(state)), event)
          state = step.state
          out.push(...step.out)
        }
        out.push(...toSessionEvents().end(state).out)
        expect(out).toEqual(plain)
      }),
      { numRuns: 50 },
    )
  })

  it('is the same through a stream', async () => {
    const [events = []] = fc.sample(streams, { numRuns: 1, seed: 7 })
    const out: SessionServerEvent[] = []
    for await (const event of iterate(toSessionEvents(), events)) out.push(event)
    expect(out).toEqual(toSession(events).out)
  })
})

describe('the coverage', () => {
  const kindsSeen = (): Map<string, { told: number; dropped: number }> => {
    const seen = new Map(eventKinds.map((kind) => [kind as string, { told: 0, dropped: 0 }]))
    for (const events of fc.sample(streams, { numRuns: 400, seed: 11 })) {
      const { dropped } = toSession(events)
      for (const event of events) {
        const count = seen.get(event.kind)
        if (count !== undefined) count[dropped.has(event) ? 'dropped' : 'told']++
      }
    }
    return seen
  }

  it('is what happens', () => {
    for (const [kind, { told, dropped }] of kindsSeen()) {
      const happens = dropped === 0 ? 'full' : told === 0 ? 'omitted' : 'partial'
      expect([kind, told + dropped > 0, happens]).toEqual([
        kind,
        true,
        sessionCoverage[kind as 'task-created'],
      ])
    }
  })

  it('has an omitted event for each omitted kind', () => {
    const kinds = Object.entries(sessionCoverage).filter(([, coverage]) => coverage === 'omitted')
    expect(omitted.map(({ kind }) => kind).sort()).toEqual(kinds.map(([kind]) => kind).sort())
  })
})
