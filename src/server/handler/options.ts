/** What a handler needs. */

import type { Receipt, Sender } from '../../commands/ledger/types.ts'
import {
  mismatch,
  optional,
  requireArray,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireOnly,
  requireText,
  tagOf,
} from '../../core/require.ts'
import { requirePadding } from '../../streams/serve/heartbeat.ts'
import type { RespondOptions } from '../../streams/serve/stream.ts'
import type { Agent } from '../agent-task.ts'
import type { Store } from '../store.ts'
import type { Stream } from '../stream.ts'

/** Who sent a request, as libraries that sign users in return it. */
type Found = string | Sender | null | undefined

/** Options of {@link agentHandler}. */
export interface AgentHandlerOptions {
  /** Where the conversations are. */
  readonly store: Store
  /**
   * Who sent a request: the id of a user, or a sender with another role. `undefined`, `null` or a rejection: nobody, which is 401. Called for
   * each request, and again while a stream is open: see `signedOutAfterMs`.
   */
  readonly user: (request: Request) => Found | PromiseLike<Found>
  /** Called for each message. */
  readonly agent: Agent
  /**
   * Further protocols, by the path below that of the handler: `{ chat: … }` is `<url>/chat`. The first of them in a path is meant, so
   * that the path of the handler itself must not have their names. Omitted: the native protocol alone.
   */
  readonly protocols?: Readonly<Record<string, Protocol>>
  /**
   * What a message does while a task of its conversation runs. `queue`: its task is `submitted`, can be canceled, and begins when those
   * before it have ended. `refuse`: its receipt is `busy`, and other protocols refuse it. `parallel`: its task begins at once.
   *
   * @defaultValue 'queue'
   */
  readonly whileRunning?: 'queue' | 'refuse' | 'parallel'
  /**
   * The hosts that it answers to, such as `example.com` or `localhost:3000`; without a port, at any. Others are 421, so that a page of
   * another site whose name leads here reaches nothing. Omitted: `localhost`, its addresses, and the hosts of `origins`.
   */
  readonly hosts?: readonly string[]
  /**
   * The origins of pages on other hosts that may use it, such as `https://app.example.com`: they get CORS headers, with credentials.
   * Omitted: pages of the same origin only.
   */
  readonly origins?: readonly string[]
  /**
   * How often `user` is asked again for a stream that is open, in milliseconds from 1: it ends this long after a sign-out at the latest.
   *
   * @defaultValue 60 000
   */
  readonly signedOutAfterMs?: number
  /**
   * Milliseconds of silence after which a stream gets a comment, from 1: see {@link RespondOptions}.
   *
   * @defaultValue 15 000
   */
  readonly heartbeatMs?: number
  /**
   * Bytes of padding in each of these comments, 0 to 65 536, for a proxy whose buffer cannot be turned off: see {@link RespondOptions}.
   *
   * @defaultValue 0
   */
  readonly paddingBytes?: number
  /** What one user may take. Omitted limits have their defaults. */
  readonly limits?: Partial<HandlerLimits>
  /**
   * Called with what goes wrong: what agents and tools throw, what the store does, and mistakes in `user`. Returns the error that clients receive, if it is an
   * `ErrorInfo`. Must not throw.
   *
   * @defaultValue `console.error`
   */
  readonly onError?: (error: unknown) => unknown
}

/** What one user may take in this process. Beyond a limit, a request is answered with 429; a body with 413. */
export interface HandlerLimits {
  /** The size of a body in bytes: from 1. @defaultValue 1 048 576 */
  readonly bodyBytes: number
  /** How many conversations a user may begin: from 1. @defaultValue 1000 */
  readonly contextsPerUser: number
  /** How many tasks of a user may run: from 1. @defaultValue 32 */
  readonly tasksPerUser: number
  /** How many streams a user may have open: from 1. @defaultValue 64 */
  readonly streamsPerUser: number
}

/** What a protocol gets of a request: access, size and content type are checked. */
export interface ProtocolRequest {
  readonly request: Request
  /** The segments of the path below that of the protocol, decoded. */
  readonly path: readonly string[]
  /** The parsed body. `undefined` if there is none, or it is no JSON. */
  readonly body: unknown
  readonly sender: Sender
  /** Aborted when the client leaves or has signed out: ends what the response waits for, and no task. */
  readonly signal: AbortSignal
  /**
   * Opens a conversation of the sender. `undefined` if it does not exist and is not to be created, or is beyond a limit. Rejects if the
   * sender may not access it: the response of the handler is 403 then.
   */
  readonly open: (contextId: string, options: { readonly create: boolean }) => Promise<Stream | undefined>
  /** Applies a command of the sender to a conversation that was opened. A message beyond a limit has a refusal, and no receipt. */
  readonly submit: (stream: Stream, command: unknown) => Promise<ProtocolReceipt>
}

/** The outcome of a command: its receipt, or why it was refused, as an HTTP status and a sentence for developers. */
export type ProtocolReceipt =
  | { readonly receipt: Receipt; readonly refusal?: undefined }
  | {
      readonly receipt?: undefined
      readonly refusal: { readonly status: number; readonly message: string }
    }

/** Another protocol for the same agent. */
export type Protocol = (request: ProtocolRequest) => Promise<Response>

/** The options with their defaults. */
export type HandlerSettings = Required<Omit<AgentHandlerOptions, 'hosts' | 'limits'>> & {
  readonly hosts: readonly string[] | undefined
  readonly limits: HandlerLimits
}

const defaultLimits: HandlerLimits = {
  bodyBytes: 1_048_576,
  contextsPerUser: 1000,
  tasksPerUser: 32,
  streamsPerUser: 64,
}

/** Without it, a task that fails would show nobody why. */
const print = (error: unknown): void => console.error(error)

const names = [
  ...['store', 'user', 'agent', 'protocols', 'whileRunning', 'hosts', 'origins'],
  ...['signedOutAfterMs', 'heartbeatMs', 'paddingBytes', 'limits', 'onError'],
]

/** Fills in the defaults. Throws a TypeError for invalid options. */
export function handlerSettings(options: AgentHandlerOptions): HandlerSettings {
  requireOnly('options', options, names)
  const { store, user, agent, protocols = {}, whileRunning = 'queue', hosts, origins = [] } = options
  const { signedOutAfterMs = 60_000, heartbeatMs = 15_000, paddingBytes = 0 } = options
  const { limits = {}, onError = print } = options
  if (typeof Object(store).open !== 'function')
    throw mismatch('store', 'a store such as memoryStore()', store)
  requireFunction('user', user, '(request) => userId')
  requireFunction('agent', agent, '(task) => agentLoop(task, options)')
  const isProtocol = ([name, each]: [string, unknown]): boolean => name !== '' && typeof each === 'function'
  if (tagOf(protocols) !== 'Object' || !Object.entries(protocols).every(isProtocol))
    throw mismatch('protocols', 'protocols by segment of the path, such as { chat: aiSdk() }', protocols)
  requireOneOf('whileRunning', whileRunning, ['queue', 'refuse', 'parallel'])
  optional(requireTexts, 'hosts', hosts)
  requireTexts('origins', origins)
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw mismatch('origins', 'origins such as https://app.example.com', origin)
  requireInteger('signedOutAfterMs', signedOutAfterMs, 1)
  requireInteger('heartbeatMs', heartbeatMs, 1)
  requirePadding('paddingBytes', paddingBytes)
  requireOnly('limits', limits, Object.keys(defaultLimits))
  const allLimits = { ...defaultLimits, ...limits }
  for (const [name, limit] of Object.entries(allLimits)) requireInteger(`limits.${name}`, limit, 1)
  requireFunction('onError', onError)
  const settings = { store, user, agent, protocols, whileRunning, hosts, origins, signedOutAfterMs, onError }
  return { ...settings, heartbeatMs, paddingBytes, limits: allLimits }
}

function requireTexts(name: string, value: unknown): void {
  requireArray(name, value)
  for (const each of value as unknown[]) requireText(name, each)
}
