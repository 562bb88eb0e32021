/** Logs whose server does not answer: what they do at their deadline, and what they can do wrong. */
import type { LeaseLog, StateLog } from 'turnstream/streams'
import { pause } from '../../src/core/timer.ts'

type Log = Required<StateLog> & LeaseLog

const TIMEOUT_MS = 25

async function late(): Promise<never> {
  await pause(TIMEOUT_MS)
  throw Object.assign(new Error('No answer.'), { code: 'unavailable' })
}

const never = (): Promise<never> => new Promise(() => {})

/** A log that rejects each call at its deadline. */
export function silentLog(fault: Partial<Log> = {}): Log {
  const calls = { append: late, read: late, close: late, snapshot: late, loadState: late, appendIf: late }
  const leases = { expiredLeases: late, takeOver: late, release: late }
  return { ...calls, ...leases, async *changes() {}, ...fault }
}

/** What each does wrong. */
export const silentFaults: Readonly<Record<string, () => Partial<Log>>> = {
  ...Object.fromEntries(
    Object.entries(silentLog())
      .filter(([name]) => name !== 'changes')
      .map(([name]) => [`a call of ${name} without a deadline`, () => ({ [name]: never })]),
  ),
  'a read that waits without a deadline': () => ({
    read: (_cursor, options) => (options?.wait === true ? never() : late()),
  }),
  'an error without a code': () => ({ append: () => Promise.reject(new Error('No answer.')) }),
  'a position that nobody gave': () => ({ append: async () => ({ stream: 's', epoch: 'e', seq: 0 }) }),
  'an empty stream': () => ({
    read: async () => ({
      ...{ type: 'batch', stream: 's', epoch: 'e', after: -1, through: -1, events: [], seqs: [] },
    }),
  }),
}

/** Deadlines that do not count from the call. */
export const queueFaults: Readonly<Record<string, () => Partial<Log>>> = {
  'appends that wait for one another': () => {
    let before: Promise<unknown> = Promise.resolve()
    return {
      append() {
        const appending = before.then(late)
        before = appending.catch(() => undefined)
        return appending
      },
    }
  },
  'a close that begins after the appends': () => {
    const appends: Promise<never>[] = []
    return {
      append() {
        const appending = late()
        appends.push(appending)
        return appending
      },
      async close() {
        await Promise.allSettled(appends)
        await pause(400)
        return late()
      },
    }
  },
}
