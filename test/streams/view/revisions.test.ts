// Streams with revisions anywhere: what they, their compaction and their snapshot fold to is the same.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compact, emptyView, foldEvents, snapshotEvents } from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { errorsIn, soundStreams } from '../verify/support.ts'
import { restored } from './restored.ts'

it('revisions anywhere: stream, compaction and snapshot agree', () => {
  const streams = fc.oneof(soundStreams({ ended: false }), soundStreams({ focus: 'texts', ended: false }))
  fc.assert(
    fc.property(streams, fc.nat(), (stream, cut) => {
      const events = stream.slice(0, 1 + (cut % stream.length))
      const view = foldEvents(emptyView, events)
      expect(errorsIn(events, { mode: 'lenient' })).toEqual([])
      expect(foldEvents(emptyView, compact(events))).toEqual(view)
      const again = foldEvents(emptyView, snapshotEvents(view))
      expect(restored(again, true)).toEqual(restored(view, true))
    }),
    { numRuns: runs(200) },
  )
})
