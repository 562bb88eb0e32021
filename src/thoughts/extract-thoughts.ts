import { thoughtExtractor } from './extractor.ts'
import type { ThoughtOptions } from './options.ts'
import type { Thought } from './output.ts'

/** A whole output, told apart. */
export interface ExtractedThoughts {
  /** The text for the reader, with the tags removed. */
  content: string
  /** In the order in which they ended. */
  thoughts: Thought[]
}

/**
 * Tells thoughts from content in output that is there as a whole.
 *
 * The same as {@link thoughtExtractor} fed with it, in one delta or in many.
 *
 * @throws TypeError for options that cannot work.
 *
 * @example
 * ```ts
 * extractThoughts('<thinking>Easy.</thinking>\n\nFour.')
 * // { content: 'Four.', thoughts: [{ text: 'Easy.' }] }
 * ```
 */
export function extractThoughts(text: string, options: ThoughtOptions = {}): ExtractedThoughts {
  const extractor = thoughtExtractor(options)
  const whole = extractor.step(extractor.initial, text)
  const extracted: ExtractedThoughts = { content: '', thoughts: [] }
  for (const output of [...whole.out, ...extractor.end(whole.state).out]) {
    if (output.type === 'content') extracted.content += output.delta
    if (output.type === 'thought') extracted.thoughts.push(output.thought)
  }
  return extracted
}
