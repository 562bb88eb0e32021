// An event without a time has that of the clock; if the server states times, that of the server, as it has gone on since.

import fc from 'fast-check'
import { run } from 'turnstream'
import { type AgUiEvent, fromAgUi } from 'turnstream/ag-ui'
import { expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'

const events = [
  { type: 'RUN_STARTED', threadId: 'c', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 'c', runId: 'r' },
]

const instants = (outputs: readonly { readonly timestamp: string }[]): number[] =>
  outputs.map(({ timestamp }) => Date.parse(timestamp))

it('are those of the clock if the server states none', () => {
  let time = 5000
  const { push } = run(fromAgUi({ now: () => time }))
  const read = events.flatMap((event) => {
    time += 100
    return instants(push(event as AgUiEvent))
  })
  expect([...new Set(read)]).toEqual([5100, 5300, 5400, 5500])
})

it('go on from the last time of the server, whatever the clock says', () => {
  let time = 5000
  const { push } = run(fromAgUi({ now: () => time }))
  const at = (i: number, more: object): number[] => instants(push({ ...events[i], ...more } as AgUiEvent))
  expect(at(0, { timestamp: 1_000_000 })).toEqual([1_000_000, 1_000_000])
  at(1, {})
  time += 30
  expect(at(2, {})).toEqual([1_000_030])
  expect(at(3, { timestamp: 1_000_020 })).toEqual([1_000_030])
  time += 7
  expect(at(4, { timestamp: 1_000_040 })).toEqual([1_000_040, 1_000_040])
})

it('are never reported but for a server whose own go back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.nat(50)), { minLength: 5, maxLength: 5 }),
      fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 5, maxLength: 5 }),
      (stated, passed) => {
        let time = 100
        const codes: string[] = []
        const { push } = run(fromAgUi({ now: () => time }), { onDiagnostic: ({ code }) => codes.push(code) })
        const read = events.flatMap((event, i) => {
          time += passed[i] ?? 0
          const timestamp = stated[i]
          return instants(push({ ...event, ...(timestamp !== null && { timestamp }) } as AgUiEvent))
        })
        const known = stated.filter((each) => each !== null)
        const goesBack = known.some((each, i) => known.slice(0, i).some((earlier) => earlier > each))
        expect(codes.includes('lossy:timestamp')).toBe(goesBack)
        expect(read).toEqual(read.toSorted((a, b) => a - b))
      },
    ),
    { numRuns: runs(60) },
  )
})
