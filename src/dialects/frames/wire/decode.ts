/** Decoding: from a value of unknown origin to a frame. */
import type * as z from 'zod/mini'
import type { DecodeResult, Issue } from '../../../core/decode-result.ts'
import { requireObject, requireOneOf } from '../../../core/require.ts'
import type { Schema } from '../../../core/schema.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { type Check, compileCheck } from '../../../validation/compile-check.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { stripNulls } from '../../../validation/strip-nulls.ts'
import { canonicalType, conflictingAlias, normalizeAliases } from './aliases.ts'
import {
  frameBodySchemas,
  frameV1Schemas,
  frameV2Schemas,
  taggedV1EnvelopeSchema,
  taggedV2EnvelopeSchema,
} from './schemas.ts'
import type { FrameByVersion, FrameVersion, UnknownFrame } from './types.ts'

/**
 * Decodes a value as a frame. Never throws on data.
 *
 * A known frame is the value itself, with its unknown fields. It is a normalized copy if the value uses
 * an older form: the type `output` with `content`, `prompt` instead of `input` or neither, the body
 * within `payload` (version 2), or `null` in an optional field that is not nullable. A type that the
 * version does not define decodes as `unknown`, with the type as `kind`.
 *
 * Integers are read up to 2^53-1, although the specification allows 64 bits. A larger one is `invalid`
 * with the code `out-of-range`: `JSON.parse` would have rounded it. Fields with free content, such as
 * `args`, are not checked.
 *
 * @param value - Typically the result of `JSON.parse`. A string is invalid: parse it first.
 * @throws TypeError if the version is neither `v1` nor `v2`.
 *
 * @example
 * ```ts
 * const decoded = decodeFrame(JSON.parse(line), { version: 'v1' })
 * if (decoded.status === 'known' && decoded.event.type === 'output_text_delta') show(decoded.event.delta)
 * ```
 *
 * @see docs/spec/event-frames.md
 */
export function decodeFrame<V extends FrameVersion>(
  value: unknown,
  options: { readonly version: V },
): DecodeResult<FrameByVersion[V], UnknownFrame>
export function decodeFrame(
  value: unknown,
  options: { readonly version: FrameVersion },
): DecodeResult<unknown, UnknownFrame> {
  requireObject('options', options)
  const { version } = options
  requireVersion(version)
  const family = families[version]
  try {
    if (!isFields(value) || typeof value.type !== 'string') return invalid(family.envelope, value)
    // Version 1 keeps both fields: there the older name may be an unrelated field.
    const issue = version === 'v1' ? undefined : conflictingAlias(value)
    if (issue !== undefined) return { status: 'invalid', issues: [issue], value }
    if (family.checks.get(value.type)?.(value)) return { status: 'known', event: value }
    const normalized = normalizeAliases(version === 'v1' ? value : withoutPayload(family, value))
    const type = normalized.type as string
    const schema = family.schemas.get(type)
    if (schema === undefined) return unknownFrame(family, type, value)
    const event = stripNulls(schema, normalized) as Fields
    return family.checks.get(type)?.(event) ? { status: 'known', event } : invalid(schema, event, value)
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

/** The schemas and checks of one version. */
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
  return new Map(Object.entries(schemas).map(([type, schema]) => [type, compileCheck(schema)]))
}

const bodyChecks = checksOf(frameBodySchemas)

/** Whether a frame body is valid for its type; `undefined` for an unknown type. */
export function isValidBody(frame: { readonly type: string }): boolean | undefined {
  return bodyChecks.get(frame.type)?.(frame)
}

/**
 * Requires a supported version.
 *
 * @throws TypeError such as `"version" must be "v1" or "v2", got "v3".`
 */
export function requireVersion(version: FrameVersion): void {
  requireOneOf('version', version, ['v1', 'v2'])
}

function unknownFrame(family: Family, type: string, value: Fields): DecodeResult<never, UnknownFrame> {
  const issues = [...explain(family.envelope, value), ...unsafeIntegers(family, value)]
  return issues.length > 0
    ? { status: 'invalid', issues, value }
    : { status: 'unknown', kind: type, event: value as UnknownFrame }
}

/** Issues for integers of an unknown frame that `JSON.parse` may have rounded. */
function unsafeIntegers({ envelope }: Family, value: Fields): Issue[] {
  const { shape } = (envelope as z.ZodMiniObject)._zod.def
  return Object.entries(value)
    .filter(([key, field]) => Number.isInteger(field) && !Number.isSafeInteger(field) && !(key in shape))
    .map(([key, field]) => ({
      code: 'out-of-range',
      path: toPointer([key]),
      message: `Expected an integer of at most ${Number.MAX_SAFE_INTEGER}, got ${field}.`,
    }))
}

/** Moves the body of a known frame from `payload` beside the envelope. */
function withoutPayload(family: Family, value: Fields): Fields {
  const { payload, ...envelope } = value
  return isFields(payload) && family.schemas.has(canonicalType(value)) ? { ...payload, ...envelope } : value
}

function invalid(
  schema: Schema<unknown>,
  checked: unknown,
  value: unknown = checked,
): DecodeResult<never, never> {
  return { status: 'invalid', issues: explain(schema, checked), value }
}
