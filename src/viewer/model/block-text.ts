/** The text of a block: a part of it at first, all of it on demand. */
import { counted, excerpt } from './format.ts'

/** A text that may be too long to show unasked. */
export interface BlockText {
  /** What is shown at first: the text, or a part of it. */
  readonly shown: string
  /** All of it. Omitted if all is shown. */
  readonly whole?: {
    /** How long it is, such as `5 000 characters`. */
    readonly size: string
    readonly text: () => string
  }
}

/** The most characters that are shown at first: the end of a text, where it grows. */
export const MAX_TEXT = 3000

/** The most characters of the input and result of a task: their beginning. */
export const MAX_INPUT = 1000

/** The most rows of a dataset that are shown at first: the last ones. */
export const MAX_ROWS = 20

/** A text that grows. */
export function growingText(text: string): BlockText {
  return cutText(text, MAX_TEXT, (most) => `… ${text.slice(-most).replace(/^[\udc00-\udfff]/, '')}`)
}

/** A text that is there at once. */
export function inputText(text: string): BlockText {
  return cutText(text, MAX_INPUT, (most) => excerpt(text, most))
}

/** The rows of a dataset as JSON. */
export function rowsText(rows: readonly unknown[]): BlockText {
  const { shown, ...cut } = growingText(jsonOf(rows.slice(-MAX_ROWS)))
  if (rows.length <= MAX_ROWS) return { shown, ...cut }
  return { shown, whole: { size: counted(rows.length, 'row'), text: () => jsonOf(rows) } }
}

function cutText(text: string, most: number, cut: (most: number) => string): BlockText {
  if (text.length <= most) return { shown: text }
  return { shown: cut(most), whole: { size: counted(text.length, 'character'), text: () => text } }
}

/** A value as JSON, for people. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 1) ?? ''
}
