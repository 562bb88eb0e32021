import { thoughtExtractor } from './extractor.ts'
import type { ThoughtOptions } from './options.ts'
import type { Thought } from './output.ts'

/** The content and the thoughts of a complete output. */
export interface ExtractedThoughts {
  /** The text for the reader, with the tags removed. */
  content: string
  /** In the order in which they ended. */
  thoughts: Thought[]
}

/**
 * Extracts thoughts from a complete string.
 *
 * Gives the same content and thoughts as {@link thoughtExtractor}.
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * extractThoughts('<thinking>Easy.</thinking>\n\nFour.')
 * // { content: 'Four.', thoughts: [{ text: 'Easy.' }] }
 * ```
 */
export function extractThoughts(text: string, options: ThoughtOptions = {}): ExtractedThoughts {
  const extractor = thoughtExtractor(options)
  const { state, out } = extractor.step(extractor.initial, text)
  const extracted: ExtractedThoughts = { content: '', thoughts: [] }
  for (const output of [...out, ...extractor.end(state).out]) {
    if (output.type === 'content') extracted.content += output.delta
    if (output.type === 'thought') extracted.thoughts.push(output.thought)
  }
  return extracted
}
