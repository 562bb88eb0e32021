/** Decodes untrusted values to events. */

import type { DecodeResult } from '../core/decode-result.ts'
import { type Fields, isPlain } from '../validation/predicates.ts'
import { decodeBy, type Vocabulary, vocabularyOf } from '../validation/vocabulary.ts'
import type { AnyEvent, ContextAnyEvent } from './event.ts'
import { isPlainDelta } from './plain-delta.ts'
import { contextShape, envelopeShape, eventShapes } from './shapes.generated.ts'

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
  return decodeBy(withContext, value)
}

/**
 * Decodes a value as an event without context, as model providers and tools emit it. Never throws.
 *
 * Like {@link decodeEvent}, but `contextId` and `taskId` are neither required nor validated.
 */
export function decodeAnyEvent(value: unknown): DecodeResult<AnyEvent> {
  return decodeBy(withoutContext, value)
}

/**
 * Whether a value is a valid event of a known kind, with context, without any conversion. For hot paths:
 * reports neither issues nor unknown kinds, and refuses objects that inherit fields.
 */
export function isKnownEvent(value: unknown): value is ContextAnyEvent {
  if (!isPlain(value) || typeof value.kind !== 'string') return false
  return isPlainDelta(value.kind, value) || withContext.checkOf(value.kind)?.(value) === true
}

/** Whether an event of a known kind is valid without context, as it is; `undefined` for an unknown kind. */
export function checkEvent(kind: string, value: Fields): boolean | undefined {
  return withoutContext.checkOf(kind)?.(value)
}

/** The events, with and without context. */
export const withContext: Vocabulary = /* @__PURE__ */ vocabularyOf(eventShapes, envelopeShape, contextShape)
export const withoutContext: Vocabulary = /* @__PURE__ */ vocabularyOf(eventShapes, envelopeShape)
