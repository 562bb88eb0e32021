/** Decoding: from a value of unknown origin to a frame. */
import type { DecodeResult, Issue } from '../../../../core/decode-result.ts'
import { requireOneOf, requireOnly } from '../../../../core/require.ts'
import { toPointer } from '../../../../encoding/pointer.ts'
import { type Fields, isFields } from '../../../../validation/predicates.ts'
import { issuesOf, read } from '../../../../validation/read.ts'
import { MAX_ISSUES } from '../../../../validation/report.ts'

import type { ShapeFields } from '../../../../validation/shape.ts'
import type { FrameByVersion, FrameVersion, UnknownFrame } from '../types.ts'
import { canonicalType, conflictingAlias, normalizeAliases } from './aliases.ts'
import { envelopeShapes, frameShapeOf } from './frame-shape.ts'

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
 * `args`, are not checked. A frame of version 2 that has a field under its older name as well is `invalid` with the code
 * `duplicate-field`.
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
  requireOnly('options', options, ['version'])
  const { version } = options
  requireVersion(version)
  try {
    if (!isFields(value) || typeof value.type !== 'string' || !Object.hasOwn(value, 'type')) {
      return { status: 'invalid', issues: envelopeIssues(version, value), value }
    }
    // Version 1 keeps both fields: there the older name may be an unrelated field.
    const issue = version === 'v1' ? undefined : conflictingAlias(value)
    if (issue !== undefined) return { status: 'invalid', issues: [issue], value }
    const frame = normalizeAliases(version === 'v1' ? value : withoutPayload(value))
    const type = frame.type as string
    const shape = frameShapeOf(version, type)
    if (shape === undefined) return unknownFrame(version, type, value)
    const { issues, value: event } = read(shape, frame)
    return issues.length === 0 ? { status: 'known', event } : { status: 'invalid', issues, value }
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

/**
 * Requires a supported version.
 *
 * @throws TypeError such as `"version" must be "v1" or "v2", got "v3".`
 */
export function requireVersion(version: FrameVersion): void {
  requireOneOf('version', version, ['v1', 'v2'])
}

function unknownFrame(version: FrameVersion, type: string, value: Fields): DecodeResult<never, UnknownFrame> {
  const issues = [...envelopeIssues(version, value), ...unsafeIntegers(envelopeShapes[version][1], value)]
  return issues.length > 0
    ? { status: 'invalid', issues: issues.slice(0, MAX_ISSUES), value }
    : { status: 'unknown', kind: type, event: value as UnknownFrame }
}

/** Issues for integers of an unknown frame that `JSON.parse` may have rounded. */
function unsafeIntegers(envelope: ShapeFields, value: Fields): Issue[] {
  const issues: Issue[] = []
  for (const key in value) {
    const field = value[key]
    if (!Number.isInteger(field) || Number.isSafeInteger(field)) continue
    if (Object.hasOwn(envelope, key) || !Object.hasOwn(value, key)) continue
    const message = `Expected an integer of at most ${Number.MAX_SAFE_INTEGER}, got ${field}.`
    issues.push({ code: 'out-of-range', path: toPointer([key]), message })
    if (issues.length === MAX_ISSUES) break
  }
  return issues
}

/** Moves the body of a known frame from `payload` beside the envelope. */
function withoutPayload(value: Fields): Fields {
  const { payload, ...envelope } = value
  return isFields(payload) && frameShapeOf('v2', canonicalType(value)) !== undefined
    ? { ...payload, ...envelope }
    : value
}

/** The issues of an envelope. Its optional field is not `null`: an unknown frame is handed on as it is. */
function envelopeIssues(version: FrameVersion, value: unknown): Issue[] {
  return issuesOf(envelopeShapes[version], value, { refusesNulls: true })
}
