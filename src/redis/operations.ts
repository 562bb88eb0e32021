/** Sends the operations of the script for one stream, again if the connection breaks. */
import { readMilliseconds } from '../validation/callbacks.ts'
import type { RedisCommands } from './client.ts'
import { RedisLogError } from './redis-log-error.ts'
import { SCRIPT } from './script.ts'

/** How to send operations. */
export interface OperationOptions {
  readonly commands: RedisCommands
  readonly stream: string
  readonly prefix: string
  /** Milliseconds of the caller's clock; `undefined`: the script reads that of Redis. */
  readonly now: (() => number) | undefined
  readonly expireMs: number
  readonly retryMs: number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** The operations of the script. */
export type Operation =
  | 'append'
  | 'close'
  | 'commit'
  | 'exists'
  | 'leases'
  | 'loadLedger'
  | 'loadSnapshot'
  | 'read'
  | 'renew'
  | 'saveSnapshot'
  | 'takeOver'

/** Sends operations of one stream. */
export interface Operations {
  /** Channel of the messages about new events. */
  readonly channel: string
  /** Key of the hash that describes the stream. */
  readonly key: string
  /**
   * Sends an operation. Safe to send twice: every operation of the script is idempotent.
   *
   * @throws RedisLogError `unavailable` or `refused`.
   */
  run(operation: Operation, ...args: readonly (string | number)[]): Promise<readonly unknown[]>
}

/** Errors that pass: Redis starts, fails over or is busy. Anything else is an answer. */
const TRANSIENT =
  /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|BUSY|NOREPLICAS|UNBLOCKED|MOVED|ASK)\b/
/** What replies with an error begin with. */
const REPLY = /^(?:-?[A-Z][A-Z0-9]{2,}|ERR|user_script:\d+:)[ :]/

export function operationsOf(options: OperationOptions): Operations {
  const { commands, stream, prefix, now, expireMs, retryMs, sleep } = options
  const tag = `${prefix}{${tagOf(stream)}}`
  const keys = ['meta', 'events', 'snapshot', 'parents', 'parents0', 'ledger'].map((name) => `${tag}:${name}`)
  const [key = ''] = keys
  const channel = `${tag}:events`

  async function send(args: readonly string[]): Promise<unknown> {
    try {
      return await commands.send(['EVALSHA', await shaOfScript(), ...args], key)
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error
      return commands.send(['EVAL', SCRIPT, ...args], key)
    }
  }

  return {
    channel,
    key,
    async run(operation, ...args) {
      const clock = now === undefined ? '' : String(readMilliseconds(now))
      const all = [operation, clock, crypto.randomUUID(), String(expireMs), channel, ...args.map(String)]
      let pause = 10
      for (let waited = 0; ; waited += pause, pause = Math.min(pause * 2, 1000)) {
        try {
          return textIn(await send([String(keys.length), ...keys, ...all])) as readonly unknown[]
        } catch (error) {
          const message = messageOf(error)
          if (REPLY.test(message) && !TRANSIENT.test(message)) {
            throw new RedisLogError(
              'refused',
              `Redis answered the operation "${operation}" on stream "${stream}" with an error: ${message}`,
              error,
            )
          }
          if (waited >= retryMs) {
            throw new RedisLogError(
              'unavailable',
              `Expected an answer of Redis for stream "${stream}" within ${retryMs} ms, got: ${message}`,
              error,
            )
          }
        }
        await sleep(pause)
      }
    },
  }
}

/** A closing brace would end the hash tag early, and UTF-8 has no half surrogates. Percent signs keep names distinct. */
function tagOf(stream: string): string {
  return stream.replace(/[%}\p{Surrogate}]/gu, (char) => `%${char.charCodeAt(0).toString(16)}`)
}

/** A reply with text instead of bytes, which clients can be set to return. */
function textIn(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(textIn)
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : reply
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

let sha: Promise<string> | undefined

/** The name by which Redis caches the script. */
function shaOfScript(): Promise<string> {
  sha ??= crypto.subtle
    .digest('SHA-1', new TextEncoder().encode(SCRIPT))
    .then((hash) => Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join(''))
  return sha
}
