/** Waits for new entries of a Redis stream, with one blocking connection for all readers of a process. */
import { EventEmitter, once } from 'node:events'
import type { Redis } from './redis-log.ts'

export interface EntryWatcher {
  /**
   * Resolves when there is an entry after `id`. May resolve early: read, and wait again. Resolves at once if
   * the signal is aborted. Rejects if the connection to Redis fails.
   */
  after(id: bigint, signal?: AbortSignal): Promise<void>
}

/** How long one blocking read waits, in milliseconds, before checking whether any reader is still waiting. */
const BLOCK_MS = 1000

/** @param key - Key of the stream. Its entries are numbered 0-1, 0-2 and so on. */
export function watchEntries(redis: Redis, key: string): EntryWatcher {
  const emitter = new EventEmitter().setMaxListeners(0)
  /** Number of the last known entry. */
  let latest = 0n
  let isListening = false

  async function listen(): Promise<void> {
    isListening = true
    // A blocked connection accepts no other commands.
    const blocked = redis.duplicate()
    blocked.on('error', () => {})
    try {
      await blocked.connect()
      while (emitter.listenerCount('entry') > 0) {
        const streams = await blocked.xRead({ key, id: `0-${latest}` }, { BLOCK: BLOCK_MS })
        const last = streams?.[0]?.messages.at(-1)
        if (last === undefined) continue
        latest = BigInt(last.id.slice(2))
        emitter.emit('entry')
      }
    } catch (error) {
      if (emitter.listenerCount('error') > 0) emitter.emit('error', error)
    } finally {
      isListening = false
      if (blocked.isOpen) blocked.destroy()
    }
  }

  return {
    async after(id, signal) {
      if (isListening && latest > id) return
      const nextEntry = once(emitter, 'entry', signal === undefined ? {} : { signal })
      if (!isListening) {
        latest = id
        void listen()
      }
      await nextEntry.catch((error: unknown) => {
        if (signal?.aborted !== true) throw error
      })
    },
  }
}
