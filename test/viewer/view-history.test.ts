// Proves that the view at a position is that of folding all events before it, whatever was asked for before.

import fc from 'fast-check'
import { emptyView, foldEvents } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { ViewHistory } from '../../src/viewer/model/view-history.ts'
import { legalStreams } from '../support/legal-streams.ts'

const positions = fc.array(fc.integer({ min: -2, max: 200 }), { minLength: 1, maxLength: 12 })

it('the view at a position is the fold of the events before it, in any order of positions', () => {
  fc.assert(
    fc.property(legalStreams(), positions, fc.integer({ min: 1, max: 9 }), (events, wanted, every) => {
      const history = new ViewHistory(events, every)
      for (const position of wanted) {
        const folded = foldEvents(emptyView, events.slice(0, Math.max(0, position)))
        expect(history.viewAt(position)).toEqual(folded)
      }
    }),
  )
})

it('events that are appended later are folded', () => {
  fc.assert(
    fc.property(legalStreams(), fc.nat(), fc.integer({ min: 1, max: 9 }), (events, cut, every) => {
      const growing = events.slice(0, cut % (events.length + 1))
      const history = new ViewHistory(growing, every)
      history.viewAt(growing.length)
      growing.push(...events.slice(growing.length))
      expect(history.viewAt(events.length)).toEqual(foldEvents(emptyView, events))
    }),
  )
})

it('no change gives the same view', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const history = new ViewHistory(events)
      expect(history.viewAt(events.length)).toBe(history.viewAt(events.length))
    }),
  )
})
