/** Text that cannot control what shows it: terminals, logs, pages of CI. */

/** What JSON leaves as it is: C1 controls, separators of lines, and characters that change the direction of text. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
/** The same and the C0 controls, but for tabs and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what has to be escaped.
const CONTROL = /[\0-\x08\x0b-\x1f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A character as JSON escapes it. */
function escapeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Text of any number of lines. */
export function visible(text: string): string {
  return text.replace(CONTROL, escapeOf)
}

/** Text on one line: white space is a space. */
export function printable(text: string): string {
  return visible(text.replace(/[\t\n\v\f\r\u2028\u2029]/g, ' '))
}

/** A value as JSON. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(INVISIBLE, escapeOf)
}

/** Text in XML 1.0, which cannot hold most control characters, nor halves of surrogate pairs. */
export function xmlText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what XML cannot hold.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
      .replace(/[<>&"\n\r\t]/g, reference)
      .replace(INVISIBLE, reference)
  )
}

function reference(char: string): string {
  return `&#${char.charCodeAt(0)};`
}
