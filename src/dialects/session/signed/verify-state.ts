/** Verifies a signed state that a client has stored. */

import {
  optional,
  requireArray,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireObject,
  requireOnly,
  requireText,
} from '../../../core/require.ts'
import { isWellFormed } from '../../../encoding/surrogates.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { isFields } from '../../../validation/predicates.ts'
import { checksumOf, isSigned, requireKey, type StateKey } from './hmac.ts'
import { JsonTextError, membersOf } from './members.ts'
import { pythonJson } from './python-json.ts'
import { DEFAULT_MAX_CHARS, DEFAULT_TTL_SECONDS, type SignedStateVersion, secondsOf } from './sign-state.ts'

/** Options of {@link verifySignedState}. */
export interface VerifyStateOptions {
  /**
   * The keys to verify with, by their names: the one that signs, and those that did before. A state of version 1.0 does not name
   * its key: each of them may have signed it.
   */
  readonly keys: Readonly<Record<string, StateKey>>
  /** The session to restore, as the server knows it: of whom it has authenticated, never from the state. */
  readonly sessionId: string
  /** The clock. */
  readonly now: () => Date | number | string
  /** The accepted versions. @defaultValue `['2']` */
  readonly versions?: readonly SignedStateVersion[]
  /** Seconds until a state of version 1.0 expires: an integer from 1. @defaultValue 604800 */
  readonly ttlSeconds?: number
  /** Seconds by which a state may come from the future: an integer from 0. @defaultValue 60 */
  readonly clockSkewSeconds?: number
  /** The longest text, in characters from 1: a longer one is refused before it is read. @defaultValue 1048576 */
  readonly maxChars?: number
  /**
   * Marks a state as used and returns whether it was before, in one atomic step, such as `SET NX` of Redis. Called last, with valid
   * states only. The mark may go at `expiresAt`, by the clock of `now`. Omitted: until it expires, a state may be used again.
   */
  readonly isReplayed?: (state: VerifiedState) => boolean | Promise<boolean>
}

/** A state with a valid signature. */
export interface VerifiedState {
  readonly version: SignedStateVersion
  /** The text of the state, unchanged. */
  readonly state: string
  /** When it was signed, in seconds since 1970. */
  readonly issuedAt: number
  /** When it expires, in seconds since 1970: it is refused from then on. */
  readonly expiresAt: number
  /** The session. */
  readonly sessionId: string
  /** The name of the key. */
  readonly kid: string
  /** The signature, which identifies the state. */
  readonly signature: string
}

/**
 * Why a state was refused, by the first check that failed:
 *
 * - `too-large`: it is longer than `maxChars`
 * - `malformed`: it is not a JSON object of at most 1000 levels, has a key twice, a field of another type or a signature elsewhere
 * - `missing`: a field is missing
 * - `version`: the version is not accepted
 * - `checksum`: the state differs from its checksum (version 1.0)
 * - `unknown-key`: there is no key with its name
 * - `signature`: the signature is not that of the state
 * - `expired`, `from-the-future`: it is too old, or signed later than now
 * - `other-session`: it is of another session, or states none
 * - `replayed`: it was used before
 */
export type SignedStateFault =
  | 'too-large'
  | 'malformed'
  | 'missing'
  | 'version'
  | 'checksum'
  | 'unknown-key'
  | 'signature'
  | 'expired'
  | 'from-the-future'
  | 'other-session'
  | 'replayed'

/** The result of {@link verifySignedState}. */
export type SignedStateVerdict =
  | ({ readonly status: 'valid' } & VerifiedState)
  | {
      readonly status: 'refused'
      readonly code: SignedStateFault
      /** What was expected, in English. May change in any release. */
      readonly message: string
      /** JSON pointer to the field. Omitted if it is the whole text. */
      readonly path?: string
    }

/**
 * Verifies a signed state: that a key of the server has signed exactly this text, for this session, and that it neither expired nor
 * was used. Never rejects because of the text, and takes time and memory in proportion to `maxChars` at most.
 *
 * @param text - The signed state as it came: a JSON object as text, such as from `signedStateIn`.
 * @throws TypeError (as a rejection) if an option is invalid, or `isReplayed` returns no boolean; also what a callback throws.
 */
export async function verifySignedState(
  text: string,
  options: VerifyStateOptions,
): Promise<SignedStateVerdict> {
  requireOnly('options', options, [
    ...['keys', 'sessionId', 'now', 'versions', 'ttlSeconds', 'clockSkewSeconds', 'maxChars', 'isReplayed'],
  ])
  const { keys, sessionId, now, versions = ['2'], isReplayed } = options
  const { ttlSeconds = DEFAULT_TTL_SECONDS, clockSkewSeconds = 60, maxChars = DEFAULT_MAX_CHARS } = options
  requireObject('keys', keys)
  for (const [kid, key] of Object.entries(keys)) requireKey(`keys.${kid}`, key)
  requireText('sessionId', sessionId)
  requireFunction('now', now)
  requireArray('versions', versions)
  requireInteger('ttlSeconds', ttlSeconds, 1)
  requireInteger('clockSkewSeconds', clockSkewSeconds, 0)
  requireInteger('maxChars', maxChars, 1)
  optional(requireFunction, 'isReplayed', isReplayed)
  const current = secondsOf(now)
  const claims = readClaims(text, versions, ttlSeconds, maxChars)
  if ('code' in claims) return claims
  const { message, checksum, kid: named, ...claimed } = claims
  if (checksum !== undefined && checksum.stated !== (await checksumOf(checksum.of))) {
    return refused('checksum', 'Expected the checksum of the state, got another one.', '/checksum')
  }
  const names = Object.keys(keys).filter((name) => named === undefined || name === named)
  if (names.length === 0)
    return refused('unknown-key', 'Expected the name of a known key, got another.', '/kid')
  let kid: string | undefined
  for (const name of names) {
    if (kid === undefined && (await isSigned(keys[name] as StateKey, message, claimed.signature))) kid = name
  }
  if (kid === undefined) {
    return refused('signature', 'Expected the signature of the state, got another one.', '/signature')
  }
  const { issuedAt, expiresAt } = claimed
  if (current >= expiresAt) {
    const ago = current - expiresAt
    return refused('expired', `Expected a state that has not expired, got one that did ${ago} s ago.`)
  }
  if (issuedAt > current + clockSkewSeconds) {
    const ahead = issuedAt - current
    return refused('from-the-future', `Expected a state signed before now, got one from in ${ahead} s.`)
  }
  if (claimed.sessionId !== sessionId) {
    return refused('other-session', 'Expected a state of the session to restore, got one of another.')
  }
  const state: VerifiedState = { ...claimed, sessionId, kid }
  if (isReplayed !== undefined) {
    const wasUsed = await isReplayed(state)
    requireBoolean('isReplayed()', wasUsed)
    if (wasUsed) return refused('replayed', 'Expected a state that was not used before, got one that was.')
  }
  return { status: 'valid', ...state }
}

/** What a text states, before it is verified. */
interface Claims extends Omit<VerifiedState, 'sessionId' | 'kid'> {
  readonly sessionId: unknown
  /** Omitted: it names none. */
  readonly kid?: string
  /** What the signature covers. */
  readonly message: string
  /** What the text states as a checksum, and of what. */
  readonly checksum?: { readonly stated: string; readonly of: string }
}

type Refused = Extract<SignedStateVerdict, { status: 'refused' }>
type Fields = Readonly<Record<string, unknown>>

function refused(code: SignedStateFault, message: string, path?: string): Refused {
  return { status: 'refused', code, message, ...(path !== undefined && { path }) }
}

/** The fields of each version besides `version`: their names and types. */
const fieldTypes: Readonly<
  Record<SignedStateVersion, Readonly<Record<string, 'object' | 'integer' | 'string'>>>
> = {
  '1.0': { state: 'object', timestamp: 'integer', signature: 'string', checksum: 'string' },
  '2': {
    ...{ kid: 'string', session_id: 'string', issued_at: 'integer', expires_at: 'integer' },
    ...{ state: 'string', signature: 'string' },
  },
}

/** The fields of version 1.0, and of version 2, once their types are checked. */
type Fields1 = { state: Fields; timestamp: number; signature: string; checksum: string }
type Fields2 = { issued_at: number; expires_at: number } & Record<Strings2, string>
type Strings2 = 'kid' | 'session_id' | 'state' | 'signature'

function isOfType(value: unknown, type: 'object' | 'integer' | 'string'): boolean {
  if (type === 'object') return isFields(value)
  return type === 'string' ? typeof value === 'string' : Number.isSafeInteger(value) && (value as number) >= 0
}

function readClaims(
  text: string,
  versions: readonly SignedStateVersion[],
  ttlSeconds: number,
  maxChars: number,
): Refused | Claims {
  if (typeof text !== 'string' || !isWellFormed(text))
    return refused('malformed', 'Expected text that is Unicode.')
  if (text.length > maxChars) {
    return refused('too-large', `Expected at most ${maxChars} characters, got ${text.length}.`)
  }
  const fields = parsedJson(text)
  if (!isFields(fields)) return refused('malformed', 'Expected a JSON object of at most 1000 levels.')
  const { version } = fields
  if (version === undefined) return refused('missing', 'Expected a version, got none.', '/version')
  const accepted = versions.find((each) => version === each)
  if (accepted === undefined) {
    return refused('version', `Expected version ${versions.join(' or ')}, got another one.`, '/version')
  }
  for (const [name, type] of Object.entries(fieldTypes[accepted])) {
    const path = `/${name}`
    if (!Object.hasOwn(fields, name)) return refused('missing', `Expected a field ${name}, got none.`, path)
    if (!isOfType(fields[name], type)) {
      return refused('malformed', `Expected ${name} to be a JSON ${type}, got another value.`, path)
    }
  }
  return accepted === '1.0' ? claimsOfPython(text, fields, ttlSeconds) : claimsOf(text, fields)
}

function claimsOf(text: string, fields: Fields): Refused | Claims {
  const { kid, session_id, issued_at, expires_at, state, signature } = fields as unknown as Fields2
  // What came behind it, it could not cover.
  const end = `,"signature":"${signature}"}`
  if (!text.endsWith(end)) return refused('malformed', 'Expected the signature at the end.', '/signature')
  const message = text.slice(0, -end.length)
  return {
    ...{ version: '2', kid, sessionId: session_id, issuedAt: issued_at, expiresAt: expires_at },
    ...{ state, signature, message },
  }
}

function claimsOfPython(text: string, fields: Fields, ttlSeconds: number): Refused | Claims {
  const { timestamp: issuedAt, signature, checksum, state: parsed } = fields as unknown as Fields1
  const { session_id: sessionId } = parsed
  try {
    const members = membersOf(text)
    // Python signs the time as it is written.
    if (members.get('timestamp') !== String(issuedAt)) {
      return refused('malformed', 'Expected timestamp to be a JSON integer, got another value.', '/timestamp')
    }
    const state = members.get('state') ?? ''
    const canonical = pythonJson(state)
    return {
      ...{ version: '1.0', state, sessionId, issuedAt, expiresAt: issuedAt + ttlSeconds, signature },
      ...{ message: `${canonical}:${issuedAt}:1.0`, checksum: { stated: checksum, of: canonical } },
    }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    return refused('malformed', error.message)
  }
}
