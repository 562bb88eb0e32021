// Core events survive the session protocol except for the declared losses, and map to legal sessions.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  fromSessionEvents,
  sessionCoverage,
  sessionVerifier,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import type { SessionServerEvent } from '../../../src/dialects/session/wire/event.ts'
import { type ContextAnyEvent, type Diagnostic, eventKinds, iterate, run } from '../../../src/index.ts'
import { runs } from '../../support/runs.ts'
import { errorsIn } from './basics.ts'
import { streams, tasks } from './core-streams.ts'

function toSession(events: readonly ContextAnyEvent[]) {
  const dropped = new Set<ContextAnyEvent>()
  const diagnostics: Diagnostic[] = []
  let current: ContextAnyEvent | undefined
  const machine = run(toSessionEvents({ viewer: { audience: 'operator' } }), {
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
  const machine = run(fromSessionEvents({ showErrors: true }), {
    onDiagnostic: ({ code }) => diagnostics.push(code),
  })
  return { out: [...events.flatMap((event) => [...machine.push(event)]), ...machine.end()], diagnostics }
}

describe('core → session', () => {
  it('maps to documented server events', () => {
    fc.assert(
      fc.property(streams, (events) => {
        for (const event of toSession(events).out) {
          expect(decodeSessionEvent(event, { direction: 'server' })).toEqual({ status: 'known', event })
        }
      }),
    )
  })

  it('maps to a legal session', () => {
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

  it('reports exactly the dropped events', () => {
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
  it('restores every event that was not dropped', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const { out, dropped } = toSession(events)
        const back = fromSession(out)
        expect(back.out).toEqual(events.filter((event) => !dropped.has(event)))
        expect(errorsIn(back.out)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('works with the state stored as JSON between two events', () => {
    fc.assert(
      fc.property(tasks('task-1'), (events) => {
        const plain = toSession(events).out
        const machine = toSessionEvents({ viewer: { audience: 'operator' } })
        let state = machine.initial
        const out: SessionServerEvent[] = []
        for (const event of events) {
          const step = machine.step(JSON.parse(JSON.stringify(state)), event)
          state = step.state
          out.push(...step.out)
        }
        out.push(...machine.end(state).out)
        expect(out).toEqual(plain)
      }),
      { numRuns: 50 },
    )
  })

  it('maps the same events through iterate', async () => {
    const [events = []] = fc.sample(streams, { numRuns: 1, seed: 7 })
    const out: SessionServerEvent[] = []
    for await (const event of iterate(toSessionEvents({ viewer: { audience: 'operator' } }), events))
      out.push(event)
    expect(out).toEqual(toSession(events).out)
  })
})

describe('sessionCoverage', () => {
  const kindsSeen = (): Map<string, { mapped: number; dropped: number }> => {
    const seen = new Map(eventKinds.map((kind) => [kind as string, { mapped: 0, dropped: 0 }]))
    for (const events of fc.sample(streams, { numRuns: 400, seed: 11 })) {
      const { dropped } = toSession(events)
      for (const event of events) {
        const count = seen.get(event.kind)
        if (count === undefined) continue
        count[dropped.has(event) ? 'dropped' : 'mapped']++
      }
    }
    return seen
  }

  it('matches what is dropped', () => {
    for (const [kind, { mapped, dropped }] of kindsSeen()) {
      // Some kinds lose events with faults alone, which these streams do not have.
      const possible = dropped === 0 ? ['full', 'partial'] : mapped === 0 ? ['omitted'] : ['partial']
      // What replaces a text reads back as another one, and is not one of these events.
      if (kind !== 'content-replace') expect([kind, mapped + dropped]).not.toEqual([kind, 0])
      expect([kind, ...possible]).toContain(sessionCoverage[kind as 'task-created'])
    }
  })
})
