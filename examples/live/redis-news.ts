/** Waits for new entries of a Redis stream: one blocking connection for all readers of a process. */
import { EventEmitter, once } from 'node:events'
import type { Redis } from './redis-log.ts'

export interface News {
  /**
   * Resolves once an entry after `id` exists, or earlier: read, then wait again. Resolves at once if the signal is
   * aborted. Rejects if the connection to Redis is lost.
   */
  after(id: bigint, signal?: AbortSignal): Promise<void>
}

/** Milliseconds that one blocking read lasts before it is checked whether anyone still waits. */
const BLOCK_MS = 1000

/** @param key - The stream. Its entries are numbered 0-1, 0-2 and so on. */
export function newsOf(redis: Redis, key: string): News {
  const bell = new EventEmitter().setMaxListeners(0)
  /** The latest known entry. */
  let known = 0n
  let isListening = false

  async function listen(): Promise<void> {
    isListening = true
    // A blocked connection accepts no other commands.
    const blocked = redis.duplicate()
    blocked.on('error', () => {})
    try {
      await blocked.connect()
      while (bell.listenerCount('news') > 0) {
        const streams = await blocked.xRead({ key, id: `0-${known}` }, { BLOCK: BLOCK_MS })
        const last = streams?.[0]?.messages.at(-1)
        if (last === undefined) continue
        known = BigInt(last.id.slice(2))
        bell.emit('news')
      }
    } catch (error) {
      if (bell.listenerCount('error') > 0) bell.emit('error', error)
    } finally {
      isListening = false
      if (blocked.isOpen) blocked.destroy()
    }
  }

  return {
    async after(id, signal) {
      if (isListening && known > id) return
      const rung = once(bell, 'news', signal === undefined ? {} : { signal })
      if (!isListening) {
        known = id
        void listen()
      }
      await rung.catch((error: unknown) => {
        if (signal?.aborted !== true) throw error
      })
    },
  }
}
