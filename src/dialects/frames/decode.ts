/** From a value of unknown origin to a frame. */
import type * as z from 'zod/mini'
import { type Fields, isFields } from '../../checks.ts'
import type { Decoded, Issue } from '../../decoded.ts'
import { explain, toPointer } from '../../explain.ts'
import { withoutNulls } from '../../null-fields.ts'
import type { Schema } from '../../schema.ts'
import { contradiction, renamed } from './aliases.ts'
import { checkFrameBody, checkFrameV1Envelope, checkFrameV2Envelope } from './checks.generated.ts'
import { frameV1Schemas, frameV2Schemas, taggedV1EnvelopeSchema, taggedV2EnvelopeSchema } from './schemas.ts'
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
 * @see Event Frames, “Frame types”
 */
export function decodeFrame<V extends FrameVersion>(
  value: unknown,
  options: { readonly version: V },
): Decoded<FrameByVersion[V], UnknownFrame>
export function decodeFrame(
  value: unknown,
  { version }: { readonly version: FrameVersion },
): Decoded<unknown, UnknownFrame> {
  const family = familyOf(version)
  try {
    if (!isFields(value) || typeof value.type !== 'string') return invalid(family.envelope, value)
    const { type } = value
    if (Object.hasOwn(family.schemas, type) && checkFrameBody(type, value) && family.check(value)) {
      const issue = family.isStrict ? contradiction(value) : undefined
      return issue === undefined
        ? { status: 'known', event: value }
        : { status: 'invalid', issues: [issue], value }
    }
    return decodeAgain(family, value)
  } catch {
    const message = 'The value throws when it is read.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

/** What differs between the versions. */
interface Family {
  readonly schemas: Readonly<Record<string, Schema<unknown>>>
  readonly envelope: Schema<unknown>
  readonly check: (value: Fields) => boolean
  /** Whether a field may stand in `payload`. */
  readonly isNested: boolean
  /** Whether a field under its old and its new name at once is wrong: version 1 has no old names. */
  readonly isStrict: boolean
}

const families: Readonly<Record<FrameVersion, Family>> = {
  v1: {
    schemas: frameV1Schemas,
    envelope: taggedV1EnvelopeSchema,
    check: checkFrameV1Envelope,
    isNested: false,
    isStrict: false,
  },
  v2: {
    schemas: frameV2Schemas,
    envelope: taggedV2EnvelopeSchema,
    check: checkFrameV2Envelope,
    isNested: true,
    isStrict: true,
  },
}

function familyOf(version: FrameVersion): Family {
  const family = Object.hasOwn(families, version) ? families[version] : undefined
  if (family === undefined) throw new TypeError(`version must be 'v1' or 'v2', not ${String(version)}.`)
  return family
}

/** The slow way: as the older spellings have it, without nulls, and then the reasons. */
function decodeAgain(family: Family, value: Fields): Decoded<unknown, UnknownFrame> {
  const issue = contradiction(value)
  if (issue !== undefined) return { status: 'invalid', issues: [issue], value }
  const today = renamed(family.isNested ? flattened(family, value) : value)
  const type = today.type as string
  const schema = Object.hasOwn(family.schemas, type) ? family.schemas[type] : undefined
  if (schema === undefined) {
    const issues = [...explain(family.envelope, value), ...unsafeIntegers(family, value)]
    return issues.length > 0
      ? { status: 'invalid', issues, value }
      : { status: 'unknown', kind: type, event: value as UnknownFrame }
  }
  const fixed = withoutNulls(schema, today) as Fields
  return checkFrameBody(type, fixed) && family.check(fixed)
    ? { status: 'known', event: fixed }
    : invalid(schema, fixed, value)
}

/** The numbers of an unknown frame that `JSON.parse` may have rounded: passed on, they would be wrong. */
function unsafeIntegers({ envelope }: Family, value: Fields): Issue[] {
  const { shape } = (envelope as z.ZodMiniObject)._zod.def
  return Object.entries(value)
    .filter(([key, field]) => Number.isInteger(field) && !Number.isSafeInteger(field) && !(key in shape))
    .map(([key]) => ({
      code: 'out-of-range',
      path: toPointer([key]),
      message: 'A whole number must be within 2^53-1, or it is read as another one.',
    }))
}

/** A known frame with its fields beside the envelope instead of within `payload`. */
function flattened(family: Family, value: Fields): Fields {
  const { payload, ...envelope } = value
  return isFields(payload) && Object.hasOwn(family.schemas, String(value.type))
    ? { ...payload, ...envelope }
    : value
}

function invalid(schema: Schema<unknown>, checked: unknown, value: unknown = checked): Decoded<never, never> {
  const issues = explain(schema, checked)
  return { status: 'invalid', issues, value }
}
