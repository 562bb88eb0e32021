/** Options of `redisLog`. */
import type { Diagnostic } from '../core/machine.ts'
import {
  mismatch,
  optional,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireOnly,
  requireText,
} from '../core/require.ts'
import { requireUnicode } from '../streams/log/cursor.ts'
import { defaultLimits, type LogLimits } from '../streams/log/memory/log-state.ts'
import { commandsOf, type RedisClient } from './client.ts'

/** Options of {@link redisLog}. */
export interface RedisLogOptions {
  /** A connected client. All logs of a client share one more connection, on which readers wait for new events. */
  readonly client: RedisClient
  /** Name of the stream: a non-empty string such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Whether to create the stream if it does not exist. With `false`, opening it rejects with `not-found`: for streams
   * whose name comes from a request.
   *
   * @defaultValue true
   */
  readonly create?: boolean
  /**
   * How much is kept: the oldest events are evicted as soon as one limit is exceeded and the snapshot includes them.
   * Omitted limits are 10 000 events, 8 388 608 bytes and 3 600 000 ms (1 hour).
   */
  readonly limits?: Partial<LogLimits>
  /**
   * How long a writer may be silent, in milliseconds from 100. While it has open tasks, it renews its lease three times
   * as often. After that, any process that has opened the stream ends its tasks.
   *
   * @defaultValue 15 000
   */
  readonly leaseMs?: number
  /**
   * How long the stream is kept after the last event, in milliseconds from 1000. Later it no longer exists.
   *
   * @defaultValue 86 400 000 (1 day)
   */
  readonly expireMs?: number
  /**
   * Milliseconds after which a function of the log rejects as `unavailable`, counted from its call: from 1. Until then, what
   * Redis does not answer is tried again; an event that is sent again is appended once. A reader that waits may wait longer,
   * and ends within this time after Redis has stopped answering, plus 15 seconds.
   *
   * @defaultValue 10 000
   */
  readonly timeoutMs?: number
  /**
   * What all keys begin with. A user of Redis needs the right to it, as `~turnstream:*` and `&turnstream:*`.
   *
   * @defaultValue `'turnstream:'`
   */
  readonly prefix?: string
  /** Returns the current time in milliseconds, the same for all processes. Omitted: the clock of Redis. */
  readonly now?: () => number
  /**
   * Called with what the limits have cut: `tasks-forgotten`, with the tasks as its `detail`, in the process that stores the
   * snapshot without them; and once with `polling` for a client that cannot subscribe: each stream with waiting readers asks for
   * new events four times a second then. Must not throw. Omitted: only readers learn what was cut.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Waits `ms` milliseconds, before an operation is tried again. Defaults to a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** The options with their defaults. */
export interface Settings extends Required<Omit<RedisLogOptions, 'now' | 'onDiagnostic' | 'limits'>> {
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  readonly now: (() => number) | undefined
  readonly limits: LogLimits
}

const optionNames: readonly (keyof RedisLogOptions)[] = [
  'client',
  'stream',
  'create',
  'limits',
  'leaseMs',
  'expireMs',
  'timeoutMs',
  'prefix',
  'now',
  'onDiagnostic',
  'sleep',
]

/** Requires options. Some pass the URL of their Redis. */
export function requireOptions(options: unknown, names: readonly string[]): void {
  if (typeof options === 'string')
    throw mismatch('options', 'an object such as { client }, with a client that is connected', options)
  requireOnly('options', options, names)
}

/** Checks the options, and adds the defaults. */
export function settingsOf(options: RedisLogOptions): Settings {
  requireOptions(options, optionNames)
  // An option that is undefined is omitted.
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings: Settings = {
    create: true,
    leaseMs: 15_000,
    expireMs: 86_400_000,
    timeoutMs: 10_000,
    prefix: 'turnstream:',
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...(Object.fromEntries(given) as Partial<RedisLogOptions> & Pick<RedisLogOptions, 'client' | 'stream'>),
    limits: { ...defaultLimits, ...options.limits },
    now: options.now,
    onDiagnostic: options.onDiagnostic,
  }
  commandsOf(settings.client)
  requireUnicode('stream', settings.stream)
  requireBoolean('create', settings.create)
  requireInteger('leaseMs', settings.leaseMs, 100)
  requireInteger('expireMs', settings.expireMs, 1000)
  requireInteger('timeoutMs', settings.timeoutMs, 1)
  requireText('prefix', settings.prefix)
  if (/[{}]/.test(settings.prefix)) throw mismatch('prefix', 'a string without braces', settings.prefix)
  optional(requireFunction, 'now', settings.now)
  optional(requireFunction, 'onDiagnostic', settings.onDiagnostic)
  requireFunction('sleep', settings.sleep)
  optional((name, value) => requireOnly(name, value, Object.keys(defaultLimits)), 'limits', options.limits)
  for (const [name, limit] of Object.entries(settings.limits)) requireInteger(name, limit, 1)
  return settings
}

/** The limits as arguments of an operation. */
export function limitsOf({ maxEvents, maxBytes, maxAgeMs }: LogLimits): number[] {
  return [maxEvents, maxBytes, maxAgeMs]
}
