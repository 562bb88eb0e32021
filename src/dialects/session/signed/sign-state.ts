/** Signs the state of a session for a client to store, and brings it back. */

import {
  mismatch,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireOnly,
  requireText,
} from '../../../core/require.ts'
import { readClock } from '../../../validation/callbacks.ts'
import { createSessionEvent } from '../wire/create.ts'
import { canonicalize, python, rfc8785 } from './canonical.ts'
import { checksumOf, requireKey, type StateKey, sign } from './hmac.ts'
import { fieldOf, type JsonNode, parseJsonText } from './json-text.ts'

/** A week, as the server of version 1.0 has it. */
export const DEFAULT_TTL_SECONDS = 604_800

/**
 * The version of a signed state.
 *
 * - `1.0`: that of the Python server: `state`, `timestamp`, `signature`, `version` and `checksum`. The signature covers
 *   the state as `json.dumps` writes it with sorted keys, the timestamp and the version.
 * - `2`: `state`, `kid`, `session_id`, `issued_at`, `expires_at`, `version` and `signature`, which covers all others in
 *   the canonical form of RFC 8785.
 */
export type SignedStateVersion = '1.0' | '2'

/** Options of {@link signState}. */
export interface SignStateOptions {
  /** The key to sign with. */
  readonly key: StateKey
  /** The clock. */
  readonly now: () => Date | number | string
  /** The version to write. @defaultValue `'2'` */
  readonly version?: SignedStateVersion
  /** The name of the key. Required by version 2; version 1.0 has none. */
  readonly kid?: string
  /** The session. Required by version 2; version 1.0 has none. */
  readonly sessionId?: string
  /** Seconds until a state of version 2 expires: an integer from 1. @defaultValue 604800 */
  readonly ttlSeconds?: number
}

/**
 * Signs a state with HMAC-SHA-256. The result is not encrypted: its client can read it.
 *
 * States are text, because a state that was parsed and written again may differ: Python writes `1.0` where JavaScript
 * writes `1`, and integers that JavaScript cannot hold.
 *
 * @param state - The state: a JSON object as text. It is part of the result as it is.
 * @returns The signed state: a JSON object as text.
 * @throws TypeError (as a rejection) if an option is invalid, or the state is not a JSON object with unique keys; with
 * version 2 also if an integer is beyond 2^53 - 1 or a string has half a surrogate pair.
 */
export async function signState(state: string, options: SignStateOptions): Promise<string> {
  requireOnly('options', options, ['key', 'now', 'version', 'kid', 'sessionId', 'ttlSeconds'])
  const { key, now, version = '2', kid, sessionId, ttlSeconds = DEFAULT_TTL_SECONDS } = options
  requireKey('key', key)
  requireFunction('now', now)
  requireOneOf('version', version, ['1.0', '2'])
  requireInteger('ttlSeconds', ttlSeconds, 1)
  if (version === '2') {
    requireText('kid', kid)
    requireText('sessionId', sessionId)
  }
  const issued = secondsOf(now)
  const node = requireJsonObject('state', state)
  const text = state.slice(node.start, node.end)
  if (version === '1.0') {
    const canonical = orMismatch('state', state, () => canonicalize(node, python))
    const signature = await sign(key, `${canonical}:${issued}:1.0`)
    const rest = { timestamp: issued, signature, version, checksum: await checksumOf(canonical) }
    return `{"state":${text},${JSON.stringify(rest).slice(1)}`
  }
  const rest = { kid, session_id: sessionId, issued_at: issued, expires_at: issued + ttlSeconds, version }
  const unsigned = `{"state":${text},${JSON.stringify(rest).slice(1)}`
  const message = orMismatch('state', state, () => canonicalize(parseJsonText(unsigned), rfc8785))
  return `${unsigned.slice(0, -1)},"signature":"${await sign(key, message)}"}`
}

/** The time of a clock in whole seconds since 1970. */
export function secondsOf(now: () => Date | number | string): number {
  return Math.floor(Date.parse(readClock(now)) / 1000)
}

/** Where events have a signed state. */
const places = [['signed_state'], ['content', 'signed_state'], ['metadata', 'signed_state']]

/**
 * The text of the signed state in an event: in `agent.state_exported` or `user.reconnect_with_state`, as an object or as
 * a string. Take it from the text of the event; `undefined` if the text is not JSON or has none.
 */
export function signedStateIn(text: string): string | undefined {
  let event: JsonNode
  try {
    event = parseJsonText(text)
  } catch {
    return undefined
  }
  for (const path of places) {
    const found = path.reduce<JsonNode | undefined>(fieldOf, event)
    if (found?.type === 'object') return text.slice(found.start, found.end)
    if (found?.type === 'string') return found.value
  }
  return undefined
}

/**
 * Encodes a `user.reconnect_with_state`. The state is in `content.signed_state` as a string, as documented, and as an
 * object beside the content, where real servers expect it, with its text unchanged.
 *
 * @param signedState - The text of the signed state, such as from {@link signedStateIn}.
 * @throws TypeError if it is not a JSON object, or the position is invalid.
 */
export function encodeReconnectWithState(
  signedState: string,
  options: {
    /** The clock. */
    readonly now: () => Date | number | string
    /** The highest `seq` received. */
    readonly last_seq: number
    /** The `event_id` received last. Omitted if unknown. */
    readonly last_event_id?: string
  },
): string {
  requireOnly('options', options, ['now', 'last_seq', 'last_event_id'])
  const { now, ...position } = options
  const node = requireJsonObject('signedState', signedState)
  const state = signedState.slice(node.start, node.end)
  const content = { signed_state: state, ...position }
  const event = createSessionEvent('user.reconnect_with_state', content, undefined, { now })
  return `${JSON.stringify(event).slice(0, -1)},"signed_state":${state}}`
}

function requireJsonObject(name: string, text: string): JsonNode {
  requireText(name, text)
  const node = orMismatch(name, text, () => parseJsonText(text))
  if (node.type !== 'object') throw mismatch(name, 'a JSON object as text', text)
  return node
}

function orMismatch<T>(name: string, text: unknown, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new TypeError(
      `${mismatch(name, 'a JSON object as text', text).message} ${(error as Error).message}`,
    )
  }
}
