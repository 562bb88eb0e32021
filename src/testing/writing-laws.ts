/** One order for all that is appended. */
import { pause } from '../core/timer.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { type Batch, cursorAfter } from '../streams/log/batch.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import { expectEqual } from './expect-equal.ts'
import type { Laws } from './law.ts'
import { eventOf, readAll } from './sample-log.ts'

/** What no reader can use. */
const notEvents: readonly unknown[] = [null, 'text', {}, { ...eventOf(0), kind: undefined }]

export const writingLaws: Laws = {
  async 'append refuses what is no event, and stores nothing of it'({ open }) {
    const log = await open()
    for (const value of notEvents) {
      const outcome = await Promise.resolve()
        .then(() => log.append(value as ContextAnyEvent))
        .catch((error: unknown) => error)
      if (!(outcome instanceof TypeError)) {
        const got = outcome instanceof Error ? String(outcome) : 'a position'
        throw new Error(`Expected a TypeError for ${JSON.stringify(value)}, got ${got}.`)
      }
    }
    expectEqual((await readAll(log, undefined)).events, [], 'the events')
    await log.append(eventOf(0))
    expectEqual((await readAll(log, undefined)).events, [eventOf(0)], 'the events')
  },

  async 'concurrent writers get one order, that of its calls for each'({ open }) {
    const logs = [await open(), await open(), await open()]
    const count = 60
    const positions = await Promise.all(
      Array.from({ length: count }, (_, n) => (logs[n % logs.length] as EventLog).append(eventOf(n))),
    )
    const order: number[] = []
    for (const [n, { seq }] of positions.entries()) order[seq] = n
    const expected = Array.from({ length: count }, (_, seq) => eventOf(order[seq] ?? -1))
    expectEqual(
      (await readAll(logs[0] as EventLog, undefined)).events,
      expected,
      'the events in the order of their positions',
    )
    for (const writer of logs.keys()) {
      const own = positions.map(({ seq }) => seq).filter((_, n) => n % logs.length === writer)
      expectEqual(
        own,
        own.toSorted((a, b) => a - b),
        `the positions of writer ${writer}`,
      )
    }
  },

  async 'what was read stays, and what was appended can be read, while others append'({ stream, open }) {
    const logs = [await open(), await open(), await open()]
    const reader = await open()
    const count = 60
    const { epoch } = await reader.read()
    const writing = Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const { seq } = await (logs[n % logs.length] as EventLog).append(eventOf(n))
        if (n % 7 !== 0) return
        const part = await reader.read({ stream, epoch, seq: seq - 1 })
        const found = part.type === 'batch' && part.seqs[0]
        expectEqual(found, seq, 'the position of an event that was appended, when it is read')
      }),
    )
    const read: Pick<Batch, 'events' | 'seqs'>[] = []
    const reading = async (): Promise<void> => {
      let at: Cursor = { stream, epoch, seq: -1 }
      while (at.seq < count - 1) {
        const part = await reader.read(at, { wait: true })
        if (part.type === 'reset') throw new Error(`Expected a batch, got a reset: ${part.reason}.`)
        read.push(part)
        at = cursorAfter(part)
      }
    }
    // Together: whichever fails first is the failure, and the other is not left unhandled.
    await Promise.all([writing, reading()])
    const all = { events: read.flatMap(({ events }) => events), seqs: read.flatMap(({ seqs }) => seqs) }
    expectEqual(all, await readAll(reader, undefined), 'the events that were read meanwhile')
  },

  async 'an event whose append is aborted is stored once if it is appended again'({ open }) {
    const [log, reader] = [await open(), await open()]
    const events = Array.from({ length: 20 }, (_, n) => eventOf(n))
    for (const [n, event] of events.entries()) {
      const waiting = new AbortController()
      const appending = log.append(event, { signal: waiting.signal })
      // Before it has begun, and after.
      if (n % 2 === 1) await pause(0)
      waiting.abort(new Error('Nobody waits any more.'))
      // It may have ended before, or the log waits for its end.
      await appending.catch(() => log.append(event))
    }
    expectEqual((await readAll(reader, undefined)).events, events, 'the events')
  },

  async 'events of a subtask have its parentTaskId once an event stated it'({ open }) {
    const [log, other] = [await open(), await open()]
    const base = eventOf(0)
    const child = { ...base, taskId: 'child' }
    const created = { ...base, kind: 'subtask-created', subtaskId: 'child', prompt: 'Go' } as ContextAnyEvent
    for (const event of [child, created, child]) await log.append(event)
    await other.append(child)
    const { events } = await readAll(log, undefined)
    const parents = events.map((event) => ('parentTaskId' in event ? event.parentTaskId : null))
    expectEqual(parents, [null, null, base.taskId, base.taskId], 'the parents')
  },
}
