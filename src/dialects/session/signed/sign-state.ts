/** Signs the state of a session for a client to store, and brings it back. */

import {
  mismatch,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireOnly,
  requireText,
} from '../../../core/require.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { readClock } from '../../../validation/callbacks.ts'
import { isFields } from '../../../validation/predicates.ts'
import { createSessionEvent } from '../wire/create.ts'
import { checksumOf, requireKey, type StateKey, sign } from './hmac.ts'
import { JsonTextError, membersOf } from './members.ts'
import { pythonJson } from './python-json.ts'

/** A week, as the server of version 1.0 has it. */
export const DEFAULT_TTL_SECONDS = 604_800

/** How long a signed state may be, in characters: 1 MiB of ASCII. */
export const DEFAULT_MAX_CHARS: number = 2 ** 20

/**
 * The version of a signed state.
 *
 * - `1.0`: that of the Python server: `state`, `timestamp`, `signature`, `version` and `checksum`. The signature covers
 *   the state as `json.dumps` writes it with sorted keys, the timestamp and the version.
 * - `2`: `version`, `kid`, `session_id`, `issued_at`, `expires_at`, `state`, which is a string, and at the end `signature`. It covers
 *   the text of all others, as it is written.
 */
export type SignedStateVersion = '1.0' | '2'

/** Options of {@link signState}. */
export interface SignStateOptions {
  /** The key to sign with. */
  readonly key: StateKey
  /** The session. A state of version 1.0 states it as `session_id`. */
  readonly sessionId: string
  /** The clock. */
  readonly now: () => Date | number | string
  /** The version to write. @defaultValue `'2'` */
  readonly version?: SignedStateVersion
  /** The name of the key. Required by version 2; version 1.0 has none. */
  readonly kid?: string
  /** Seconds until a state of version 2 expires: an integer from 1. @defaultValue 604800 */
  readonly ttlSeconds?: number
  /** The longest signed state, in characters from 1. Pass the same to {@link verifySignedState}. @defaultValue 1048576 */
  readonly maxChars?: number
}

/**
 * Signs a state with HMAC-SHA-256. The result is not encrypted: its client can read it.
 *
 * States are text, because a state that was parsed and written again may differ: Python writes `1.0` where JavaScript
 * writes `1`, and integers that JavaScript cannot hold.
 *
 * @param state - The state: a JSON object as text. Verified, it is the same text.
 * @returns The signed state: a JSON object as text.
 * @throws TypeError (as a rejection) if an option is invalid, the state is not a JSON object, or the result is longer than
 * `maxChars`; with version 1.0 also if the state has a key twice, a number that a double cannot hold, or another `session_id`.
 */
export async function signState(state: string, options: SignStateOptions): Promise<string> {
  requireOnly('options', options, ['key', 'sessionId', 'now', 'version', 'kid', 'ttlSeconds', 'maxChars'])
  const { key, sessionId, now, version = '2', kid } = options
  const { ttlSeconds = DEFAULT_TTL_SECONDS, maxChars = DEFAULT_MAX_CHARS } = options
  requireKey('key', key)
  requireText('sessionId', sessionId)
  requireFunction('now', now)
  requireOneOf('version', version, ['1.0', '2'])
  if (version === '2') requireText('kid', kid)
  requireInteger('ttlSeconds', ttlSeconds, 1)
  requireInteger('maxChars', maxChars, 1)
  const fields = requireJsonObject('state', state)
  const issued = secondsOf(now)
  let signed: string
  if (version === '2') {
    const all = {
      ...{ version, kid, session_id: sessionId, issued_at: issued, expires_at: issued + ttlSeconds, state },
    }
    const text = JSON.stringify(all).slice(0, -1)
    signed = `${text},"signature":"${await sign(key, text)}"}`
  } else {
    if (fields.session_id !== sessionId) throw mismatch('state.session_id', 'sessionId', fields.session_id)
    const canonical = canonicalOf(state)
    const signature = await sign(key, `${canonical}:${issued}:1.0`)
    const rest = { timestamp: issued, signature, version, checksum: await checksumOf(canonical) }
    signed = `{"state":${state.trim()},${JSON.stringify(rest).slice(1)}`
  }
  if (signed.length > maxChars) {
    throw new TypeError(
      `"state" must be at most ${maxChars} characters when it is signed ("maxChars"), got ${signed.length}.`,
    )
  }
  return signed
}

function canonicalOf(state: string): string {
  try {
    return pythonJson(state)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw new TypeError(`${mismatch('state', 'JSON that Python can sign', state).message} ${error.message}`)
  }
}

/** The time of a clock in whole seconds since 1970. */
export function secondsOf(now: () => Date | number | string): number {
  return Math.floor(Date.parse(readClock(now)) / 1000)
}

/**
 * The text of the signed state in an event: in `agent.state_exported` or `user.reconnect_with_state`, as an object or as
 * a string. Take it from the text of the event; `undefined` if the text is not JSON, has none, or has more than four times
 * `maxChars`: an event may have its state twice, once as a string with escapes.
 *
 * @param options.maxChars - The longest signed state, in characters from 1, as in {@link SignStateOptions}. Omitted: 1048576.
 * @throws TypeError if an option is invalid.
 */
export function signedStateIn(
  text: string,
  options: { readonly maxChars?: number } = {},
): string | undefined {
  requireOnly('options', options, ['maxChars'])
  const { maxChars = DEFAULT_MAX_CHARS } = options
  requireInteger('maxChars', maxChars, 1)
  if (typeof text !== 'string' || text.length > 4 * maxChars || !isFields(parsedJson(text))) return undefined
  try {
    const members = membersOf(text)
    const [content, metadata] = [members.get('content'), members.get('metadata')]
    for (const found of [members.get('signed_state'), ...[content, metadata].map(stateOf)]) {
      if (found?.startsWith('{')) return found
      if (found?.startsWith('"')) return JSON.parse(found) as string
    }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
  }
  return undefined
}

function stateOf(value: string | undefined): string | undefined {
  return value?.startsWith('{') ? membersOf(value).get('signed_state') : undefined
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
  requireJsonObject('signedState', signedState)
  const state = signedState.trim()
  const content = { signed_state: state, ...position }
  const event = createSessionEvent('user.reconnect_with_state', content, undefined, { now })
  return `${JSON.stringify(event).slice(0, -1)},"signed_state":${state}}`
}

function requireJsonObject(name: string, text: string): Readonly<Record<string, unknown>> {
  requireText(name, text)
  const value = parsedJson(text)
  if (!isFields(value)) throw mismatch(name, 'a JSON object as text, of at most 1000 levels', text)
  return value
}
