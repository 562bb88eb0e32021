/** How readers wait, and how a stream ends. */
import { readFilter } from '../streams/log/read-filter.ts'
import { expectEqual } from './expect-equal.ts'
import type { Laws } from './law.ts'
import { endAt, eventOf, filled, readAll, summaryOf, thoughtOf } from './sample-log.ts'

const user = readFilter({ audience: 'user' })

export const waitingLaws: Laws = {
  async 'a reader that waits is woken by an event and by the end, in every process'({
    stream,
    open,
    settle,
  }) {
    const [log, other] = [await open(), await open()]
    const { epoch } = await log.read()
    expectEqual(summaryOf(await log.read()), [-1, []], 'a read without waiting')
    for (let seq = 0; seq < 5; seq++) {
      const at = { stream, epoch, seq: seq - 1 }
      const waiting = [log, log, other].map((reader) => reader.read(at, { wait: true }))
      if (seq === 0) await settle()
      await other.append(eventOf(seq))
      for (const part of waiting) expectEqual(summaryOf(await part), [seq, [eventOf(seq)]], 'the next event')
    }
    const waiting = [log, other].map((reader) => reader.read({ stream, epoch, seq: 4 }, { wait: true }))
    // One that asks only now would see the end, woken or not.
    await settle()
    await other.close()
    for (const part of waiting) expectEqual(await part, endAt({ stream, epoch, seq: 4 }), 'the end')
  },

  async 'a reader that waits for hidden events moves on'({ stream, open }) {
    const log = await open()
    const { epoch } = await log.read()
    const waiting = log.read({ stream, epoch, seq: -1, filter: user.id }, { wait: true, filter: user })
    await log.append(thoughtOf(0))
    expectEqual(summaryOf(await waiting), [0, []], 'an empty batch through 0')
  },

  async 'aborting ends the wait with an empty batch'({ stream, open, settle }) {
    const log = await open()
    const { epoch } = await log.read()
    const at = { stream, epoch, seq: -1 }
    const controller = new AbortController()
    const { signal } = controller
    const waiting = [log.read(at, { wait: true, signal }), log.read(at, { wait: true, signal })]
    controller.abort()
    waiting.push(log.read(at, { wait: true, signal }))
    for (const part of waiting) expectEqual(summaryOf(await part), [-1, []], 'an empty batch')
    const late = new AbortController()
    const longer = log.read(at, { wait: true, signal: late.signal })
    await settle()
    late.abort()
    expectEqual(summaryOf(await longer), [-1, []], 'an empty batch after a while')
    await log.append(eventOf(0))
    expectEqual(summaryOf(await log.read(at, { signal })), [0, [eventOf(0)]], 'the event, without waiting')
  },

  async 'a closed stream ends for every reader and takes no events'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    await log.close()
    await log.close()
    const other = await open()
    for (const handle of [log, other]) {
      const error = await handle.append(eventOf(0)).then(
        () => 'a position',
        (reason: unknown) => reason,
      )
      if (!(error instanceof TypeError))
        throw new Error(`Expected append to reject with a TypeError, got ${String(error)}.`)
      const end = { ...at, seq: events.length - 1 }
      expectEqual(await handle.read(end, { wait: true }), endAt(end), 'the end')
      const page = await handle.read({ ...at, seq: 0 }, { maxBytes: 1 })
      expectEqual([page.through, 'closed' in page], [1, false], 'a page before the end, not closed')
      expectEqual((await readAll(handle, undefined)).seqs.length, events.length, 'the number of events')
    }
  },
}
