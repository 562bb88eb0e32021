import { type Diagnostic, run } from '../core/machine.ts'
import { requireString } from '../core/require.ts'
import { thoughtExtractor } from './extractor.ts'
import type { ThoughtOptions } from './options.ts'
import type { Thought } from './output.ts'

/** The content and the thoughts of a complete output. */
export interface ExtractedThoughts {
  /** The text for the reader, with the tags removed. */
  content: string
  /** In the order in which they ended. */
  thoughts: Thought[]
  /** What was removed, left out or cut, in the order of the text: those of {@link thoughtExtractor}. Often empty. */
  diagnostics: Diagnostic[]
}

/**
 * Extracts thoughts from a complete string.
 *
 * Gives the same content, thoughts and diagnostics as {@link thoughtExtractor}.
 *
 * @throws TypeError if `text` is not a string, or for invalid options.
 *
 * @example
 * ```ts
 * extractThoughts('<thinking>Easy.</thinking>\n\nFour.')
 * // { content: 'Four.', thoughts: [{ text: 'Easy.' }], diagnostics: [] }
 * ```
 */
export function extractThoughts(text: string, options: ThoughtOptions = {}): ExtractedThoughts {
  requireString('text', text)
  const extracted: ExtractedThoughts = { content: '', thoughts: [], diagnostics: [] }
  const extractor = run(thoughtExtractor(options), {
    onDiagnostic: (diagnostic) => extracted.diagnostics.push(diagnostic),
  })
  for (const output of [...extractor.push(text), ...extractor.end()]) {
    if (output.type === 'content') extracted.content += output.delta
    if (output.type === 'thought') extracted.thoughts.push(output.thought)
  }
  return extracted
}
