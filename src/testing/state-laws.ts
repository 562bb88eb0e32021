/** The laws of logs that store a state beside their events. */
import { pause } from '../core/timer.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import type { StateLog } from '../streams/log/event-log.ts'
import { expectEqual } from './expect-equal.ts'
import { isStateLog, type Laws } from './law.ts'
import { eventOf, readAll } from './sample-log.ts'

/** How often something is tried that others can be faster at. */
const ATTEMPTS = 200

/** What the laws store: how many events there are. */
interface Count {
  readonly count: number
}

export const stateLaws: Laws = {
  async 'appendIf appends events and stores a state together, unless either has changed'({ open }) {
    const [log, other] = [await open(), await open()]
    if (!(isStateLog(log) && isStateLog(other))) return 'skipped'
    const { epoch } = await log.read()
    const none = await log.loadState()
    expectEqual([none.version, 'state' in none], ['0', false], 'the state before the first')
    const first = await log.appendIf({ epoch, next: 0, version: '0' }, [eventOf(0), eventOf(1)], { count: 2 })
    expectEqual(typeof first, 'string', 'the version')
    const version = String(first)
    expectEqual(
      await other.loadState(),
      { version, state: { count: 2 }, through: { epoch, seq: 1 } },
      'the state',
    )
    expectEqual((await other.loadState(version)).version, version, 'the version of a known state')
    await other.append(eventOf(2))
    const bad = [eventOf(99)]
    for (const [what, at] of Object.entries({
      'another version': { epoch, next: 3, version: '0' },
      'an earlier end': { epoch, next: 2, version },
      'another epoch': { epoch: `${epoch}-other`, next: 3, version },
    })) {
      expectEqual(await log.appendIf(at, bad, { count: 99 }), undefined, `the answer to ${what}`)
    }
    const second = await other.appendIf({ epoch, next: 3, version }, [], { count: 3 })
    expectEqual(second === undefined || second === version, false, 'whether the version stays')
    const stored = await log.loadState(version)
    expectEqual(
      stored,
      { version: second, state: { count: 3 }, through: { epoch, seq: 2 } },
      'the next state',
    )
    expectEqual(
      (await readAll(log, undefined)).events,
      [0, 1, 2].map((n) => eventOf(n)),
      'the events',
    )
    await other.close()
    const error = await log
      .appendIf({ epoch, next: 3, version: String(second) }, bad, { count: 99 })
      .catch((reason: unknown) => reason)
    expectEqual(error instanceof TypeError, true, 'whether a closed log refuses with a TypeError')
  },

  async 'of appendIf calls at the same time one wins, and nobody sees half of it'({ open }) {
    const logs = [await open(), await open(), await open()]
    if (!logs.every(isStateLog)) return 'skipped'
    const [reader] = logs as [StateLog]
    let isOver = false
    const counting = Promise.all(logs.map((log) => count(log, 8))).finally(() => {
      isOver = true
    })
    const looking = (async () => {
      for (; !isOver; await pause(0)) {
        const { state, through } = await reader.loadState()
        const { seqs } = await readAll(reader, undefined)
        if (state !== undefined)
          expectEqual(through?.seq, (state as Count).count - 1, '"through" of the state')
        const { state: later } = await reader.loadState()
        const counts = [(state as Count | undefined)?.count ?? 0, (later as Count | undefined)?.count ?? 0]
        const isBetween = seqs.length >= (counts[0] ?? 0) && seqs.length <= (counts[1] ?? 0)
        expectEqual(isBetween, true, `whether there are ${seqs.length} events, from ${counts.join(' to ')},`)
      }
    })()
    await Promise.all([counting, looking])
    const { events } = await readAll(reader, undefined)
    expectEqual(
      events,
      events.map((_, n) => eventOf(n)),
      'one event for each state',
    )
    expectEqual([events.length, (await reader.loadState()).state], [24, { count: 24 }], 'the last state')
  },

  async 'changes yields when it listens, and when another process stores a state'({ open }) {
    const [log, other] = [await open(), await open()]
    if (!(isStateLog(log) && isStateLog(other))) return 'skipped'
    const { epoch } = await log.read()
    const controller = new AbortController()
    const changes = log.changes(controller.signal)[Symbol.asyncIterator]()
    expectEqual((await changes.next()).done, false, 'the end of changes')
    let version: string | undefined = '0'
    for (let next = 0; next < 3; next++) {
      const changed = changes.next()
      version = await other.appendIf({ epoch, next, version: String(version) }, [eventOf(next)], {})
      expectEqual((await changed).done, false, 'the end of changes')
    }
    controller.abort()
    for (let more = 0; (await changes.next()).done !== true; more++) {
      if (more === ATTEMPTS) throw new Error('Expected changes to end when its signal is aborted.')
    }
  },
}

/** Appends events, each with a state that counts it, and tries again where others were faster. */
async function count(log: StateLog, times: number): Promise<void> {
  for (let done = 0, attempt = 0; done < times; attempt++) {
    if (attempt === ATTEMPTS) throw new Error(`Expected appendIf to append within ${ATTEMPTS} attempts.`)
    const { version, state } = await log.loadState()
    const part = await log.read()
    const next = (state as Count | undefined)?.count ?? 0
    const event: ContextAnyEvent = eventOf(next)
    const at = { epoch: part.epoch, next, version }
    if ((await log.appendIf(at, [event], { count: next + 1 })) !== undefined) done++
    // A log in memory may need a turn for those that were faster.
    else await pause(0)
  }
}
