/** The law of pages: that of the newest tasks, of which alone the events are read, is that of the whole stream. */
import fc from 'fast-check'
import { type ContextAnyEvent, isTaskEnd } from 'turnstream'
import {
  type EventLog,
  emptyView,
  foldEvents,
  historyPage,
  type ReadFilter,
  readFilter,
} from 'turnstream/streams'
import { expect } from 'vitest'
import type { TaskLog } from '../../src/streams/serve/newest-page.ts'
import { type HistoryPage, newcomerLimits, pageOf } from '../../src/streams/view/snapshot/history-page.ts'
import { exactEvents } from '../../src/streams/view/snapshot/snapshot-events.ts'
import { legalStreams } from './legal-streams.ts'

export type Loose = { [field: string]: unknown }

export const hide = (event: Loose): Loose => ({
  ...event,
  metadata: { ...(event.metadata as object), audience: ['operator'] },
})

/** What is done to some of the events: none of it is legal in all places. */
const changes: readonly ((event: Loose, n: number) => Loose)[] = [
  hide,
  (event) => ({ ...event, metadata: { ...(event.metadata as object), audience: ['observer', 'parent'] } }),
  (event, n) => ({ ...event, parentTaskId: `${n % 3}.task-1` }),
  ({ parentTaskId: _, ...event }) => event,
  (event) => ({ timestamp: event.timestamp, ...event, kind: 'internal:step' }),
]

/** Tasks that run at the same time, after one another or both, and that write to the same artifacts. */
const conversations: fc.Arbitrary<ContextAnyEvent[]> = fc
  .record({
    streams: fc.array(
      fc.boolean().chain((ended) => legalStreams({ ended, maxChoices: 6 })),
      { minLength: 1, maxLength: 12, size: 'max' },
    ),
    /** Which of them goes on, beside the one whose turn it is. */
    order: fc.array(fc.nat(5), { maxLength: 60 }),
    artifacts: fc.constantFrom('shared', 'own'),
    contexts: fc.constantFrom(['ctx-1'], ['ctx-1', 'ctx-2']),
    sameIds: fc.boolean(),
    hidesEnds: fc.boolean(),
    changed: fc.dictionary(fc.nat(99).map(String), fc.nat(changes.length - 1), { maxKeys: 12 }),
  })
  .map(({ streams, order: orders, artifacts, contexts, sameIds, hidesEnds, changed }) => {
    const left = streams.map((events, n) =>
      events.map((event): Loose => {
        const prefix = sameIds ? `s${n >> 1}` : String(n)
        const ids = ['taskId', 'subtaskId', 'parentTaskId', ...(artifacts === 'own' ? ['artifactId'] : [])]
        const renamed = ids.flatMap((id) =>
          id in event ? [[id, `${prefix}.${(event as unknown as Loose)[id]}`]] : [],
        )
        const own = { ...event, contextId: contexts[n % contexts.length], ...Object.fromEntries(renamed) }
        return hidesEnds && n % 2 === 0 && isTaskEnd(event) ? hide(own) : own
      }),
    )
    const all: Loose[] = []
    const order = [...orders]
    for (const own of left) {
      // The one that is next, or the one after it, begins before this one ends.
      for (const at of own.length > 0 ? order.splice(0, 6) : [])
        all.push(...own.splice(0, 2), ...(left[left.indexOf(own) + (at % 3)]?.splice(0, at % 2) ?? []))
      all.push(...own)
    }
    return all.map((event, i) => {
      const change = changes[changed[i] ?? -1]
      return (change === undefined ? event : change(event, i)) as unknown as ContextAnyEvent
    })
  })

const filters = [
  undefined,
  readFilter(),
  readFilter({ audience: 'observer' }),
  readFilter({ audience: 'operator', subtasks: 'all' }),
  readFilter({ audience: 'user' }, { kinds: ['content-*', 'tool-*'] }),
  readFilter({ audience: 'user' }, { tasks: ['1.task-1', '2.task-1'] }),
]

/** The log, which can be told how many events to look at first. */
interface TestedLog extends TaskLog {
  newestPage(
    ...page: [...Parameters<TaskLog['newestPage']>, first?: number]
  ): ReturnType<TaskLog['newestPage']>
}

/** Opens the log of a new stream. */
export type OpenNew = () => Promise<EventLog>

/** A log, and its events as readers get them. */
async function logOf(open: OpenNew, events: readonly ContextAnyEvent[]) {
  const log = await open()
  await Promise.all(events.map((event) => log.append(event)))
  // Its writer would renew the leases of tasks that have not ended.
  await log.close()
  const read: ContextAnyEvent[] = []
  for (let part = await log.read(); part.type === 'batch' && part.events.length > 0; ) {
    read.push(...part.events)
    part = await log.read({ ...part, seq: part.through })
  }
  return { log, read }
}

/** Each page of the history. */
export async function expectPagesOfWhole(open: OpenNew, numRuns: number): Promise<void> {
  let partly = 0
  await fc.assert(
    fc.asyncProperty(
      conversations,
      fc.constantFrom(...filters),
      fc.record({ limit: fc.integer({ min: 1, max: 4 }), maxBytes: fc.constantFrom(300, 3000, 30_000) }),
      fc.integer({ min: 1, max: 10 }),
      async (events, filter, limits, first) => {
        const { log, read } = await logOf(open, events)
        const seen = read.flatMap((event) => (filter === undefined ? event : (filter.apply(event) ?? [])))
        const view = foldEvents(emptyView, seen)
        for (let before: string | undefined; ; ) {
          const options = { ...limits, ...(before !== undefined && { before }) }
          const page = await (log as TestedLog).newestPage(filter, options, first)
          if (page === undefined) return
          const { events, older } = historyPage(view, options)
          expect([page.page.events, page.page.older]).toEqual([events, older])
          partly++
          if (older === undefined) break
          before = older
        }
        for (const before of ['1.task-1', 's1.task-1', '2.task-2', 'x']) {
          const page = await (log as TestedLog).newestPage(filter, { ...limits, before }, first)
          expect(page?.page.events).toEqual(historyPage(view, { ...limits, before }).events)
        }
      },
    ),
    { numRuns },
  )
  expect(partly).toBeGreaterThan(0)
}

/** What a reader without a cursor gets. Returns the tasks. */
export async function expectAsNewcomer(
  open: OpenNew,
  events: readonly ContextAnyEvent[],
  filter: ReadFilter | undefined,
  maxBytes: number,
  first: number,
): Promise<string[]> {
  const { log, read } = await logOf(open, events)
  const seen = read.flatMap((event) => (filter === undefined ? event : (filter.apply(event) ?? [])))
  const limits = newcomerLimits(maxBytes, exactEvents)
  const { events: expected, older } = pageOf(foldEvents(emptyView, seen), limits) as HistoryPage
  const page = await (log as TestedLog).newestPage(filter, limits, first)
  if (page !== undefined) expect([page.page.events, page.page.older]).toEqual([expected, older])
  return [...new Set(expected.map(({ taskId }) => taskId))]
}

export async function expectNewcomersOfWhole(open: OpenNew, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      conversations,
      fc.constantFrom(...filters),
      fc.constantFrom(300, 1000, 2000),
      fc.integer({ min: 1, max: 10 }),
      async (...args) => void (await expectAsNewcomer(open, ...args)),
    ),
    { numRuns },
  )
}
