/** The grammar of a JSON number, character by character. */

/** What the last character of a number was. */
export type NumberPart =
  | 'sign'
  | 'zero'
  | 'integer'
  | 'point'
  | 'fraction'
  | 'e'
  | 'exponent-sign'
  | 'exponent'

/** The parts after which a number may end. */
const LAST_PARTS: readonly NumberPart[] = ['zero', 'integer', 'fraction', 'exponent']

/** What a digit is after each part; `undefined` where the grammar allows none. */
const AFTER_DIGIT: Readonly<Record<NumberPart, NumberPart | undefined>> = {
  sign: 'integer',
  zero: undefined,
  integer: 'integer',
  point: 'fraction',
  fraction: 'fraction',
  e: 'exponent',
  'exponent-sign': 'exponent',
  exponent: 'exponent',
}

/** Whether a number may end here. */
export function mayEndNumber(part: NumberPart): boolean {
  return LAST_PARTS.includes(part)
}

/** What a character is that continues a number; `undefined` if it does not belong to it. */
export function nextNumberPart(part: NumberPart, char: number): NumberPart | undefined {
  if (char >= 48 && char <= 57) return part === 'sign' && char === 48 ? 'zero' : AFTER_DIGIT[part]
  switch (char) {
    case 46: // .
      return part === 'zero' || part === 'integer' ? 'point' : undefined
    case 69: // E
    case 101: // e
      return part === 'zero' || part === 'integer' || part === 'fraction' ? 'e' : undefined
    case 43: // +
    case 45: // -
      return part === 'e' ? 'exponent-sign' : undefined
    default:
      return undefined
  }
}

/** What the first character of a number is; `undefined` if no number starts with it. */
export function firstNumberPart(char: number): NumberPart | undefined {
  return char === 45 ? 'sign' : nextNumberPart('sign', char)
}
