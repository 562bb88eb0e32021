/** The grammar of a JSON number that is still being written. */

/** The longest start of a number. */
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][-+]?\d*)?)?|[eE][-+]?\d*)?)?/

/** Whether a number may start with a character. */
export function startsNumber(char: string): boolean {
  return isDigit(char) || char === '-'
}

/** Whether a number may end here: after a digit. */
export function mayEndNumber(number: string): boolean {
  return isDigit(number.slice(-1))
}

/** A number with one digit in place of several: all that the grammar needs, so that each digit is read once. */
export function shortNumber(number: string): string {
  return number.replace(/\d+/g, (digits) => digits.charAt(0))
}

/** The number that continues at a position of the text, as far as the grammar allows. */
export function readNumber(before: string, text: string, at: number): string {
  let end = at
  while (isNumberCharacter(text.charCodeAt(end))) end++
  const [number] = NUMBER.exec(before + text.slice(at, end)) as RegExpExecArray
  return number
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9'
}

/** A digit, `+`, `-`, `.`, `E` or `e`. */
function isNumberCharacter(char: number): boolean {
  return (char >= 48 && char <= 57) || char === 43 || char === 45 || char === 46 || (char | 32) === 101
}
