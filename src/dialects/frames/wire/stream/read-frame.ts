/** Reading frames of either version into a state that is bounded. */

import type { DecodeResult, Issue } from '../../../../core/decode-result.ts'
import { toPointer } from '../../../../encoding/pointer.ts'
import { isFields } from '../../../../validation/predicates.ts'
import { decodeFrame } from '../codec/decode.ts'
import type { FrameV1, FrameV2, FrameVersion, UnknownFrame } from '../types.ts'
import { versionOf } from './frame-stream.ts'

/** The maximum length of an id or name that a state stores, in UTF-16 units. */
export const MAX_ID_LENGTH = 1024

/** The fields that are stored. */
const STORED = /^(id|name|label|digest)$|_(id|kind|name)$/

/** A frame that was read. */
export type ReadFrame = Exclude<DecodeResult<FrameV1 | FrameV2, UnknownFrame>, { status: 'invalid' }>

/**
 * Decodes a value as a frame whose ids can be stored.
 *
 * @param version - Omitted: version 2 if the value has `stream_kind` and `stream_id`, otherwise version 1.
 */
export function readFrame(
  value: unknown,
  version: FrameVersion = safeVersionOf(value),
): DecodeResult<FrameV1 | FrameV2, UnknownFrame> {
  const decoded = decodeFrame(value, { version })
  if (decoded.status === 'invalid') return decoded
  const issues = longIds(decoded.event, STORED)
  return issues.length === 0 ? decoded : { status: 'invalid', issues, value }
}

/** An issue for each of the fields that is too long to be stored. */
export function longIds(value: object, fields: RegExp): Issue[] {
  const issues: Issue[] = []
  for (const field of Object.keys(value)) {
    const id = (value as Readonly<Record<string, unknown>>)[field]
    if (typeof id !== 'string' || id.length <= MAX_ID_LENGTH || !fields.test(field)) continue
    const message = `Expected ${field} of at most ${MAX_ID_LENGTH} characters, got ${id.length}.`
    issues.push({ code: 'out-of-range', path: toPointer([field]), message })
  }
  return issues
}

/** The version of any value; 1 if it cannot be determined. */
function safeVersionOf(value: unknown): FrameVersion {
  try {
    return isFields(value) ? versionOf(value) : 'v1'
  } catch {
    return 'v1'
  }
}
