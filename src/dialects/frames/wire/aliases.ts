/** Names that older logs use. They are read and never written. */

import type { Issue } from '../../../core/decoded.ts'
import type { Fields } from '../../../validation/predicates.ts'

/** A field that was renamed. */
interface Alias {
  readonly now: string
  readonly old: string
  /** What counts when there is neither. Absent: the field is required. */
  readonly otherwise?: string
}

/** The field of a type that was renamed. */
export function aliasOf(type: unknown): Alias | undefined {
  switch (type) {
    case 'session_started':
      return { now: 'input', old: 'prompt', otherwise: '' }
    case 'output_text_delta':
      return { now: 'delta', old: 'content' }
    default:
      return undefined
  }
}

/** The type of a frame under the name of today. */
export function typeToday(frame: Fields): string {
  return frame.type === 'output' ? 'output_text_delta' : (frame.type as string)
}

/** The frame under the names of today; itself when it has them already. */
export function renamed(frame: Fields): Fields {
  const type = typeToday(frame)
  const alias = aliasOf(type)
  if (alias === undefined || (type === frame.type && frame[alias.now] !== undefined)) return frame
  const { [alias.old]: old = alias.otherwise, [alias.now]: value = old, ...rest } = frame
  return value === undefined ? { ...rest, type } : { ...rest, type, [alias.now]: value }
}

/** What is wrong with a frame that has a field under its old and its new name at once. */
export function contradiction(frame: Fields): Issue | undefined {
  const alias = aliasOf(typeToday(frame))
  if (alias === undefined || frame[alias.now] === undefined || frame[alias.old] === undefined)
    return undefined
  const message = `The older name of "${alias.now}", which is there as well: either may be meant.`
  return { code: 'duplicate-field', path: `/${alias.old}`, message }
}
