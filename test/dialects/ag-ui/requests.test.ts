// Each request is asked at the end of a run, or reported.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { writer } from './support.ts'

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
const asked: readonly ContextAnyEvent[] = [
  { kind: 'task-created', initiator: 'user', ...context },
  { kind: 'input-required', inputId: 'i', inputType: 'confirmation', prompt: 'Go?', ...context },
  { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: 'Sign in.', ...context },
]

it.each<[how: string, events: readonly ContextAnyEvent[]]>([
  [
    'are closed',
    [
      { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u', ...context },
      { kind: 'auth-failed', authId: 'a', reason: 'expired', ...context },
      { kind: 'task-complete', ...context },
    ],
  ],
  ['are open as their task ends', [{ kind: 'task-status', status: 'failed', ...context }]],
  ['are open as the result of their task comes', [{ kind: 'task-complete', ...context }]],
])('reports requests that %s without a task that waited for them', (_, events) => {
  const results = resultsOf(writer(), [...asked, ...events])
  const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
  const own = codes.filter((code) => code.endsWith('-required'))
  expect(own).toEqual(['dropped:input-required', 'dropped:auth-required'])
})

it('asks or reports each request once', () => {
  const idOf = (event: ContextAnyEvent): string[] =>
    event.kind === 'input-required' ? [event.inputId] : event.kind === 'auth-required' ? [event.authId] : []
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const results = resultsOf(writer(), events)
      const found = results.flatMap(({ out, diagnostics }) => [
        ...out.flatMap((event) => {
          if (event.type !== 'RUN_FINISHED') return []
          const { outcome } = event
          return outcome?.type === 'interrupt' ? outcome.interrupts.map(({ id }) => id) : []
        }),
        ...diagnostics.flatMap(({ code, detail }) =>
          code.endsWith('-required') ? [(detail as { id: string }).id] : [],
        ),
      ])
      expect(new Set(found)).toEqual(new Set(events.flatMap(idOf)))
    }),
    { numRuns: runs(200) },
  )
})
