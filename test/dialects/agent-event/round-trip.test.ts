/** Proves that there and back again is the same, up to the losses the diagnostics declare. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AgentEvent, fromAgentEvents, toAgentEvents } from '../../../src/dialects/agent-event/index.ts'
import type { ContextAnyEvent, Diagnostic } from '../../../src/index.ts'
import fixtures from '../../fixtures/agent-event/streams.json'
import { coreTask } from './core-support.ts'
import { clockAndIds, legalStream, through } from './support.ts'

describe('run → task → run', () => {
  /** `isError: false` says no more than its absence, and absent data is told as null. */
  const canonical = (event: AgentEvent): object => {
    const { isError, ...rest } = event as { isError?: boolean }
    const data = event.type === 'tool_progress' ? { data: event.data ?? null } : {}
    return { ...rest, ...data, ...(isError === true && { isError }) }
  }
  const there = (events: readonly AgentEvent[], toolCallIds: boolean) => {
    const core = through(fromAgentEvents(clockAndIds), events)
    const back = through(toAgentEvents({ toolCallIds }), core.out)
    return { back: back.out, codes: [...core.codes, ...back.codes] }
  }
  const harmless = ['dropped:task-created', 'dropped:task-status', 'invalid-arguments']

  test.each(fixtures.legal)('$name', ({ events }) => {
    const withIds = events.some((event) => 'toolCallId' in event)
    const { back, codes } = there(events as AgentEvent[], withIds)
    expect(back).toStrictEqual(events)
    expect(codes.filter((code) => !harmless.includes(code))).toEqual([])
  })
  test.each([true, false])('any legal stream (ids: %s)', (withIds) => {
    fc.assert(
      fc.property(legalStream(withIds), (events) => {
        const { back, codes } = there(events, withIds)
        expect(back).toEqual(events.map(canonical))
        expect(codes.filter((code) => !harmless.includes(code))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})

describe('task → run → task', () => {
  /** One event with the losses that were declared for it. */
  interface Told {
    readonly event: Record<string, unknown>
    readonly diagnostics: readonly Diagnostic[]
  }

  const told = (events: readonly ContextAnyEvent[]): { back: ContextAnyEvent[]; told: Told[] } => {
    const machine = toAgentEvents({ toolCallIds: true })
    let { initial: state } = machine
    const out: AgentEvent[] = []
    const list = events.map((event) => {
      const step = machine.step(state, event)
      state = step.state
      out.push(...step.out)
      return { event: { ...event }, diagnostics: step.diagnostics ?? [] }
    })
    out.push(...machine.end(state).out)
    return { back: through(fromAgentEvents(clockAndIds), out).out, told: list }
  }

  /** Without the fields the diagnostics point to, and without what the dialect has no place for at all. */
  const without = (event: object, diagnostics: readonly Diagnostic[]): object => {
    const copy = structuredClone(event) as Record<string, Record<string, unknown>>
    for (const { path = '' } of diagnostics) {
      const [, field = '', key] = path.split('/')
      if (key === undefined) delete copy[field]
      else delete copy[field]?.[key]
    }
    // What comes back keeps the text of the arguments.
    if (copy.kind === ('tool-start' as unknown)) delete copy.metadata?.toolArgs
    if (copy.metadata !== undefined && Object.keys(copy.metadata).length === 0) delete copy.metadata
    const { contextId, taskId, timestamp, thoughtId, ...rest } = copy
    return rest
  }

  const isEnd = (event: Record<string, unknown>): boolean =>
    event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')

  test('any legal task', () => {
    fc.assert(
      fc.property(coreTask, (events) => {
        const { back, told: list } = told(events)
        const isDropped = ({ diagnostics }: Told): boolean =>
          diagnostics.some(({ code }) => code.startsWith('dropped:'))
        const kept = list.filter((item) => !isDropped(item) && !isEnd(item.event))
        // The opening and the two events of a success are the conversion's own.
        const returned = back.slice(2).filter((event) => !isEnd({ ...event }))
        expect(returned.map((event, i) => without(event, kept[i]?.diagnostics ?? []))).toEqual(
          kept.map(({ event, diagnostics }) => without(event, diagnostics)),
        )
        expect(back.some((event) => isEnd({ ...event }))).toBe(events.some((event) => isEnd({ ...event })))
      }),
      { numRuns: 1000 },
    )
  })
})
