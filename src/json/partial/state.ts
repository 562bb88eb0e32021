/** The state of a reader of partial JSON. */

import type { JsonValue } from '../../core/json-value.ts'

/** What is known of a JSON text that is still being written. */
export interface PartialJson {
  /**
   * The part of the value that is certain: strings as far as they are written, numbers once they end. Omitted while
   * nothing is. Read-only: the values of consecutive deltas share what did not change.
   */
  readonly value?: JsonValue
  /** Whether the text is a complete JSON value so far. A number alone is complete only at the end. */
  readonly complete: boolean
  /**
   * JSON pointer to the value being written, which `value` may not have yet; to its object while a name is
   * being written. `null` if the text is complete or invalid.
   */
  readonly openPath: string | null
  /**
   * Only at the end. `complete`: the text is JSON, and `value` is its value. `incomplete`: the text is the start of JSON.
   * `invalid`: no text that starts like this is JSON.
   */
  readonly verdict?: 'complete' | 'incomplete' | 'invalid'
}

/** What comes next in the text. */
export type Mode =
  | 'value'
  /** After `[` */
  | 'first-item'
  /** After `{` */
  | 'first-name'
  /** After a comma in an object. */
  | 'name-start'
  | 'name'
  | 'colon'
  | 'string'
  | 'number'
  | 'literal'
  /** After a value within an array or object. */
  | 'separator'
  /** After the whole value. */
  | 'end'
  | 'invalid'

/** An open array or object. */
export interface Frame {
  readonly pointer: string
  readonly isArray: boolean
  /** The index or name of its last child. */
  readonly key: number | string
  /** How many children have begun. */
  readonly count: number
}

/** Plain JSON. */
export interface State extends PartialJson {
  readonly mode: Mode
  /** How many characters were read. */
  readonly position: number
  /** The open arrays and objects, outermost first. */
  readonly stack: readonly Frame[]
  /** The open name, number or literal, as far as it is read. */
  readonly token: string
  /** The open number, with one digit in place of several: where it is in its grammar. */
  readonly part: string
  /** The open escape sequence of a string or name: a backslash and what follows. Empty if there is none. */
  readonly escape: string
  /** The last character of a string or name if it is the first half of a surrogate pair. */
  readonly half: string
  /** The text of children that `value` does not show until their array or object ends, `null` if it shows all. */
  readonly hidden: Hidden | null
}

export interface Hidden {
  /** How many frames are outside. The next one is that of the array or object. */
  readonly depth: number
  readonly text: string
}

export const initialState: State = {
  complete: false,
  openPath: '',
  mode: 'value',
  position: 0,
  stack: [],
  token: '',
  part: '',
  escape: '',
  half: '',
  hidden: null,
}

/** The same with a value. An assignment, because a spread takes several times as long. */
export function withValue<T extends PartialJson>(partial: T, value: JsonValue): T {
  const fields = partial as { value?: JsonValue }
  fields.value = value
  return partial
}
