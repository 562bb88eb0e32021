// Proves that a round trip loses only what the diagnostics report.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AgentEvent, fromAgentEvents, toAgentEvents } from '../../../src/dialects/agent-event/index.ts'
import type { ContextAnyEvent, Diagnostic } from '../../../src/index.ts'
import { runs } from '../../support/runs.ts'
import { legal } from './cases.ts'
import { coreTask } from './core-support.ts'
import { clockAndIds, legalStream, through } from './support.ts'

describe('run → task → run', () => {
  /** `isError: false` equals its absence, and missing data becomes null. */
  const canonical = (event: AgentEvent): object => {
    const { isError, ...rest } = event as { isError?: boolean }
    const data = event.type === 'tool_progress' ? { data: event.data ?? null } : {}
    return { ...rest, ...data, ...(isError === true && { isError }) }
  }
  const roundTrip = (events: readonly AgentEvent[], toolCallIds: boolean) => {
    const core = through(fromAgentEvents({ ...clockAndIds, showErrors: true }), events)
    const back = through(toAgentEvents({ toolCallIds, viewer: { audience: 'operator' } }), core.out)
    const isInferred = core.codes.includes('inferred:tool_result')
    // Calls without a result get one at the end.
    const out = isInferred ? back.out.filter((event) => !isResultAtEnd(event)) : back.out
    return { out, codes: [...core.codes, ...back.codes] }
  }
  const isResultAtEnd = (event: AgentEvent): boolean =>
    event.type === 'tool_result' && event.isError === true && event.output === 'No result at error.'
  const harmless = ['dropped:task-created', 'dropped:task-status', 'lossy:toolArgs', 'inferred:tool_result']

  test.each(legal)('$name', ({ events, reusesIds }) => {
    const withIds = events.some((event) => 'toolCallId' in event) && reusesIds !== true
    const { out, codes } = roundTrip(events, withIds)
    const expected = reusesIds
      ? events.map(({ toolCallId: _, ...event }: AgentEvent & { toolCallId?: string }) => event)
      : events
    expect(out).toStrictEqual(expected)
    const lost = codes.filter((code) => !harmless.includes(code))
    expect(lost).toEqual(reusesIds ? ['inferred:toolCallId'] : [])
  })
  test.each([true, false])('any legal stream (ids: %s)', (withIds) => {
    fc.assert(
      fc.property(legalStream(withIds), (events) => {
        const { out, codes } = roundTrip(events, withIds)
        expect(out).toEqual(events.map(canonical))
        expect(codes.filter((code) => !harmless.includes(code))).toEqual([])
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('task → run → task', () => {
  /** One event with the diagnostics reported for it. */
  interface Reported {
    readonly event: Record<string, unknown>
    readonly diagnostics: readonly Diagnostic[]
  }

  const roundTrip = (
    events: readonly ContextAnyEvent[],
  ): { back: ContextAnyEvent[]; reported: Reported[] } => {
    const machine = toAgentEvents({ toolCallIds: true, viewer: { audience: 'operator' } })
    let { initial: state } = machine
    const out: AgentEvent[] = []
    const list = events.map((event) => {
      const step = machine.step(state, event)
      state = step.state
      out.push(...step.out)
      return { event: { ...event }, diagnostics: step.diagnostics ?? [] }
    })
    out.push(...machine.end(state).out)
    return { back: through(fromAgentEvents({ ...clockAndIds, showErrors: true }), out).out, reported: list }
  }

  /** The event without the fields in the diagnostics, and without those that AgentEvents do not have. */
  const without = (event: object, diagnostics: readonly Diagnostic[]): object => {
    const copy = structuredClone(event) as Record<string, Record<string, unknown>>
    for (const { path = '' } of diagnostics) {
      const [, field = '', key] = path.split('/')
      if (key === undefined) delete copy[field]
      else delete copy[field]?.[key]
    }
    // The returned event has the text of the arguments.
    if (copy.kind === ('tool-start' as unknown)) delete copy.metadata?.toolArgs
    if (copy.metadata !== undefined && Object.keys(copy.metadata).length === 0) delete copy.metadata
    const { contextId, taskId, timestamp, thoughtId, ...rest } = copy
    return rest
  }

  const isEnd = (event: Record<string, unknown>): boolean =>
    event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')

  /** Calls that are open when the task fails end before it. */
  const isInferred = (event: ContextAnyEvent): boolean =>
    event.kind === 'tool-complete' && event.error === 'No result at error.'

  test('any legal task', () => {
    fc.assert(
      fc.property(coreTask, (events) => {
        const { back, reported } = roundTrip(events)
        const isDropped = ({ diagnostics }: Reported): boolean =>
          diagnostics.some(({ code }) => code.startsWith('dropped:'))
        const kept = reported.filter((item) => !isDropped(item) && !isEnd(item.event))
        // The mapper adds the first two events and those of a success.
        const returned = back.slice(2).filter((event) => !isEnd({ ...event }) && !isInferred(event))
        const comparable = returned.map((event, i) => {
          // An error that states a failure.
          const { error, ...rest } = event as ContextAnyEvent & { error?: unknown }
          const hasError = kept[i]?.event.error !== undefined || event.kind !== 'task-status'
          return without(hasError ? event : rest, kept[i]?.diagnostics ?? [])
        })
        expect(comparable).toEqual(kept.map(({ event, diagnostics }) => without(event, diagnostics)))
        expect(back.some((event) => isEnd({ ...event }))).toBe(events.some((event) => isEnd({ ...event })))
      }),
      { numRuns: runs(1000) },
    )
  })
})
