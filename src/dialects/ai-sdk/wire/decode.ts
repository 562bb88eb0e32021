/** Decoding: from a value of unknown origin to a chunk. */

import type { DecodeResult } from '../../../core/decode-result.ts'
import { isFields } from '../../../validation/predicates.ts'
import { issuesOf, read } from '../../../validation/read.ts'
import { chunkShapes, dataShape } from './shapes.ts'
import type { UiMessageChunk, UnknownUiMessageChunk } from './types.ts'

/**
 * Decodes a value as a chunk of any of the versions 5 to 7. Never throws.
 *
 * A known chunk is the value itself, with its unknown fields; if an optional field is `null`, a copy without that
 * field. The `kind` of an unknown chunk is its `type`. Open sets, such as `finishReason`, are not checked.
 *
 * @param value - Typically the result of `JSON.parse`. A string is invalid: parse it first.
 *
 * @example
 * ```ts
 * const decoded = decodeUiMessageChunk(JSON.parse(message.data))
 * if (decoded.status === 'known' && decoded.event.type === 'text-delta') append(decoded.event.delta)
 * ```
 */
export function decodeUiMessageChunk(value: unknown): DecodeResult<UiMessageChunk, UnknownUiMessageChunk> {
  try {
    if (!isFields(value) || typeof value.type !== 'string' || !Object.hasOwn(value, 'type')) {
      return { status: 'invalid', issues: issuesOf(['fields', { type: 'text' }], value), value }
    }
    const { type } = value
    const fields = Object.hasOwn(chunkShapes, type) ? chunkShapes[type] : undefined
    const shape = fields ?? (type.startsWith('data-') ? dataShape : undefined)
    if (shape === undefined) return { status: 'unknown', kind: type, event: value as UnknownUiMessageChunk }
    const { issues, value: chunk } = read(['fields', shape], value)
    return issues.length === 0
      ? { status: 'known', event: chunk as UiMessageChunk }
      : { status: 'invalid', issues, value }
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}
