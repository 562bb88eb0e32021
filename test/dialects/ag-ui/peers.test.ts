// What is written is what the protocol's own packages accept.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { orderErrorsOf, schemaErrorsOf } from './peers.ts'
import { outputsOf, writer } from './support.ts'

describe.each([false, true])('a stream with the extension %s', (extension) => {
  it('has events that the schemas of the protocol accept', () => {
    fc.assert(
      fc.property(legalStreams({ revisions: true }), (events) => {
        expect(schemaErrorsOf(outputsOf(writer({ extension }), events))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('is in an order that the client accepts', () => {
    fc.assert(
      fc.property(legalStreams({ revisions: true }), (events) => {
        expect(orderErrorsOf(outputsOf(writer({ extension }), events))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
})
