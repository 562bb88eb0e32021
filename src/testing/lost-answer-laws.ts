/** What is stored when requests and answers are lost. */
import { expectEqual } from './expect-equal.ts'
import { isStateLog, type Laws } from './law.ts'
import { eventOf, readAll } from './sample-log.ts'

/** How often something is tried whose request or answer may be lost. */
const ATTEMPTS = 300

export const lostAnswerLaws: Laws = {
  async 'an event that is appended again after its answer was lost is stored once, in order'({
    stream,
    open,
    openUnreliable,
  }) {
    if (openUnreliable === undefined) return 'skipped'
    const [log, reader] = [await persist(openUnreliable), await open()]
    const events = Array.from({ length: 40 }, (_, n) => eventOf(n))
    const { epoch } = await reader.read()
    for (const [seq, event] of events.entries()) {
      const position = await persist(() => log.append(event))
      expectEqual(position, { stream, epoch, seq }, 'the position')
    }
    expectEqual((await readAll(reader, undefined)).events, events, 'the events')
  },

  async 'an appendIf whose request or answer is lost has happened as a whole, or not at all'({
    open,
    openUnreliable,
  }) {
    const log = openUnreliable && (await persist(openUnreliable))
    if (log === undefined || !isStateLog(log)) return 'skipped'
    const total = 20
    for (let attempt = 0; ; attempt++) {
      if (attempt === ATTEMPTS) throw new Error('Expected appendIf to succeed at last.')
      const { version, state } = await persist(() => log.loadState())
      const next = (state as { readonly count: number } | undefined)?.count ?? 0
      if (next === total) break
      const { epoch } = await persist(() => log.read())
      const following = { count: next + 1 }
      await log.appendIf({ epoch, next, version }, [eventOf(next)], following).catch(passOverLoss)
    }
    const expected = Array.from({ length: total }, (_, n) => eventOf(n))
    expectEqual((await readAll(await open(), undefined)).events, expected, 'the events')
  },
}

/** Calls until it succeeds: requests and answers are lost. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      passOverLoss(error)
    }
  }
}

/** A TypeError is no loss. */
function passOverLoss(error: unknown): void {
  if (error instanceof TypeError) throw error
}
