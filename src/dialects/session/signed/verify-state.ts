/** Verifies a signed state that a client has stored. */

import {
  optional,
  requireArray,
  requireFunction,
  requireInteger,
  requireOnly,
} from '../../../core/require.ts'
import { canonicalize, python, rfc8785 } from './canonical.ts'
import { checksumOf, isSigned, requireKey, type StateKey } from './hmac.ts'
import { fieldOf, type JsonNode, parseJsonText } from './json-text.ts'
import { DEFAULT_TTL_SECONDS, type SignedStateVersion, secondsOf } from './sign-state.ts'

/** Options of {@link verifySignedState}. */
export interface VerifyStateOptions {
  /**
   * Returns the key with a name, or `undefined` if there is none. States of version 1.0 do not name theirs: `kid` is
   * then `undefined`.
   */
  readonly keyOf: (kid: string | undefined) => StateKey | undefined | Promise<StateKey | undefined>
  /** The clock. */
  readonly now: () => Date | number | string
  /** The accepted versions. @defaultValue `['2']` */
  readonly versions?: readonly SignedStateVersion[]
  /** Seconds until a state of version 1.0 expires: an integer from 0. @defaultValue 604800 */
  readonly ttlSeconds?: number
  /** Seconds by which a state may come from the future: an integer from 0. @defaultValue 60 */
  readonly clockSkewSeconds?: number
  /** Returns whether a state was used before. Called last, with valid states only. Omitted: states may be used again. */
  readonly isReplayed?: (state: VerifiedState) => boolean | Promise<boolean>
}

/** A state with a valid signature. */
export interface VerifiedState {
  readonly version: SignedStateVersion
  /** The text of the state, unchanged. */
  readonly state: string
  /** When it was signed, in seconds since 1970. */
  readonly issuedAt: number
  /** When it expires, in seconds since 1970. */
  readonly expiresAt: number
  /** The session. Omitted if version 1.0 does not state it in `state.session_id`. */
  readonly sessionId?: string
  /** The name of the key. Omitted for version 1.0. */
  readonly kid?: string
  /** The signature, which identifies the state. */
  readonly signature: string
}

/**
 * Why a state was refused, by the first check that failed:
 *
 * - `malformed`: it is not a JSON object with unique keys, or a field has the wrong type
 * - `missing`: a field is missing
 * - `version`: the version is not accepted
 * - `expired`, `from-the-future`: it is too old, or signed later than now
 * - `checksum`: the state differs from its checksum (version 1.0)
 * - `unknown-key`: there is no key with its name
 * - `signature`: the signature is not that of the state
 * - `replayed`: it was used before
 */
export type SignedStateFault =
  | 'malformed'
  | 'missing'
  | 'version'
  | 'expired'
  | 'from-the-future'
  | 'checksum'
  | 'unknown-key'
  | 'signature'
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

/** The fields of each version besides `version`: their names and types. */
const fields: Readonly<Record<SignedStateVersion, Readonly<Record<string, 'object' | 'number' | 'string'>>>> =
  {
    '1.0': { state: 'object', timestamp: 'number', signature: 'string', checksum: 'string' },
    '2': {
      state: 'object',
      kid: 'string',
      session_id: 'string',
      issued_at: 'number',
      expires_at: 'number',
      signature: 'string',
    },
  }

/**
 * Verifies a signed state. Never rejects because of the text.
 *
 * @param text - The signed state as it came: a JSON object as text, such as from `signedStateIn`.
 * @throws TypeError (as a rejection) if an option is invalid; also what a callback throws.
 */
export async function verifySignedState(
  text: string,
  options: VerifyStateOptions,
): Promise<SignedStateVerdict> {
  requireOnly('options', options, [
    'keyOf',
    'now',
    'versions',
    'ttlSeconds',
    'clockSkewSeconds',
    'isReplayed',
  ])
  const { keyOf, now, versions = ['2'], clockSkewSeconds = 60, isReplayed } = options
  const { ttlSeconds = DEFAULT_TTL_SECONDS } = options
  requireFunction('keyOf', keyOf)
  requireFunction('now', now)
  requireArray('versions', versions)
  requireInteger('ttlSeconds', ttlSeconds, 0)
  requireInteger('clockSkewSeconds', clockSkewSeconds, 0)
  optional(requireFunction, 'isReplayed', isReplayed)
  const current = secondsOf(now)
  const claims = readClaims(text, versions, ttlSeconds)
  if (claims.status === 'refused') return claims
  const { message, canonical, checksum, ...state } = claims.value
  const { issuedAt, expiresAt } = state
  if (current > expiresAt) {
    return refused(
      'expired',
      `Expected a state that has not expired, got one that did ${current - expiresAt} s ago.`,
    )
  }
  if (issuedAt > current + clockSkewSeconds) {
    return refused(
      'from-the-future',
      `Expected a state signed before now, got one from in ${issuedAt - current} s.`,
    )
  }
  if (checksum !== undefined && checksum !== (await checksumOf(canonical))) {
    return refused('checksum', 'Expected the checksum of the state, got another one.', '/checksum')
  }
  const key = await keyOf(state.kid)
  if (key === undefined)
    return refused('unknown-key', 'Expected the name of a known key, got another.', '/kid')
  requireKey('keyOf()', key)
  if (!(await isSigned(key, message, state.signature))) {
    return refused('signature', 'Expected the signature of the state, got another one.', '/signature')
  }
  if ((await isReplayed?.(state)) === true)
    return refused('replayed', 'Expected a state that was not used before, got one that was.')
  return { status: 'valid', ...state }
}

interface Claims extends VerifiedState {
  /** What the signature covers. */
  readonly message: string
  /** The canonical form of the state. Only used with a checksum. */
  readonly canonical: string
  readonly checksum: string | undefined
}

type Refused = Extract<SignedStateVerdict, { status: 'refused' }>

function refused(code: SignedStateFault, message: string, path?: string): Refused {
  return { status: 'refused', code, message, ...(path !== undefined && { path }) }
}

function readClaims(
  text: string,
  versions: readonly SignedStateVersion[],
  ttlSeconds: number,
): Refused | { status: 'read'; value: Claims } {
  try {
    const node = parseJsonText(text)
    if (node.type !== 'object') return refused('malformed', 'Expected a JSON object, got another value.')
    const version = fieldOf(node, 'version')
    if (version === undefined) return refused('missing', 'Expected a version, got none.', '/version')
    const accepted = versions.find((each) => version.type === 'string' && version.value === each)
    if (accepted === undefined) {
      return refused('version', `Expected version ${versions.join(' or ')}, got another one.`, '/version')
    }
    for (const [name, type] of Object.entries(fields[accepted])) {
      const field = fieldOf(node, name)
      const path = `/${name}`
      if (field === undefined) return refused('missing', `Expected a field ${name}, got none.`, path)
      const isValid = field.type === type && (field.type !== 'number' || /^\d{1,15}$/.test(field.text))
      if (!isValid)
        return refused('malformed', `Expected ${name} to be a JSON ${type}, got another value.`, path)
    }
    return { status: 'read', value: claimsOf(text, node, accepted, ttlSeconds) }
  } catch (error) {
    return refused('malformed', `Expected JSON. ${(error as Error).message}`)
  }
}

function claimsOf(
  text: string,
  node: JsonNode & { type: 'object' },
  version: SignedStateVersion,
  ttlSeconds: number,
): Claims {
  const state = fieldOf(node, 'state') as JsonNode
  const textOf = (name: string, of: JsonNode = node): string | undefined => {
    const field = fieldOf(of, name)
    return field?.type === 'string' ? field.value : undefined
  }
  const numberOf = (name: string): number => Number((fieldOf(node, name) as { text?: string }).text)
  const signature = textOf('signature') ?? ''
  const common = { version, state: text.slice(state.start, state.end), signature }
  if (version === '1.0') {
    const canonical = canonicalize(state, python)
    const issuedAt = numberOf('timestamp')
    const sessionId = textOf('session_id', state)
    const message = `${canonical}:${issuedAt}:1.0`
    const expiresAt = issuedAt + ttlSeconds
    const session = sessionId === undefined ? {} : { sessionId }
    return {
      ...common,
      ...session,
      issuedAt,
      expiresAt,
      message,
      canonical,
      checksum: textOf('checksum') ?? '',
    }
  }
  const signed = { ...node, entries: node.entries.filter(([key]) => key !== 'signature') }
  return {
    ...common,
    kid: textOf('kid') ?? '',
    sessionId: textOf('session_id') ?? '',
    issuedAt: numberOf('issued_at'),
    expiresAt: numberOf('expires_at'),
    message: canonicalize(signed, rfc8785),
    canonical: '',
    checksum: undefined,
  }
}
