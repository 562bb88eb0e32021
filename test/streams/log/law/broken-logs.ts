/** Logs that are broken only now and then: while others write, where answers are lost, with unusual names. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import type { EventLog, Position, StateLog, StateVersion, StoredState } from 'turnstream/streams'
import { arrayLog } from './logs.ts'

type Open = (stream: string) => EventLog

/** How logs are opened. */
export interface Opener {
  readonly open: Open
  readonly openUnreliable?: Open
}

/** What a {@link stateLog} does wrong. */
interface StateFault {
  readonly isCurrent?: (at: StateVersion, now: StateVersion) => boolean
  /** When it waits. */
  readonly gap?: 'after the check' | 'between events and state' | 'between state and events'
  readonly changes?: StateLog['changes']
}

const isCurrentState = (at: StateVersion, now: StateVersion): boolean =>
  at.epoch === now.epoch && at.next === now.next && at.version === now.version

/** {@link arrayLog} with a state beside it. */
export function stateLog(stream: string, fault: StateFault = {}): StateLog {
  const log = arrayLog(stream)
  let [next, isClosed] = [0, false]
  let stored: StoredState = { version: '0' }
  const news = new EventTarget()
  const append = (event: ContextAnyEvent): Promise<Position> => {
    if (!isClosed) next++
    return log.append(event)
  }
  return {
    ...log,
    append,
    async close() {
      isClosed = true
      await log.close()
    },
    async loadState(known) {
      return known === stored.version ? { version: known } : stored
    },
    async appendIf(at, events, state) {
      if (isClosed) throw new TypeError('closed')
      const now = { epoch: 'e', next, version: stored.version }
      if (!(fault.isCurrent ?? isCurrentState)(at, now)) return undefined
      if (fault.gap === 'after the check') await sleep(2)
      const version = String(Number(stored.version) + 1)
      const through = { epoch: 'e', seq: next + events.length - 1 }
      const store = (): void => {
        stored = { version, state, through }
        news.dispatchEvent(new Event('news'))
      }
      if (fault.gap === 'between state and events') {
        store()
        await sleep(2)
      }
      for (const event of events) append(event)
      if (fault.gap === 'between events and state') await sleep(2)
      if (fault.gap !== 'between state and events') store()
      return version
    },
    changes:
      fault.changes ??
      async function* (signal) {
        while (!signal.aborted) {
          const changed = once(news, 'news', { signal }).catch(() => {})
          yield
          await changed
        }
      },
  }
}

/** Opens each stream once. */
const one = (open: Open, nameOf: (stream: string) => string = (stream) => stream): Open => {
  const logs = new Map<string, EventLog>()
  return (stream) => {
    const log = logs.get(nameOf(stream)) ?? open(stream)
    logs.set(nameOf(stream), log)
    return log
  }
}

const changed = (
  change: (log: EventLog) => Partial<EventLog>,
  nameOf?: (stream: string) => string,
): Opener => ({
  open: one((stream) => {
    const log = arrayLog(stream)
    return { ...log, ...change(log) }
  }, nameOf),
})

const texts = (change: (text: string) => string): Opener =>
  changed((log) => ({
    append: (event) =>
      log.append(
        JSON.parse(JSON.stringify(event), (_key, value) =>
          typeof value === 'string' ? change(value) : value,
        ),
      ),
  }))

/** A log and a connection to it that loses seven of ten requests and answers. */
function lossy(keeps: 'objects' | 'nothing' | 'late requests'): Opener {
  const open = one(arrayLog)
  return {
    open,
    openUnreliable(stream) {
      const log = open(stream)
      const stored = new WeakMap<object, Promise<Position>>()
      let turn = 0
      const late: ContextAnyEvent[] = []
      return {
        ...log,
        async append(event) {
          const fate = turn++ % 10
          if (fate < 3) {
            if (keeps === 'late requests') late.push(event)
            throw new Error('The request is lost.')
          }
          const position = (keeps === 'objects' ? stored.get(event) : undefined) ?? log.append(event)
          stored.set(event, position)
          await position
          for (const each of late.splice(0)) await log.append(each)
          if (fate < 7) throw new Error('The answer is lost.')
          return position
        },
      }
    },
  }
}

export const soundLogs: Readonly<Record<string, Opener>> = {
  'in an array': { open: one(arrayLog) },
  'with a state': { open: one((stream) => stateLog(stream)) },
  'that knows what is appended again': lossy('objects'),
}

const state = (fault: StateFault): Opener => ({ open: one((stream) => stateLog(stream, fault)) })

const WAKING = 'a reader that waits is woken by an event and by the end, in every process'
const ORDER = 'concurrent writers get one order, that of its calls for each'
const READING = 'what was read stays, and what was appended can be read, while others append'
const ONCE = 'an event that is appended again after its answer was lost is stored once, in order'
const NAMES = 'names and ids may have any characters'
const ATOMIC = 'appendIf appends events and stores a state together, unless either has changed'
const RACE = 'of appendIf calls at the same time one wins, and nobody sees half of it'
const CHANGES = 'changes yields when it listens, and when another process stores a state'

/** What each breaks. */
export const brokenLogs: readonly (readonly [name: string, law: string, open: () => Opener])[] = [
  [
    'a close that wakes nobody',
    WAKING,
    () =>
      changed((log) => {
        const news = new EventTarget()
        return {
          async append(event) {
            const position = await log.append(event)
            news.dispatchEvent(new Event('news'))
            return position
          },
          async read(cursor, options = {}) {
            for (;;) {
              const part = await log.read(cursor, { ...options, wait: false })
              if (options.wait !== true || part.type === 'reset' || part.through > part.after || part.closed)
                return part
              await once(news, 'news')
            }
          },
        }
      }),
  ],
  [
    'calls that overtake each other',
    ORDER,
    () =>
      changed((log) => {
        let calls = 0
        return {
          async append(event) {
            if (calls++ % 5 === 0) await sleep(2)
            return log.append(event)
          },
        }
      }),
  ],
  [
    'a batch that commits after a later one',
    READING,
    () =>
      changed((log) => {
        const open = new Set<number>()
        return {
          async append(event) {
            const appended = log.append(event)
            const seq = 'index' in event ? Number(event.index) : 0
            if (seq % 7 !== 3) return appended
            open.add(seq)
            await sleep(5)
            open.delete(seq)
            return appended
          },
          async read(cursor, options) {
            const part = await log.read(cursor, options)
            if (part.type === 'reset') return part
            const seqs = part.seqs.filter((seq) => !open.has(seq))
            return { ...part, seqs, events: part.events.filter((_, i) => !open.has(part.seqs[i] ?? -1)) }
          },
        }
      }),
  ],
  [
    'an append that resolves before it can be read',
    READING,
    () =>
      changed((log) => {
        let next = 0
        return {
          async append(event) {
            setTimeout(() => void log.append(event), 5)
            return { stream: (await log.read()).stream, epoch: 'e', seq: next++ }
          },
        }
      }),
  ],
  ['a new number for what is appended again', ONCE, () => lossy('nothing')],
  ['requests that are carried out late', ONCE, () => lossy('late requests')],
  ['texts that end at a NUL', NAMES, () => texts((text) => text.replace(/\0.*/s, ''))],
  ['texts without half surrogates', NAMES, () => texts((text) => text.replace(/\p{Surrogate}/gu, '\ufffd'))],
  [
    'one stream for names that a NUL ends',
    NAMES,
    () =>
      changed(
        () => ({}),
        (stream) => stream.replace(/\0.*/s, ''),
      ),
  ],
  [
    'one stream for names that are escaped',
    NAMES,
    () =>
      changed(
        () => ({}),
        (stream) => stream.toLowerCase(),
      ),
  ],
  [
    'no version',
    ATOMIC,
    () => state({ isCurrent: (at, now) => at.next === now.next && at.epoch === now.epoch }),
  ],
  [
    'no end',
    ATOMIC,
    () => state({ isCurrent: (at, now) => at.version === now.version && at.epoch === now.epoch }),
  ],
  [
    'no epoch',
    ATOMIC,
    () => state({ isCurrent: (at, now) => at.version === now.version && at.next === now.next }),
  ],
  ['two that win', RACE, () => state({ gap: 'after the check' })],
  ['events before their state', RACE, () => state({ gap: 'between events and state' })],
  ['a state before its events', RACE, () => state({ gap: 'between state and events' })],
  [
    'changes that yield once',
    CHANGES,
    () =>
      state({
        async *changes(signal) {
          yield
          await once(signal, 'abort')
        },
      }),
  ],
  [
    'changes that do not end',
    CHANGES,
    () =>
      state({
        async *changes() {
          for (;;) yield await sleep(2)
        },
      }),
  ],
]
