/** How calls end whose server does not answer. */
import { pause, startTimer, stopTimer } from '../core/timer.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import { type ExpiredLease, hasLeases } from '../streams/log/lease-log.ts'
import { expectEqual } from './expect-equal.ts'
import { isStateLog, type LawContext, type Laws } from './law.ts'
import { eventOf } from './sample-log.ts'

/** How many appends wait for one another. */
const APPENDS = 20
/** How long after the first of them the last may end, in milliseconds: not as long again for each. */
const SLACK_MS = 200
/** Of the time of a law, what each call may take: the error names the call then. */
const SHARE = 0.8

export const deadlineLaws: Laws = {
  async 'every call rejects as unavailable in time if nothing answers'(context) {
    const { openSilent, timeoutMs } = context
    if (openSilent === undefined) return 'skipped'
    const calls = Object.entries(callsOf(await expiredLease(context)))
    // One log for each, so that no call waits for another.
    const logs = await Promise.all(calls.map(() => openSilent()))
    await Promise.all(
      calls.map(async ([name, call], n) => {
        const calling = call(logs[n] as EventLog)
        if (calling === undefined) return
        const outcome = await outcomeWithin(timeoutMs * SHARE, calling)
        // Who holds nothing may have nothing to ask.
        if (name === 'release' && outcome === 'a result') return
        expectEqual(outcome, 'unavailable', `the outcome of ${name}`)
      }),
    )
  },

  async 'the deadline of a call counts from the call, whatever it waits for'({ openSilent, timeoutMs }) {
    if (openSilent === undefined) return 'skipped'
    const log = await openSilent()
    const calls = Array.from({ length: APPENDS }, (_, n): Promise<unknown> => log.append(eventOf(n)))
    calls.push(log.close())
    let ended = 0
    const outcomes = calls.map((call) => outcomeWithin(timeoutMs * SHARE, call).finally(() => ended++))
    await outcomes[0]
    await pause(SLACK_MS)
    expectEqual(ended, calls.length, 'the number of calls that have ended soon after the first')
    const expected = calls.map(() => 'unavailable')
    expectEqual(await Promise.all(outcomes), expected, 'their outcomes')
  },
}

/** A lease that another writer can take over. `undefined`: there are none. */
async function expiredLease({ open, expireLeases }: LawContext): Promise<ExpiredLease | undefined> {
  const [writer, other] = [await open(), await open()]
  if (expireLeases === undefined || !hasLeases(other)) return undefined
  await writer.append(eventOf(0))
  await expireLeases([writer])
  const [lease] = await other.expiredLeases()
  return lease
}

/** Every function of a log. `undefined`: it has none. */
function callsOf(
  lease: ExpiredLease | undefined,
): Readonly<Record<string, (log: EventLog) => Promise<unknown> | undefined>> {
  const at = { epoch: 'e', next: 0, version: '0' }
  return {
    append: (log) => log.append(eventOf(0)),
    read: (log) => log.read(),
    'read with "wait"': (log) => log.read('', { wait: true }),
    close: (log) => log.close(),
    snapshot: (log) => log.snapshot?.(),
    loadState: (log) => (isStateLog(log) ? log.loadState() : undefined),
    appendIf: (log) => (isStateLog(log) ? log.appendIf(at, [eventOf(0)], {}) : undefined),
    expiredLeases: (log) => (hasLeases(log) ? log.expiredLeases() : undefined),
    takeOver: (log) => (hasLeases(log) && lease !== undefined ? log.takeOver(lease) : undefined),
    release: (log) => (hasLeases(log) ? log.release() : undefined),
  }
}

/** What a call rejects with: its code, or a text about what happened instead. */
function outcomeWithin(ms: number, call: Promise<unknown>): Promise<string> {
  return new Promise((resolve) => {
    const timer = startTimer(() => resolve(`nothing within ${Math.round(ms)} ms`), ms)
    const end = (outcome: string): void => {
      stopTimer(timer)
      resolve(outcome)
    }
    call.then(
      () => end('a result'),
      (error: unknown) => end(String((error as { code?: unknown } | null)?.code ?? error)),
    )
  })
}
