// Proves that a reader who gets a snapshot sees what one sees that was there from the start, whatever is hidden from both.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { redisLog } from 'turnstream/redis'
import { type SqlDatabase, sqlite, sqlLog, sqlStore } from 'turnstream/sql'
import {
  createStream,
  type EventLog,
  emptyView,
  foldEvents,
  project,
  readFilter,
  type TaskView,
  type View,
  type Viewer,
  watchStream,
} from 'turnstream/streams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audiences } from '../../../src/streams/access/audience.ts'
import type { LogLimits } from '../../../src/streams/log/memory/log-state.ts'
import { rootsOf } from '../../../src/streams/view/roots.ts'
import { sharedIds } from '../../support/hidden-events.ts'
import { itemOf, withLabels } from '../../support/legal-streams/labels.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { createRedisInMemory } from '../../support/redis-in-memory.ts'
import { runs } from '../../support/runs.ts'
import { createSqlite, type SqliteFile, sqliteNames } from '../../support/sqlite-databases.ts'
import { viewers as anyViewer, eventFilters } from '../access/viewers.ts'
import { restored, seesHalves } from '../view/restored.ts'

const kinds = [{ audience: 'user' }, { audience: 'user', subtasks: 'all' }, { audience: 'parent' }] as const
const viewers = fc.constantFrom<Viewer>(...kinds, { audience: 'observer' }, { audience: 'coordinator' })
/** A viewer, and a stream with events that it may not see. */
const reading = viewers.chain((viewer) => sharedIds(viewer).map((streams) => ({ viewer, ...streams })))
const clients = anyViewer.filter(({ audience }) => audience !== 'operator')
const anyReading = clients.chain((viewer) => sharedIds(viewer).map((streams) => ({ viewer, ...streams })))
const limits = fc.record({ maxEvents: fc.integer({ min: 1, max: 12 }) })

type Open = (stream: string, limits: Partial<LogLimits>) => Promise<EventLog>
const inMemory: Open = async (stream, limits) =>
  createStream({ stream, epoch: 'e', limits, now: () => 0 }).log
const inRedis: Open = (stream, limits) => redisLog({ client: createRedisInMemory(), stream, limits })

let file: SqliteFile
let database: SqlDatabase
let opened = 0
/** It evicts nothing. */
const inSql: Open = () => sqlLog({ database, stream: `s${opened++}` })
beforeAll(async () => {
  file = await createSqlite(sqliteNames[0] ?? '')
  database = sqlite(await file.connect())
  await sqlStore({ database }).createTables()
})
afterAll(() => file.end())

async function filled(log: EventLog, events: readonly ContextAnyEvent[]): Promise<EventLog> {
  for (const event of events) await log.append(event)
  return log
}

/** What a page shows of a log that is closed. It comes with a cursor that the log cannot continue, or without one. */
async function shown(log: EventLog, viewer: Viewer, cursor: string | null = null): Promise<View> {
  await log.close()
  const stream = createStream({ log })
  let view = emptyView
  const connect = async (): Promise<Response> => {
    const { body, headers } = stream.respond(cursor, { viewer })
    return new Response(body, { headers })
  }
  for await (const watched of watchStream(connect)) ({ view } = watched)
  return view
}

const at = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00.000Z' }
const secret = { metadata: { audience: ['operator'] } }
const list = (...events: object[]): ContextAnyEvent[] =>
  [{ kind: 'task-created', initiator: 'user' }, ...events].map(
    (event) => ({ ...at, ...event }) as ContextAnyEvent,
  )
const record = (n: number, more: object = {}): object => ({
  ...{ kind: 'data-write', artifactId: 'd', data: { n } },
  ...more,
})

const cases: readonly [string, ContextAnyEvent[]][] = [
  ['a record', list(record(1), record(2, secret))],
  ['a record that others may see again', list(record(1), record(2, secret), record(3))],
  [
    'a record with a hidden change',
    list(record(1), {
      ...{ kind: 'artifact-delta', artifactId: 'd', baseVersion: 1, version: 2 },
      change: { type: 'merge-patch', patch: { m: 1 } },
      ...secret,
    }),
  ],
  [
    'a custom part',
    list(
      { kind: 'custom', name: 'acme.a', customId: 'x', data: 1 },
      { kind: 'custom', name: 'acme.a', customId: 'x', data: 2, ...secret },
    ),
  ],
  [
    'a call',
    list(
      { kind: 'tool-start', toolCallId: 'a', toolName: 'search', arguments: { q: 1 } },
      { kind: 'tool-progress', toolCallId: 'a', progress: 0.5, ...secret },
    ),
  ],
  [
    'a status',
    list(
      { kind: 'task-status', status: 'working', message: 'Reading.' },
      { kind: 'task-status', status: 'working', message: 'Paying.', ...secret },
    ),
  ],
  [
    'a text',
    list(
      { kind: 'content-delta', delta: 'a', index: 0 },
      { kind: 'content-replace', content: 'b', ...secret },
    ),
  ],
  [
    'a question',
    list(
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' },
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn', ...secret },
    ),
  ],
]

/** The root of each task. */
const rootsIn = (tasks: readonly TaskView[]): string[] => tasks.map(rootsOf(tasks))
const cursors = fc.constantFrom(null, 'malformed')

describe.each([
  ['in memory', inMemory, runs(200)],
  ['in Redis', inRedis, runs(20, 100)],
  ['in a SQL database', inSql, runs(20, 100)],
] as const)('a reader of a log %s', (_, open, numRuns) => {
  it.each(cases)('sees %s as it was before a hidden event', async (_, events) => {
    const user = { audience: 'user' } as const
    const visible = events.flatMap((event) => project(event, user) ?? [])
    for (const maxEvents of [1, 2, 3]) {
      const log = await filled(await open('s', { maxEvents }), events)
      for (const cursor of [null, 'malformed']) {
        const view = await shown(log, user, cursor)
        expect(restored(view, true)).toEqual(restored(foldEvents(emptyView, visible), true))
      }
    }
  })

  it('sees what one sees from the start, whatever is hidden', async () => {
    await fc.assert(
      fc.asyncProperty(reading, limits, cursors, async ({ viewer, events }, limits, cursor) => {
        const visible = events.flatMap((event) => project(event, viewer) ?? [])
        const view = await shown(await filled(await open('s', limits), events), viewer, cursor)
        const isOrdered = !seesHalves(events, viewer)
        expect(restored(view, isOrdered)).toEqual(restored(foldEvents(emptyView, visible), isOrdered))
      }),
      { numRuns },
    )
  })

  it('gets the same snapshot whatever is hidden, within the limit that is asked for', async () => {
    const bound = fc.option(fc.integer({ min: 100, max: 5000 }), { nil: undefined })
    const wanted = fc.tuple(limits, bound)
    await fc.assert(
      fc.asyncProperty(anyReading, eventFilters, wanted, async (reading, wanted, [limits, maxBytes]) => {
        const { viewer, events, bare } = reading
        const filter = readFilter(viewer, wanted)
        const [one, other] = await Promise.all(
          [events, bare].map(async (all) => {
            const log = await filled(await open('s', limits), all)
            return log.snapshot?.(filter, { maxBytes })
          }),
        )
        expect(one?.events).toEqual(other?.events)
        expect(one?.forgotten).toEqual(other?.forgotten)
        expect(one?.older).toEqual(other?.older)
        if (maxBytes === undefined) return
        const size = Buffer.byteLength(JSON.stringify(one?.events))
        const { tasks } = foldEvents(emptyView, one?.events ?? [])
        if (new Set(rootsIn(tasks)).size > 1) expect(size).toBeLessThanOrEqual(maxBytes)
      }),
      { numRuns },
    )
  })

  it('refuses a limit that is none', async () => {
    const log = await open('s', {})
    await expect(log.snapshot?.(undefined, { maxBytes: 0 })).rejects.toThrow(
      '"maxBytes" must be an integer >= 1, got 0.',
    )
  })
})

it('forgets the same tasks whatever is hidden', async () => {
  const maxBytes = fc.integer({ min: 1000, max: 5000 })
  await fc.assert(
    fc.asyncProperty(reading, limits, maxBytes, async ({ viewer, events, bare }, limits, maxBytes) => {
      const filter = readFilter(viewer)
      const [one, other] = await Promise.all(
        [events, bare].map(async (all) => {
          const log = await filled(await inMemory('s', { ...limits, maxBytes }), all)
          return log.snapshot?.(filter)
        }),
      )
      expect(one?.events).toEqual(other?.events)
      expect(one?.forgotten).toEqual(other?.forgotten)
    }),
    { numRuns: runs(200) },
  )
})

/** A label leaves nothing of metadata without keys. */
function withoutEmptyMetadata(event: ContextAnyEvent): ContextAnyEvent {
  const { metadata, ...fields } = event as ContextAnyEvent & { metadata?: object }
  return Object.keys(metadata ?? {}).length === 0 ? (fields as ContextAnyEvent) : event
}

it('an operator sees who may see what, as from the start', async () => {
  const label = fc.option(fc.subarray([...audiences]), { nil: undefined })
  const labels = fc.array(label, { minLength: 1, maxLength: 12 })
  const streams = fc.oneof(
    legalStreams({ internal: false }),
    legalStreams({ internal: false, sharedArtifacts: true, focus: 'artifacts' }),
  )
  await fc.assert(
    fc.asyncProperty(streams, labels, limits, async (stream, labels, limits) => {
      const plain = stream.map(withoutEmptyMetadata)
      const [byItem, byEvent] = [withLabels(plain, labels), withLabels(plain, labels, true)]
      const events = plain.map((event, i) => {
        // What ends an item with another label leaves no trace of those that its parts had.
        if (event.kind === 'content-complete') return event
        return (/^(tool|input) /.test(itemOf(event, i)) ? byItem : byEvent)[i] ?? event
      })
      const view = await shown(await filled(await inMemory('s', limits), events), { audience: 'operator' })
      expect(restored(view, true)).toEqual(restored(foldEvents(emptyView, events), true))
    }),
    { numRuns: runs(200) },
  )
})
