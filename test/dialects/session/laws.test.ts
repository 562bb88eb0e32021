// The laws of mappers hold for the session protocol: declared losses, and readers that lose nothing silently.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Machine, pipe } from '../../../src/core/machine.ts'
import {
  decodeSessionEvent,
  fromSessionEvents,
  restampSessionEvent,
  type SessionInput,
  sessionCoverage,
  sessionOutbox,
  sessionReceiver,
  sessionVerifier,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import { sessionLosses } from '../../../src/dialects/session/wire/coverage.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { FOREIGN, withForeignFields } from '../../support/foreign-fields.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import {
  errorsOf,
  expectCoverageLaw,
  expectReaderLaw,
  expectTotal,
  resultsOf,
  withUnknownFields,
} from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { rawSessions, realSessions, sessions } from './session-streams.ts'

const operator = { viewer: { audience: 'operator' } } as const
const core = withUnknownFields(legalStreams({ subtasks: false }))

it.each([
  ['receiver', () => sessionReceiver<SessionInput>()],
  ['outbox', () => sessionOutbox<SessionInput>()],
  ['verifier', () => sessionVerifier()],
])('the %s takes any JSON value', (_, machine) => {
  expectTotal(machine as () => Machine<unknown, SessionInput, unknown, never>, realSessions)
})

describe('toSessionEvents', () => {
  it('loses what sessionLosses declares', () => {
    expectCoverageLaw({
      machine: () => toSessionEvents(operator),
      coverage: sessionCoverage,
      losses: sessionLosses,
    })
  })

  it('takes any JSON value', () => {
    expectTotal(() => toSessionEvents(), core)
  })

  it('maps to events that a strict client decodes', () => {
    fc.assert(
      fc.property(core, (events) => {
        for (const event of resultsOf(toSessionEvents(), events).flatMap(({ out }) => out)) {
          expect(decodeSessionEvent(event, { direction: 'server' })).toEqual({ status: 'known', event })
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it('keeps every field of every event that it does not drop, unknown fields included', () => {
    fc.assert(
      fc.property(core, (events) => {
        const steps = resultsOf(toSessionEvents(operator), events)
        const isDropped = (i: number): boolean =>
          steps[i]?.diagnostics.some(({ code }) => code === `dropped:${events[i]?.kind}`) === true
        const kept = events.filter((_, i) => !isDropped(i))
        const back = resultsOf(
          fromSessionEvents({ showErrors: true }),
          steps.flatMap(({ out }) => out),
        )
        expect(back.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
        expect(back.flatMap(({ out }) => out)).toEqual(kept)
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('fromSessionEvents', () => {
  const carriedByCore = (input: SessionInput): boolean =>
    (input.metadata as { core?: unknown } | undefined)?.core !== undefined
  const isStructure = (path: string, value: unknown, input: SessionInput): boolean =>
    /^\/(event|timestamp|session_id|seq|epoch|event_id|connection_id)$|^\/metadata\/(connection_id|orig_seq|orig_event_id)$/.test(
      path,
    ) ||
    value === null ||
    (typeof value === 'object' && Object.keys(value as object).length === 0) ||
    // The place among the other pieces.
    (input.event === 'agent.partial_answer' && /^\/(show_content|metadata\/chunk_index)$/.test(path)) ||
    // Milliseconds and a fraction.
    (path === '/metadata/progress_percent' && typeof value === 'number') ||
    carriedByCore(input)

  it.each([
    ['documented sessions', sessions],
    ['sessions of real servers', realSessions],
    ['sessions of real servers, not decoded', rawSessions],
  ])('reader law: loses nothing silently and maps to legal events: %s', (_, streams) => {
    expectReaderLaw({
      machine: () => fromSessionEvents({ showErrors: true }) as never,
      streams: streams as fc.Arbitrary<readonly SessionInput[]>,
      isStructure,
    })
  })

  it.each([
    ['sessions of real servers', realSessions],
    [
      'sessions that turnstream writes',
      core.map((events) => resultsOf(toSessionEvents(), events).flatMap(({ out }) => out)),
    ],
  ])('reader law: loses no field that the protocol does not know: %s', (_, streams) => {
    expectReaderLaw({
      machine: () => fromSessionEvents({ showErrors: true }) as never,
      streams: withForeignFields(streams as fc.Arbitrary<readonly SessionInput[]>),
      isStructure: (path, value, input) =>
        // The content and the metadata of an event that carries its core event are derived from it.
        path !== `/${FOREIGN}` && isStructure(path, value, input),
      isLegal: false,
    })
  })

  it('reads tool calls of real servers as if it were decoded leniently', () => {
    fc.assert(
      fc.property(rawSessions, (events) => {
        const decoded = events.map((event) => {
          if (!/^agent\.tool_/.test(event.event)) return event
          const result = decodeSessionEvent(event, { mode: 'lenient' })
          return (result.status === 'known' ? result.event : event) as SessionInput
        })
        expect(resultsOf(fromSessionEvents({ showErrors: true }), events)).toEqual(
          resultsOf(fromSessionEvents({ showErrors: true }), decoded),
        )
      }),
      { numRuns: runs(200) },
    )
  })

  it('takes any JSON value', () => {
    expectTotal(() => fromSessionEvents({ showErrors: true }) as never, rawSessions)
  })

  it.each([
    ['documented sessions', sessions],
    ['sessions of real servers', realSessions],
  ])('ends the task of a round that is cut off, as a gap unless it had an answer: %s', (_, streams) => {
    fc.assert(
      fc.property(streams, fc.nat(), (events, at) => {
        const results = resultsOf(
          fromSessionEvents({ showErrors: true }),
          events.slice(0, at % (events.length + 1)),
        )
        const isOpen = errorsOf(results.slice(0, -1).flatMap(({ out }) => out)).length > 0
        const { out = [], diagnostics = [] } = results.at(-1) ?? {}
        const isAnswered = out.some((event) => event.kind === 'task-status' && event.status === 'completed')
        const gaps = diagnostics.filter(({ code }) => code === 'gap')
        expect(gaps.length).toBe(isOpen && !isAnswered ? 1 : 0)
        expect(errorsOf(results.flatMap((result) => result.out))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('maps the same after repeats and a replay on another connection', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom('repeat', 'replay')), { maxLength: 4 })
    fc.assert(
      fc.property(fc.oneof(realSessions, sessions), edits, (events, edits) => {
        const sent = events.map((event, i) => ({ ...event, seq: i + 1, event_id: `c-1-${i + 1}` }))
        let seq = 0
        const again = (event: (typeof sent)[number]): (typeof sent)[number] => {
          seq++
          return restampSessionEvent(event, {
            session_id: 's-7',
            seq,
            event_id: `c-2-${seq}`,
          }) as typeof event
        }
        const received = [...sent]
        for (const [n, edit] of edits) {
          const at = n % received.length
          const copy = received[at] as (typeof sent)[number]
          received.splice(at + 1 + (n % (received.length - at)), 0, edit === 'repeat' ? copy : again(copy))
        }
        const outOf = (list: typeof sent): unknown[] =>
          resultsOf(
            pipe(sessionReceiver<(typeof sent)[number]>(), fromSessionEvents({ showErrors: true })),
            list,
          ).flatMap(({ out }) => out.map((event) => JSON.parse(JSON.stringify(event)) as unknown))
        expect(outOf(received)).toEqual(outOf(sent))
      }),
      { numRuns: runs(100) },
    )
  })

  it('maps what toSessionEvents wrote to valid events without throwing, whatever got lost or moved', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'repeat', 'move')), { maxLength: 3 })
    // Whether the texts and the result still agree depends on what got lost.
    const ofText = [
      'result-repeats-content',
      'segment-open-at-success',
      'result-artifacts',
      'task-ends',
      'time-order',
    ]
    fc.assert(
      fc.property(core, edits, (events, edits) => {
        const written: SessionInput[] = resultsOf(toSessionEvents(operator), events).flatMap(({ out }) => out)
        for (const [n, edit] of edits) {
          const at = n % Math.max(1, written.length)
          const [event] = edit === 'repeat' ? written.slice(at, at + 1) : written.splice(at, 1)
          if (event === undefined || edit === 'drop') continue
          written.splice(edit === 'repeat' ? at : (n * 7) % (written.length + 1), 0, event)
        }
        const out = resultsOf(fromSessionEvents({ showErrors: true }), written).flatMap(({ out }) => out)
        const errors = errorsOf(out) as { rule: string }[]
        expect(errors.filter(({ rule }) => !ofText.includes(rule))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('maps several sessions on one connection as it maps each alone', () => {
    const pair = fc.tuple(realSessions, realSessions, fc.infiniteStream(fc.boolean()))
    fc.assert(
      fc.property(pair, ([first, second, choices]) => {
        const named = (events: readonly SessionInput[], session_id: string): SessionInput[] =>
          events.map((event) => ({ ...event, session_id }))
        const lists = [named(first, 's-1'), named(second, 's-2')]
        const mixed: SessionInput[] = []
        const rest = lists.map((list) => [...list])
        while (rest.some((list) => list.length > 0)) {
          const list = rest[choices.next().value ? 0 : 1]?.length
            ? rest[choices.next().value ? 0 : 1]
            : undefined
          const next = (list?.length ? list : rest.find((each) => each.length > 0))?.shift()
          if (next !== undefined) mixed.push(next)
        }
        const outOf = (events: readonly SessionInput[]): ContextAnyEvent[] =>
          resultsOf(fromSessionEvents({ showErrors: true }), events).flatMap(({ out }) => [...out])
        const together = outOf(mixed)
        for (const [i, contextId] of ['s-1', 's-2'].entries()) {
          expect(together.filter((event) => event.contextId === contextId)).toEqual(outOf(lists[i] ?? []))
        }
      }),
      { numRuns: runs(100) },
    )
  })
})
