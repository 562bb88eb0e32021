/** Matching a delimiter in text that arrives in pieces. */
import type { Delimiter, DelimiterSet } from './delimiters.ts'
import { matchLiteral, nextPhase, sharesPrefix, type TagPhase, type Transition } from './tag-grammar.ts'

/** A delimiter that the text so far ends within. */
export interface PartialTag {
  /** The {@link Delimiter.id} of the first delimiter that still fits, such as `tags[0].open`. */
  readonly delimiter: string
  /** How far it is matched. */
  readonly phase: TagPhase
}

/** A delimiter that the text contains. */
export interface CompleteTag {
  readonly delimiter: Delimiter
  readonly phase: 'complete'
  /** The index after it. */
  readonly end: number
}

/**
 * Matches the delimiter that may start at `start`.
 *
 *     'a <thin' 'king type="plan' 'ning">b'
 *        └ partial: literal
 *                └ partial: double-quoted  └ complete
 *
 * @param start - The index of its first character. Negative if earlier pieces hold its first `-start`
 * characters; `partial` is then what they matched.
 */
export function matchTag(
  { delimiters }: DelimiterSet,
  source: string,
  start: number,
  maxLength: number,
  partial: PartialTag | null,
): PartialTag | CompleteTag | 'too-long' | null {
  let which = partial === null ? 0 : delimiters.findIndex(({ id }) => id === partial.delimiter)
  let phase: Transition = partial === null ? 'literal' : partial.phase
  let delimiter = delimiters[which]
  for (let at = Math.max(start, 0); at < source.length && delimiter !== undefined; at++) {
    const offset = at - start
    if (offset >= maxLength) return 'too-long'
    const unit = source.charCodeAt(at)
    if (phase === 'literal') {
      const expected: Delimiter = delimiter
      for (; delimiter !== undefined; delimiter = delimiters[++which]) {
        phase = matchLiteral(delimiter, offset, unit)
        // Another delimiter may share the characters so far and continue differently.
        if (phase !== 'invalid' && (delimiter === expected || sharesPrefix(delimiter, expected, offset)))
          break
      }
    } else phase = nextPhase(phase, unit)
    if (delimiter === undefined || phase === 'invalid') return null
    if (phase === 'complete') return { delimiter, phase, end: at + 1 }
  }
  return delimiter === undefined ? null : { delimiter: delimiter.id, phase }
}
