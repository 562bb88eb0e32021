// Events survive mapping to AG-UI and back: whole with the extension, otherwise except for the declared losses.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { closing, outputsOf, reader, writer } from './support.ts'

it('restores every event with the extension', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const written = outputsOf(writer({ extension: true }), events)
      expect(outputsOf(reader({ extension: true }), written)).toEqual(events)
    }),
    { numRuns: runs(300) },
  )
})

it('reads what it writes as a legal stream', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const back = outputsOf(closing(), outputsOf(writer(), events))
      expect(errorsOf(back)).toEqual([])
    }),
    { numRuns: runs(300) },
  )
})
