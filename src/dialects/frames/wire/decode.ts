/** From a value of unknown origin to a frame. */
import type * as z from 'zod/mini'
import type { DecodeResult, Issue } from '../../../core/decoded.ts'
import type { Schema } from '../../../core/schema.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { type Check, checkOf } from '../../../validation/compile-check.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { withoutNulls } from '../../../validation/strip-nulls.ts'
import { contradiction, renamed, typeToday } from './aliases.ts'
import {
  frameBodySchemas,
  frameV1Schemas,
  frameV2Schemas,
  taggedV1EnvelopeSchema,
  taggedV2EnvelopeSchema,
} from './schemas.ts'
import type { FrameByVersion, FrameVersion, UnknownFrame } from './types.ts'

/**
 * Reads a value as a frame. Never throws on data.
 *
 * A known frame is the value itself, unknown fields and all. It is a copy in the spelling of today
 * where the value is in one of the older ones: the type `output` with `content`, `prompt` instead of
 * `input` or neither, what the type defines within `payload` (version 2), or `null` on a field that
 * is left out when there is nothing to say. A type the version does not know is `unknown`; the `kind`
 * is then that type.
 *
 * Whole numbers are read up to 2^53-1, although the document has 64 bits for them. A larger one is
 * `invalid` with the code `out-of-range` and never rounded: what `JSON.parse` makes of it is above
 * that bound as well. Fields whose values are not looked at, such as `args`, are not covered by this.
 *
 * @param value - Typically what `JSON.parse` returned. Text is no frame: parse it first.
 * @throws TypeError when the version is none.
 *
 * @example
 * ```ts
 * const decoded = decodeFrame(JSON.parse(line), { version: 'v1' })
 * if (decoded.status === 'known' && decoded.event.type === 'output_text_delta') show(decoded.event.delta)
 * ```
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export function decodeFrame<V extends FrameVersion>(
  value: unknown,
  options: { readonly version: V },
): DecodeResult<FrameByVersion[V], UnknownFrame>
export function decodeFrame(
  value: unknown,
  { version }: { readonly version: FrameVersion },
): DecodeResult<unknown, UnknownFrame> {
  requireVersion(version)
  const family = families[version]
  try {
    if (!isFields(value) || typeof value.type !== 'string') return invalid(family.envelope, value)
    // In version 1 a field has no older name.
    const issue = version === 'v1' ? undefined : contradiction(value)
    if (issue !== undefined) return { status: 'invalid', issues: [issue], value }
    if (family.checks.get(value.type)?.(value)) return { status: 'known', event: value }
    const today = renamed(version === 'v1' ? value : flattened(family, value))
    const type = today.type as string
    const schema = family.schemas.get(type)
    if (schema === undefined) return unknownFrame(family, type, value)
    const fixed = withoutNulls(schema, today) as Fields
    return family.checks.get(type)?.(fixed)
      ? { status: 'known', event: fixed }
      : invalid(schema, fixed, value)
  } catch {
    const message = 'The value throws when it is read.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

/** What differs between the versions. */
interface Family {
  readonly schemas: ReadonlyMap<string, Schema<unknown>>
  readonly checks: ReadonlyMap<string, Check>
  readonly envelope: Schema<unknown>
}

const families: Readonly<Record<FrameVersion, Family>> = {
  v1: familyOf(frameV1Schemas, taggedV1EnvelopeSchema),
  v2: familyOf(frameV2Schemas, taggedV2EnvelopeSchema),
}

function familyOf(schemas: object, envelope: Schema<unknown>): Family {
  return {
    schemas: new Map(Object.entries(schemas)),
    checks: checksOf(schemas),
    envelope,
  }
}

function checksOf(schemas: object): ReadonlyMap<string, Check> {
  return new Map(Object.entries(schemas).map(([type, schema]) => [type, checkOf(schema)]))
}

const bodyChecks = checksOf(frameBodySchemas)

/** Whether a frame without its envelope has the fields of its type; `undefined` for an unknown type. */
export function fitsBody(frame: { readonly type: string }): boolean | undefined {
  return bodyChecks.get(frame.type)?.(frame)
}

/** Refuses what is handed in instead of a version. */
export function requireVersion(version: FrameVersion): void {
  if (version !== 'v1' && version !== 'v2') throw new TypeError("version must be 'v1' or 'v2'.")
}

function unknownFrame(family: Family, type: string, value: Fields): DecodeResult<never, UnknownFrame> {
  const issues = [...explain(family.envelope, value), ...unsafeIntegers(family, value)]
  return issues.length > 0
    ? { status: 'invalid', issues, value }
    : { status: 'unknown', kind: type, event: value as UnknownFrame }
}

/** The numbers of an unknown frame that `JSON.parse` may have rounded: passed on, they would be wrong. */
function unsafeIntegers({ envelope }: Family, value: Fields): Issue[] {
  const { shape } = (envelope as z.ZodMiniObject)._zod.def
  const message = `Must be at most ${Number.MAX_SAFE_INTEGER}.`
  return Object.entries(value)
    .filter(([key, field]) => Number.isInteger(field) && !Number.isSafeInteger(field) && !(key in shape))
    .map(([key]) => ({ code: 'out-of-range', path: toPointer([key]), message }))
}

/** A known frame with its fields beside the envelope instead of within `payload`. */
function flattened(family: Family, value: Fields): Fields {
  const { payload, ...envelope } = value
  return isFields(payload) && family.schemas.has(typeToday(value)) ? { ...payload, ...envelope } : value
}

function invalid(
  schema: Schema<unknown>,
  checked: unknown,
  value: unknown = checked,
): DecodeResult<never, never> {
  return { status: 'invalid', issues: explain(schema, checked), value }
}
