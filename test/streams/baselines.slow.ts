// Proves that nothing changes unseen in what is made of streams with and without faults: views, snapshots, violations, projections, and
// what a log sends.
import fc from 'fast-check'
import { type Diagnostic, pipe, run } from 'turnstream'
import {
  applyBackpressure,
  batchDecoder,
  type Cursor,
  closeDangling,
  compact,
  cursorAfter,
  decideBackpressure,
  emptyView,
  encodeBatch,
  foldEvents,
  historyPage,
  openRequests,
  project,
  readFilter,
  receiver,
  snapshotEvents,
  type Viewer,
  verifier,
} from 'turnstream/streams'
import { it } from 'vitest'
import type { ContextAnyEvent } from '../../src/events/event.ts'
import { KeptLog } from '../../src/streams/serve/kept-log.ts'
import { boundedView } from '../../src/streams/view/bounded-view.ts'
import { baselineOf, drawn, madeBy } from '../support/baseline.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { eventFilters, viewers } from './access/viewers.ts'
import { approvalStreams, deltaStreams, soundStreams, strayStreams } from './verify/support.ts'

const streams = drawn(
  fc.oneof(
    soundStreams({ maxChoices: 80 }),
    legalStreams({ revisions: true, focus: 'artifacts' }),
    ...[strayStreams, approvalStreams, deltaStreams],
  ),
  120,
)
const expectBaseline = baselineOf('streams')
const viewOf = (events: readonly ContextAnyEvent[]) => foldEvents(emptyView, events)

it('violations', () =>
  expectBaseline('violations', streams, (events) => [
    ...(['strict', 'standard', 'lenient'] as const).map((mode) => madeBy(verifier({ mode }), events)),
    madeBy(verifier({ mode: 'strict', startIndex: 1, external: true }), events.slice(events.length / 3)),
  ]))
it('views', () => expectBaseline('views', streams, viewOf))
it('views, made smaller', () =>
  expectBaseline('bounded', streams, (events) => {
    const view = viewOf(events)
    return [500, 2000].map((most) => boundedView(view, most))
  }))
it('the events of snapshots, the ends of what is open, and pages of a history', () =>
  expectBaseline('snapshots', streams, (events) => {
    const view = viewOf(events)
    const at = '2026-02-01T00:00:00.000Z'
    const newest = historyPage(view, { limit: 1, maxBytes: 3000 })
    const { older: before } = newest
    return [
      ...[openRequests(view), snapshotEvents(view), compact(events)],
      ...[
        closeDangling(view, { reason: 'gone', at }),
        closeDangling(view, { reason: 'x', at, status: 'canceled' }),
      ],
      ...[newest, before === undefined ? [] : historyPage(view, { before })],
    ]
  }))

const readers = drawn(fc.tuple(viewers, fc.option(eventFilters, { nil: {} })), streams.length, 2)

it('projections', () =>
  expectBaseline(
    'projections',
    streams.map((events, i) => [events, readers[i]?.[0]] as const),
    ([events, viewer]) => events.map((event) => project(event, viewer as Viewer)),
  ))

it('what a log sends, and what a client makes of a part of it', () =>
  expectBaseline(
    'logs',
    streams.map((events, i) => [events, i, readers[i] as (typeof readers)[number]] as const),
    async ([events, i, [viewer, filter]]) => {
      const diagnostics: Diagnostic[] = []
      const limits = i % 2 === 0 ? {} : { maxEvents: 12, maxBytes: 3000 }
      let time = 0
      const log = new KeptLog(
        { stream: 's', epoch: 'e', limits },
        () => time++,
        (one) => diagnostics.push(one),
      )
      const filtered = i % 3 === 0 ? {} : { filter: readFilter(viewer, filter) }
      const texts: string[] = []
      const read = async (cursor: Cursor | null, wanted: number): Promise<Cursor> => {
        const part = await log.read(cursor, { ...filtered, maxBytes: 1500 })
        const lag = part.type === 'batch' ? part.events.length * 40 * (i % 5) : 0
        const limited = applyBackpressure(part, decideBackpressure(lag), compact)
        for (const each of [part, limited]) texts.push(encodeBatch(each, { viewer: 'all' }))
        const next = cursorAfter(part)
        return wanted > 1 && next.seq < log.state.next - 1 ? read(next, wanted - 1) : next
      }
      const half = Math.floor(events.length / 2)
      for (const event of events.slice(0, half)) await log.append(event)
      const place = await read(null, 2)
      for (const event of events.slice(half)) await log.append(event)
      await log.close()
      await read(place, 8)
      await read({ ...place, epoch: 'other' }, 1)
      const snapshots = [
        await log.snapshot(filtered.filter),
        await log.snapshot(filtered.filter, { maxBytes: 2000 }),
      ]
      const kept = texts.filter((_, at) => (at * 7 + i) % 5 > 0)
      const client = run(pipe(batchDecoder(), receiver()), { onDiagnostic: (one) => diagnostics.push(one) })
      const received = [...kept.flatMap((text) => [...client.push(text)]), ...client.end()]
      return [texts, snapshots, received, diagnostics]
    },
  ))
