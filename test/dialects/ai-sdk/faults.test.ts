// Pages read what the writer makes of streams with faults: events that are lost, come twice, or in another order.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUiMessageStream, type UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { eventStreams } from './event-streams.ts'
import { expectAccepted, readMessage } from './readers.ts'

const faults = fc.array(fc.tuple(fc.constantFrom('lost', 'twice', 'moved'), fc.nat(), fc.nat()), {
  maxLength: 8,
})

/** The events with faults. */
function withFaults(
  events: readonly ContextAnyEvent[],
  list: readonly (readonly [fault: string, at: number, to: number])[],
): ContextAnyEvent[] {
  const faulty = [...events]
  for (const [fault, at, to] of list) {
    const place = at % Math.max(1, faulty.length)
    const taken = fault === 'twice' ? faulty.slice(place, place + 1) : faulty.splice(place, 1)
    if (fault !== 'lost') faulty.splice(fault === 'twice' ? place : to % (faulty.length + 1), 0, ...taken)
  }
  return faulty
}

it.each([5, 6, 7] as const)(
  'shows streams with faults without an error of the reader, in version %i',
  (version) =>
    fc.assert(
      fc.asyncProperty(eventStreams(), faults, async (events, list) => {
        const machine = toUiMessageStream({ version, viewer: { audience: 'operator' } })
        const steps = resultsOf(machine as never, withFaults(events, list) as never[])
        const chunks = steps.flatMap(({ out }) => out as UiMessageChunk[])
        await expectAccepted(version, chunks)
        const stated = chunks.flatMap((chunk) => (chunk.type === 'error' ? [chunk.errorText] : []))
        const { errors } = await readMessage(version, chunks)
        expect(errors.filter((error) => !stated.includes(error))).toEqual([])
      }),
      { numRuns: runs(100) },
    ),
)
