// Tests how Redis stores the views of a stream: what comes back, and that what several views have is stored once.
import fc from 'fast-check'
import { emptyView, foldEvents, snapshotEvents } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { storedViews, viewsIn } from '../../src/redis/stored-views.ts'
import { audiences } from '../../src/streams/access/audience.ts'
import { type AudienceView, AudienceViews } from '../../src/streams/view/snapshot/audience-views.ts'
import { restored } from '../streams/view/restored.ts'
import { sharedIds } from '../support/hidden-events.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { runs } from '../support/runs.ts'

function viewsOf(events: Iterable<Parameters<AudienceViews['push']>[0]>): readonly AudienceView[] {
  const views = new AudienceViews()
  for (const event of events) views.push(event)
  return views.views()
}

const forgotten = { tasks: [], before: '2026-01-01T00:00:00.000Z', more: true } as const

it('gives back what was stored', () => {
  fc.assert(
    fc.property(sharedIds({ audience: 'user' }), ({ events }) => {
      const views = viewsOf(events).map((one, i) => (i === 1 ? { ...one, forgotten } : one))
      const loaded = viewsIn(JSON.stringify(storedViews(views)))
      expect(loaded.map((one) => one.audiences)).toEqual(views.map((one) => one.audiences))
      expect(loaded.map((one) => one.forgotten)).toEqual(views.map((one) => one.forgotten))
      // Those who see the stream as it was meant to be have the view that they had.
      const ofUser = (all: readonly AudienceView[]) => all.find((one) => one.audiences.includes('user'))
      expect(restored(ofUser(loaded)?.view ?? emptyView, true)).toEqual(
        restored(ofUser(views)?.view ?? emptyView, true),
      )
    }),
    { numRuns: runs(200) },
  )
})

it('loads what has one view for all', () => {
  fc.assert(
    fc.property(legalStreams({ internal: false }), (events) => {
      const view = foldEvents(emptyView, events)
      const [one, ...others] = viewsIn(JSON.stringify({ events: snapshotEvents(view), forgotten }))
      expect(others).toEqual([])
      expect(one).toMatchObject({ audiences, forgotten })
      expect(restored(one?.view ?? emptyView, true)).toEqual(restored(view, true))
    }),
    { numRuns: runs(100) },
  )
})

it('stores what several views have once', () => {
  const base = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00.000Z' }
  const events = [
    { kind: 'task-created', initiator: 'user' },
    { kind: 'custom', name: 'acme.secret', data: 'x'.repeat(999), metadata: { audience: ['operator'] } },
    { kind: 'content-complete', content: 'y'.repeat(999) },
  ].map((event) => ({ ...base, ...event }) as never)
  const json = JSON.stringify(storedViews(viewsOf(events)))
  expect(json.match(/x{999}/g)).toHaveLength(1)
  expect(json.match(/y{999}/g)).toHaveLength(1)
})
