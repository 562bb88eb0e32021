// Each request is asked at the end of a run, or reported.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { orderErrorsOf } from './peers.ts'
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

it('are asked first by a run of their task, whatever two tasks and a subtask of a stream do', () => {
  const toolCall = { id: 'k', type: 'function', function: { name: 'f', arguments: '{}' } }
  const moves: readonly object[] = [
    ...asked,
    { ...asked[1], inputId: 'j', metadata: { toolCall } },
    { kind: 'task-status', status: 'waiting-input' },
    { kind: 'task-status', status: 'waiting-auth' },
    { kind: 'task-status', status: 'working' },
    { kind: 'task-status', status: 'completed' },
    { kind: 'task-complete' },
    { kind: 'content-complete', contentId: 'x', content: 'Hello' },
    { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u' },
  ]
  const ownIds = (taskId: string, { inputId, authId }: { inputId?: string; authId?: string }): object => ({
    ...(inputId !== undefined && { inputId: `${inputId} of ${taskId}` }),
    ...(authId !== undefined && { authId: `${authId} of ${taskId}` }),
    ...(taskId === 's' && { parentTaskId: 't' }),
  })
  const event = fc
    .tuple(fc.constantFrom('t', 'u', 's'), fc.constantFrom(...moves))
    .map(([taskId, move]) => ({ ...context, ...move, ...ownIds(taskId, move), taskId }) as ContextAnyEvent)
  fc.assert(
    fc.property(fc.array(event, { maxLength: 16 }), (events) => {
      const out = resultsOf(writer(), events).flatMap((step) => step.out)
      expect(orderErrorsOf(out)).toEqual([])
      let run = ''
      const seen = new Set<string>()
      for (const each of out) {
        if (each.type === 'RUN_STARTED') run = each.runId.replace(/:run:.*/, '')
        if (each.type !== 'RUN_FINISHED' || each.outcome?.type !== 'interrupt') continue
        for (const { id } of each.outcome.interrupts) {
          const root = id.at(-1) === 's' ? 't' : id.at(-1)
          if (!seen.has(id)) expect(`${id} by ${run}`).toBe(`${id} by ${root}`)
          seen.add(id)
        }
      }
    }),
    { numRuns: runs(2000) },
  )
})

it('are asked again by a later run that continues from the state after the end of the stream', () => {
  const ask = (n: number): ContextAnyEvent => ({
    ...{ kind: 'input-required', inputType: 'confirmation', prompt: 'Go?' },
    inputId: `i${n}`,
    ...context,
  })
  const waiting: ContextAnyEvent = { kind: 'task-status', status: 'waiting-input', ...context }
  const later = fc.oneof(
    fc.constantFrom(waiting, { ...waiting, status: 'working' } as ContextAnyEvent),
    fc.nat(5).map(ask),
    fc.nat(5).map((n): ContextAnyEvent => {
      return { kind: 'input-received', inputId: `i${n}`, providedBy: 'user', userId: 'u', ...context }
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(later, { maxLength: 8 }), (count, rest) => {
      const machine = writer()
      const questions = Array.from({ length: count }, (_, n) => ask(n))
      let state = machine.initial
      const before = asked.slice(0, 1).concat(questions, waiting)
      for (const event of before) state = machine.step(state, event).state
      const continued = resultsOf({ ...machine, initial: state }, rest)
      expect(resultsOf({ ...machine, initial: machine.end(state).state }, rest)).toEqual(continued)
    }),
    { numRuns: runs(200) },
  )
})
