/** Sends the operations of scripts, again if the connection breaks. */
import { within } from '../core/deadline.ts'
import { readMilliseconds } from '../validation/callbacks.ts'
import { isClosed, type RedisClient, type RedisCommands } from './client.ts'
import { RedisLogError } from './redis-log-error.ts'
import { SCRIPT } from './script.ts'

/** How to send operations. */
export interface OperationOptions {
  readonly client: RedisClient
  readonly commands: RedisCommands
  readonly stream: string
  readonly prefix: string
  /** Milliseconds of the caller's clock; `undefined`: the script reads that of Redis. */
  readonly now: (() => number) | undefined
  readonly expireMs: number
  readonly timeoutMs: number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** The operations of the script. */
export type Operation =
  | 'append'
  | 'check'
  | 'close'
  | 'commit'
  | 'exists'
  | 'leases'
  | 'loadLedger'
  | 'loadSnapshot'
  | 'probe'
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
   * @throws RedisLogError `unavailable`, within `timeoutMs`, or `refused`.
   */
  run(operation: Operation, ...args: readonly (string | number)[]): Promise<readonly unknown[]>
  /**
   * Runs a task of several operations, and rejects as `unavailable` after `timeoutMs`. It continues then, until it asks `isOver`.
   */
  inTime<T>(task: (isOver: () => boolean) => Promise<T>): Promise<T>
}

/** Errors that pass: Redis starts, fails over, is busy or cannot write to its disk. Anything else is an answer. */
const TRANSIENT =
  /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|BUSY|MISCONF|NOREPLICAS|UNBLOCKED|MOVED|ASK)\b/
/** What replies with an error begin with. */
const REPLY = /^(?:-?[A-Z][A-Z0-9]{2,}|ERR|user_script:\d+:)[ :]/

export function operationsOf(options: OperationOptions): Operations {
  const { stream, prefix, expireMs } = options
  const tag = `${prefix}{${tagOf(stream)}}`
  const keys = ['meta', 'events', 'snapshot', 'parents', 'parents0', 'ledger', 'check'].map(
    (name) => `${tag}:${name}`,
  )
  const [key = ''] = keys
  const channel = `${tag}:events`
  const { run, inTime } = scriptRunner(options, SCRIPT, keys, `stream "${stream}"`)
  return {
    channel,
    key,
    inTime,
    run: (operation, ...args) =>
      run(operation, crypto.randomUUID(), expireMs, channel, ...args) as Promise<readonly unknown[]>,
  }
}

/** Runs operations of a script on some keys. */
export interface ScriptRunner extends Pick<Operations, 'inTime'> {
  /** Sends an operation with the time, again if the connection breaks. */
  run(operation: string, ...args: readonly (string | number)[]): Promise<unknown>
}

/** @param what - What the keys are of, for messages. */
export function scriptRunner(
  { client, commands, now, timeoutMs, sleep }: Omit<OperationOptions, 'stream' | 'prefix'>,
  script: string,
  keys: readonly string[],
  what: string,
): ScriptRunner {
  const [key = ''] = keys
  /** Why the latest request failed. Omitted if it was answered. */
  let failure: unknown

  async function send(args: readonly string[]): Promise<unknown> {
    try {
      return await commands.send(['EVALSHA', await shaOf(script), ...args], key)
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error
      return commands.send(['EVAL', script, ...args], key)
    }
  }

  const late = (): RedisLogError =>
    new RedisLogError(
      'unavailable',
      `Expected an answer of Redis for ${what} within ${timeoutMs} ms, got${failure === undefined ? ' none.' : `: ${messageOf(failure)}`}`,
      failure,
    )
  /** @param isSent - Whether something was sent before: its outcome is unknown. */
  const closed = (isSent: boolean): RedisLogError =>
    new RedisLogError(
      isSent ? 'unavailable' : 'refused',
      `Expected a connected client for ${what}, got one that is closed: await its connect() before, and close it after the store.`,
      failure,
    )
  const inTime: Operations['inTime'] = (task) => within(timeoutMs, late, task)

  return {
    inTime,
    async run(operation, ...args) {
      const clock = now === undefined ? '' : String(readMilliseconds(now))
      const all = [operation, clock, ...args.map(String)]
      return inTime(async (isOver) => {
        let pause = 10
        let isSent = false
        for (let waited = 0; !isOver(); waited += pause, pause = Math.min(pause * 2, 1000)) {
          if (isClosed(client)) throw closed(isSent)
          try {
            isSent = true
            const reply = await send([String(keys.length), ...keys, ...all])
            failure = undefined
            return textIn(reply)
          } catch (error) {
            if (isAnswer(error)) {
              const message = `Redis answered the operation "${operation}" on ${what} with an error: ${messageOf(error)}${remedyFor(error)}`
              throw new RedisLogError('refused', message, error)
            }
            failure = error
            if (waited >= timeoutMs) break
          }
          await sleep(pause)
        }
        throw late()
      })
    },
  }
}

/** Whether an error is an answer of Redis that another try does not change. */
export function isAnswer(error: unknown): boolean {
  const message = messageOf(error)
  return REPLY.test(message) && !TRANSIENT.test(message)
}

/** What to do about an answer, as the end of a message. */
export function remedyFor(error: unknown): string {
  return /\bOOM\b/.test(messageOf(error))
    ? ' Raise the maxmemory of this Redis, or let it keep less: see the options "limits" and "expireMs".'
    : ''
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const shas: Map<string, Promise<string>> = new Map()

/** The name by which Redis caches a script. */
function shaOf(script: string): Promise<string> {
  const known = shas.get(script)
  if (known !== undefined) return known
  const sha = crypto.subtle
    .digest('SHA-1', new TextEncoder().encode(script))
    .then((hash) => Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join(''))
  shas.set(script, sha)
  return sha
}
