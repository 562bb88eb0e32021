/** Decodes untrusted values to events. */

import type { DecodeResult, Issue } from '../core/decode-result.ts'
import { describeValue } from '../core/require.ts'
import type { Schema } from '../core/schema.ts'
import { explain } from '../validation/issues.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { stripNulls } from '../validation/strip-nulls.ts'
import { checkContext, checkEvent } from './checks.generated.ts'
import type { AnyEvent, ContextAnyEvent } from './event.ts'
import { contextEnvelopeSchema, contextEventSchemas, envelopeSchema, eventSchemas } from './schemas.ts'

/**
 * Decodes a value as an event with context. Never throws.
 *
 * A known event is the value itself, including unknown fields. If an optional field is `null`, it is a copy
 * without that field.
 *
 * @param value - Usually the result of `JSON.parse`.
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
 * Decodes a value as an event without context, as model providers and tools emit it. Never throws.
 *
 * Like {@link decodeEvent}, but `contextId` and `taskId` are neither required nor validated.
 */
export function decodeAnyEvent(value: unknown): DecodeResult<AnyEvent> {
  return decodeWith(withoutContext, value)
}

/**
 * Parses a value as an event with context, or throws. For code that requires valid input.
 *
 * @throws {@link ProtocolError} if the value is not a valid event, or if its kind is unknown to this
 * version.
 */
export function parseEvent(value: unknown): ContextAnyEvent {
  const decoded = decodeEvent(value)
  if (decoded.status === 'known') return decoded.event
  if (decoded.status === 'invalid') throw new ProtocolError('invalid-event', decoded.issues)
  throw new ProtocolError('unknown-kind', [
    {
      code: 'invalid-value',
      path: '/kind',
      message: `Expected a known kind, got ${describeValue(decoded.kind)}.`,
    },
  ])
}

/** Thrown by {@link parseEvent}. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  /** `unknown-kind`: valid, but this version does not know the kind. `invalid-event`: not a valid event. */
  readonly code: 'unknown-kind' | 'invalid-event'
  /** The problems. Never empty. */
  readonly issues: readonly Issue[]

  constructor(code: 'unknown-kind' | 'invalid-event', issues: readonly Issue[]) {
    super(issues.map((issue) => (issue.path === '' ? '' : `${issue.path}: `) + issue.message).join(' '))
    this.code = code
    this.issues = issues
  }
}

/**
 * Whether a value is a valid event of a known kind, with context, without any conversion. For hot paths:
 * reports neither issues nor unknown kinds.
 */
export function isKnownEvent(value: unknown): value is ContextAnyEvent {
  return isFields(value) && typeof value.kind === 'string' && withContext.check(value.kind, value) === true
}

/** The validators of events with or without context. */
interface Validators {
  /** Whether an event of a known kind is valid; `undefined` for an unknown kind. */
  readonly check: (kind: string, value: Fields) => boolean | undefined
  /** The schema of each known kind, for the issues. */
  readonly schemas: Readonly<Record<string, Schema<unknown>>>
  /** The schema of the fields that an event of any kind must have. */
  readonly envelope: Schema<unknown>
}

const withContext: Validators = {
  check: (kind, value) => {
    const verdict = checkEvent(kind, value)
    return verdict === true ? checkContext(value) : verdict
  },
  schemas: contextEventSchemas as Validators['schemas'],
  envelope: contextEnvelopeSchema as Schema<unknown>,
}

const withoutContext: Validators = {
  check: checkEvent,
  schemas: eventSchemas as Validators['schemas'],
  envelope: envelopeSchema as Schema<unknown>,
}

function decodeWith<T>(validators: Validators, value: unknown): DecodeResult<T> {
  try {
    if (!isFields(value) || typeof value.kind !== 'string') return invalid(validators.envelope, value)
    const { kind } = value
    const verdict = validators.check(kind, value)
    if (verdict === true) return { status: 'known', event: value as T }
    if (verdict === false) return decodeSlowly(validators, kind, value)
    const issues = explain(validators.envelope, value)
    return issues.length > 0
      ? { status: 'invalid', issues, value }
      : { status: 'unknown', kind, event: value as { kind: string } }
  } catch {
    const message = 'The value throws when it is read.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

/** The slow path, for a known kind that failed its check: strips nulls, then collects the issues. */
function decodeSlowly<T>(validators: Validators, kind: string, value: Fields): DecodeResult<T> {
  const schema = validators.schemas[kind] ?? validators.envelope
  const stripped = stripNulls(schema, value) as Fields
  return validators.check(kind, stripped) === true
    ? { status: 'known', event: stripped as T }
    : invalid(schema, stripped, value)
}

function invalid(schema: Schema<unknown>, checked: unknown, value: unknown = checked): DecodeResult<never> {
  return { status: 'invalid', issues: explain(schema, checked), value }
}
