/** The conformance cases of sessions: an event of each name, deviations, and streams. */

import type { SessionRuleName } from '../../../src/dialects/session/verify/rule-names.ts'
import type { SessionVerifierOptions } from '../../../src/dialects/session/verify/verifier.ts'
import { casesOf, type SuiteCase } from '../../support/conformance.ts'

type Json = Record<string, unknown>

/** An event with all of its fields. */
export interface Documented {
  readonly direction: 'client' | 'server'
  /** The fields that may be missing, such as `content.config`. */
  readonly optional: readonly string[]
  readonly event: Json & { event: string }
}

interface Input {
  readonly value: unknown
  readonly direction?: 'client' | 'server'
  readonly mode?: 'lenient'
}

interface Expected {
  readonly status: 'known' | 'invalid'
  readonly event?: unknown
  readonly repairs?: readonly { readonly code: string; readonly path: string }[]
}

/** What no other implementation needs. */
interface More {
  readonly optional: readonly string[]
  /** Whether strict mode accepts the event as well. Omitted: it does not. */
  readonly strict?: boolean
  /** The paths of all issues. */
  readonly paths: readonly string[]
}

/** A case of decoding. */
export type DecodingCase = SuiteCase<Input, Expected, More>

const decoding = casesOf<Input, Expected, More>('formats/session-decode/cases')

/** An event of each name. */
export const documented: readonly Documented[] = decoding.flatMap(({ input, optional }) =>
  input.direction === undefined
    ? []
    : { direction: input.direction, optional, event: input.value as Documented['event'] },
)

const leniently = decoding.filter(({ input }) => input.mode === 'lenient')
export const repaired: readonly DecodingCase[] = leniently.filter(
  ({ expected }) => expected.status === 'known',
)
export const refused: readonly DecodingCase[] = leniently.filter(
  ({ expected }) => expected.status === 'invalid',
)

export interface VerifiedEvent {
  readonly event: string
}

/** A session, and the options of its verifier. */
export interface Stream {
  readonly name: string
  readonly events: readonly VerifiedEvent[]
  readonly options: SessionVerifierOptions
}

interface Found {
  readonly rule: SessionRuleName
  readonly severity: 'error' | 'warn'
  readonly eventIndex: number
  readonly path?: string
}

const streams = casesOf<Pick<Stream, 'events'> & SessionVerifierOptions, { violations: readonly Found[] }>(
  'formats/session-verify',
).map(({ name, input: { events, ...options }, expected: { violations } }) => ({
  name,
  events,
  options,
  violations,
}))

/** Streams without a violation. */
export const legal: readonly Stream[] = streams.filter(({ violations }) => violations.length === 0)

/** Streams with just one. */
export const illegal: readonly (Stream & { readonly violation: Found; readonly rule: SessionRuleName })[] =
  streams.flatMap(({ violations: [violation], ...stream }) =>
    violation === undefined ? [] : { ...stream, violation, rule: violation.rule },
  )
