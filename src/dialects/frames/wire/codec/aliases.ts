/** Type and field names of older logs, and other spellings. They are read and never written. */

import type { Issue } from '../../../../core/decode-result.ts'
import type { Fields } from '../../../../validation/predicates.ts'

/** A field with an older name. */
interface Alias {
  readonly current: string
  readonly old: string
  /** The value if the field is present under neither name. Omitted: the field is required. */
  readonly default?: string
}

/** The field of a frame type that has an older name. */
export function aliasOf(type: unknown): Alias | undefined {
  switch (type) {
    case 'session_started':
      return { current: 'input', old: 'prompt', default: '' }
    case 'output_text_delta':
      return { current: 'delta', old: 'content' }
    default:
      return undefined
  }
}

/** The current name of a frame's type. */
export function canonicalType(frame: Fields): string {
  return frame.type === 'output' ? 'output_text_delta' : (frame.type as string)
}

/** The frame with current names only; the frame itself if it needs no change. */
export function normalizeAliases(frame: Fields): Fields {
  const type = canonicalType(frame)
  const alias = aliasOf(type)
  if (alias === undefined || (type === frame.type && frame[alias.current] !== undefined)) return frame
  const { [alias.old]: old = alias.default, [alias.current]: value = old, ...rest } = frame
  return value === undefined ? { ...rest, type } : { ...rest, type, [alias.current]: value }
}

/** An issue if a frame has one field under its old and its current name. */
export function conflictingAlias(frame: Fields): Issue | undefined {
  const alias = aliasOf(canonicalType(frame))
  if (alias === undefined || frame[alias.current] === undefined || frame[alias.old] === undefined)
    return undefined
  const message = `Expected either "${alias.current}" or its older name "${alias.old}", got both.`
  return { code: 'duplicate-field', path: `/${alias.old}`, message }
}

/** The frame with the status of a background tool in the spelling that runtimes accept. */
export function withWrittenStatus<F extends { readonly type: string }>(frame: F): F {
  const isOther = frame.type === 'tool_task_status' && 'status' in frame && frame.status === 'canceled'
  return isOther ? { ...frame, status: 'cancelled' } : frame
}
