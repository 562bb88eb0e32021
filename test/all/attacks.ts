/** The attacks on the way back, on a store of a real server. */
import { randomUUID } from 'node:crypto'
import type { Store, Stream } from 'turnstream/server'
import type { OpenOptions, StoreOptions } from '../../src/server/store.ts'
import { attacks } from '../support/attacks.ts'

/**
 * Runs each attack on streams of its own. Throws unless all are refused; returns how many there are.
 *
 * @param storeOf - A store of one of two processes.
 */
export async function refuseAttacks(
  storeOf: (process: 0 | 1, options: StoreOptions) => Store,
): Promise<number> {
  for (const { name, run } of attacks) {
    const opened: Stream[] = []
    let stream = ''
    await run(async (options: StoreOptions, more: OpenOptions) => {
      // A conversation has two processes.
      const process = opened.length % 2 === 0 ? 0 : 1
      if (process === 0) stream = randomUUID()
      opened.push((await storeOf(process, options).open(stream, more)) as Stream)
      return opened.at(-1) as Stream
    }).catch((error: unknown) => {
      throw new Error(`the attack was not refused: ${name}`, { cause: error })
    })
    for (const each of opened) await each.release()
  }
  return attacks.length
}
