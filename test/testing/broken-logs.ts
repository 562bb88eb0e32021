/** Logs that are broken only now and then: while others write, where answers are lost, with unusual names. */
import { once } from 'node:events'
import type { ContextAnyEvent } from 'turnstream'
import type { EventLog, Position, StateLog } from 'turnstream/streams'
import { pause } from '../../src/core/timer.ts'
import type { EventLogLawOptions } from '../../src/testing/event-log-law.ts'
import { type LeaseFault, leaseLogs } from './lease-log.ts'
import { arrayLog } from './logs.ts'
import { queueFaults, silentFaults, silentLog } from './silent-log.ts'
import { type StateFault, stateLog } from './state-log.ts'

type Open = (stream: string) => EventLog

/** How logs are opened, and what else the laws need. */
export interface Opener extends Pick<EventLogLawOptions, 'openUnreliable' | 'openSilent' | 'expireLeases'> {
  readonly open: Open
}

const complete: ContextAnyEvent = {
  ...{ kind: 'content-complete', contextId: 'ctx-1', taskId: 'task-1', content: '' },
  timestamp: '2026-01-01T00:00:00Z',
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

/** The same of a state: what happens to a call of `appendIf`, one after the other. */
function lossyState(fault?: 'half'): Opener {
  const open = one((stream) => stateLog(stream))
  return {
    open,
    openUnreliable(stream) {
      const log = open(stream) as StateLog
      const { append } = lossy('objects', open).openUnreliable(stream)
      let turn = 0
      const appendIf: StateLog['appendIf'] = async (at, events, state) => {
        const fate = turn++ % 10
        if (fate < 3) throw new Error('The request is lost.')
        if (fault === 'half' && fate === 5) for (const event of events) await log.append(event)
        const version = fault === 'half' && fate === 5 ? undefined : await log.appendIf(at, events, state)
        if (fate < 7) throw new Error('The answer is lost.')
        return version
      }
      return { ...log, append, appendIf }
    },
  }
}

/** A log and a connection to it that loses seven of ten requests and answers. */
function lossy(
  keeps: 'objects' | 'nothing' | 'late requests',
  open: Open = one(arrayLog),
): { open: Open; openUnreliable: Open } {
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
  'whose states are stored as a whole': lossyState(),
  'with leases': leaseLogs(),
  'whose calls all end': { open: one(arrayLog), openSilent: () => silentLog() },
}

/** Options of law.run for a log. */
export function optionsOf({ open: _, ...options }: Opener): EventLogLawOptions {
  return options
}

const state = (fault: StateFault): Opener => ({ open: one((stream) => stateLog(stream, fault)) })

const WAKING = 'a reader that waits is woken by an event and by the end, in every process'
const ABORT = 'aborting ends the wait with an empty batch'
const SNAPSHOT = 'a snapshot is at a position that the log continues'
const CHECKED = 'append refuses what is no event, and stores nothing of it'
const ORDER = 'concurrent writers get one order, that of its calls for each'
const READING = 'what was read stays, and what was appended can be read, while others append'
const ABORTED = 'an event whose append is aborted is stored once if it is appended again'
const ONCE = 'an event that is appended again after its answer was lost is stored once, in order'
const NAMES = 'names and ids may have any characters'
const ATOMIC = 'appendIf appends events and stores a state together, unless either has changed'
const RACE = 'of appendIf calls at the same time one wins, and nobody sees half of it'
const WHOLE = 'an appendIf whose request or answer is lost has happened as a whole, or not at all'
const DEADLINE = 'every call rejects as unavailable in time if nothing answers'
const QUEUE = 'the deadline of a call counts from the call, whatever it waits for'
const EXPIRY = 'a lease that is not renewed expires, with the tasks that its writer has left open'
const HEIR = 'of several heirs one takes a lease over, and the late writer is refused'
const RENEWED = 'a lease that was renewed or given back is not taken over'
const AGAIN = 'what an heir holds expires again'
const GIVEN = 'a task that was given back is open to every writer'
const LATE = 'nothing of a late writer follows what its heir has appended'
const FENCED = 'appendIf is refused for a task that another writer has taken over'
const CHANGES = 'changes yields when it listens, and when another process stores a state'

const leaseFaults: Readonly<Record<string, readonly LeaseFault[]>> = {
  [EXPIRY]: [
    ...(['leases that never expire', 'leases that expire at once', 'leases that keep ended tasks'] as const),
    ...(['leases of tasks that others hold', 'leases that name their own writer'] as const),
  ],
  [HEIR]: [
    ...(['several heirs', 'an heir that is refused', 'a late writer'] as const),
    ...(['a late writer that is refused once', 'a writer that loses all its tasks'] as const),
  ],
  [RENEWED]: [
    'a lease that is taken over though it was renewed',
    'a lease that is taken over though it was given back',
  ],
  [AGAIN]: ['an heir that holds its tasks for ever'],
  [GIVEN]: ['tasks that cannot be given back', 'a loss that is for ever'],
  [LATE]: ['a fence that is checked too early'],
  [FENCED]: ['a state without a fence', 'a fence for commands'],
}

/** A log over a connection that does not answer. */
const silent = (fault: () => object) => (): Opener => {
  // A lease to take over.
  const { open, expireLeases } = leaseLogs()
  return { open, openSilent: () => silentLog(fault()), ...(expireLeases && { expireLeases }) }
}

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
    'a wait that looks at its signal before it begins alone',
    ABORT,
    () =>
      changed((log) => ({
        async read(cursor, { signal, wait, ...options } = {}) {
          await pause(1)
          return log.read(cursor, { ...options, wait: wait === true && signal?.aborted !== true })
        },
      })),
  ],
  [
    'a snapshot without events',
    SNAPSHOT,
    () => changed(() => ({ snapshot: async () => ({ epoch: 'e', through: 39, events: [] }) })),
  ],
  [
    'an append that adds what is missing',
    CHECKED,
    () =>
      changed((log) => ({
        append: (event) => log.append({ ...complete, ...JSON.parse(JSON.stringify(Object(event))) }),
      })),
  ],
  [
    'calls that overtake each other',
    ORDER,
    () =>
      changed((log) => {
        let calls = 0
        return {
          async append(event) {
            if (calls++ % 5 === 0) await pause(2)
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
            await pause(5)
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
  [
    'an aborted append that is stored, and stored again',
    ABORTED,
    () =>
      changed((log) => ({
        async append(event, options) {
          const position = await log.append(event)
          options?.signal?.throwIfAborted()
          return position
        },
      })),
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
          for (;;) yield await pause(2)
        },
      }),
  ],
  ['a state that is stored by half', WHOLE, () => lossyState('half')],
  ...Object.entries(silentFaults).map(([name, fault]) => [name, DEADLINE, silent(fault)] as const),
  ...Object.entries(queueFaults).map(([name, fault]) => [name, QUEUE, silent(fault)] as const),
  ...Object.entries(leaseFaults).flatMap(([law, names]) =>
    names.map((name) => [name, law, () => leaseLogs(name)] as const),
  ),
]
