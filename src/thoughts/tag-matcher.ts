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
): PartialTag | CompleteTag | 'none' | 'too-long' {
  let which = partial === null ? 0 : indexOfId(delimiters, partial.delimiter)
  let phase: Transition = partial === null ? 'literal' : partial.phase
  for (let at = Math.max(start, 0); at < source.length; at++) {
    const offset = at - start
    if (offset >= maxLength) return 'too-long'
    const unit = source.charCodeAt(at)
    if (phase !== 'literal') phase = nextPhase(phase, unit)
    else {
      const expected = delimiters[which]
      for (; ; which++) {
        const delimiter = delimiters[which]
        if (expected === undefined || delimiter === undefined) return 'none'
        phase = matchLiteral(delimiter, offset, unit)
        // Another delimiter may share the characters so far and continue differently.
        if (phase !== 'invalid' && (delimiter === expected || sharesPrefix(delimiter, expected, offset)))
          break
      }
    }
    if (phase === 'invalid') return 'none'
    if (phase === 'complete') {
      const delimiter = delimiters[which]
      return delimiter === undefined ? 'none' : { delimiter, phase, end: at + 1 }
    }
  }
  const delimiter = delimiters[which]
  return delimiter === undefined ? 'none' : { delimiter: delimiter.id, phase }
}

function indexOfId(delimiters: readonly Delimiter[], id: string): number {
  for (let i = 0; i < delimiters.length; i++) if (delimiters[i]?.id === id) return i
  return -1
}
