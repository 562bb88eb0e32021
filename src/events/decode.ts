/** From a value of unknown origin to an event. */

import type { DecodeResult, Issue } from '../core/decoded.ts'
import type { Schema } from '../core/schema.ts'
import { explain } from '../validation/issues.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { stripNulls } from '../validation/strip-nulls.ts'
import { checkContext, checkEvent } from './checks.generated.ts'
import type { AnyEvent, ContextAnyEvent } from './event.ts'
import { contextEnvelopeSchema, contextEventSchemas, envelopeSchema, eventSchemas } from './schemas.ts'

/**
 * Reads a value as an event with its context, as it travels. Never throws.
 *
 * A known event is the value itself, unknown fields and all. Only where an optional field is
 * `null`, which counts as absent, it is a copy without that field.
 *
 * @param value - Typically what `JSON.parse` returned.
 *
 * @example
 * ```ts
 * const decoded = decodeEvent(JSON.parse(text))
 * if (decoded.status === 'known') render(decoded.event)
 * else if (decoded.status === 'invalid') console.warn(decoded.issues)
 * ```
 */
export function decodeEvent(value: unknown): DecodeResult<ContextAnyEvent> {
  return decodeWith(withContext, value)
}

/**
 * Reads a value as an event without context, as model providers and tools emit it. Never throws.
 *
 * Like {@link decodeEvent}, but `contextId` and `taskId` are neither required nor looked at.
 */
export function decodeAnyEvent(value: unknown): DecodeResult<AnyEvent> {
  return decodeWith(withoutContext, value)
}

/**
 * Reads a value as an event with its context, or throws. For code whose input must be right.
 *
 * @throws {@link ProtocolError} when the value is no event, is a known kind with a wrong field, or
 * is of a kind this version does not know.
 */
export function parseEvent(value: unknown): ContextAnyEvent {
  const decoded = decodeEvent(value)
  if (decoded.status === 'known') return decoded.event
  if (decoded.status === 'invalid') throw new ProtocolError('invalid-event', decoded.issues)
  throw new ProtocolError('unknown-kind', [
    { code: 'invalid-value', path: '/kind', message: `Unknown kind ${JSON.stringify(decoded.kind)}.` },
  ])
}

/** Thrown by {@link parseEvent}. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  /** `unknown-kind`: valid, but of a kind this version does not know. `invalid-event`: anything else. */
  readonly code: 'unknown-kind' | 'invalid-event'
  /** What is wrong where. Never empty. */
  readonly issues: readonly Issue[]

  constructor(code: 'unknown-kind' | 'invalid-event', issues: readonly Issue[]) {
    super(issues.map((issue) => (issue.path === '' ? '' : `${issue.path}: `) + issue.message).join(' '))
    this.code = code
    this.issues = issues
  }
}

/**
 * Whether a value is a known event with its context, exactly as it is. For hot paths: it says
 * neither what is wrong nor whether the kind is unknown.
 */
export function isKnownEvent(value: unknown): value is ContextAnyEvent {
  return isFields(value) && typeof value.kind === 'string' && withContext.check(value.kind, value) === true
}

/** What differs between events with and without context. */
interface Family {
  /** Whether a known event is right; `undefined` for an unknown kind. */
  readonly check: (kind: string, value: Fields) => boolean | undefined
  /** The validator of each known kind: says what is wrong. */
  readonly schemas: Readonly<Record<string, Schema<unknown>>>
  /** The validator of what an event of any kind must have. */
  readonly envelope: Schema<unknown>
}

const withContext: Family = {
  check: (kind, value) => {
    const verdict = checkEvent(kind, value)
    return verdict === true ? checkContext(value) : verdict
  },
  schemas: contextEventSchemas as Family['schemas'],
  envelope: contextEnvelopeSchema as Schema<unknown>,
}

const withoutContext: Family = {
  check: checkEvent,
  schemas: eventSchemas as Family['schemas'],
  envelope: envelopeSchema as Schema<unknown>,
}

function decodeWith<T>(family: Family, value: unknown): DecodeResult<T> {
  try {
    if (!isFields(value) || typeof value.kind !== 'string') return invalid(family.envelope, value)
    const { kind } = value
    const verdict = family.check(kind, value)
    if (verdict === true) return { status: 'known', event: value as T }
    if (verdict === false) return decodeAgain(family, kind, value)
    const issues = explain(family.envelope, value)
    return issues.length > 0
      ? { status: 'invalid', issues, value }
      : { status: 'unknown', kind, event: value as { kind: string } }
  } catch {
    const message = 'The value throws when it is read.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

/** The slow way, for a known kind that failed its check: without nulls, and then the reasons. */
function decodeAgain<T>(family: Family, kind: string, value: Fields): DecodeResult<T> {
  const schema = family.schemas[kind] ?? family.envelope
  const fixed = stripNulls(schema, value) as Fields
  return family.check(kind, fixed) === true
    ? { status: 'known', event: fixed as T }
    : invalid(schema, fixed, value)
}

function invalid(schema: Schema<unknown>, checked: unknown, value: unknown = checked): DecodeResult<never> {
  return { status: 'invalid', issues: explain(schema, checked), value }
}
