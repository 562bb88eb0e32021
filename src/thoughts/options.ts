import {
  mismatch,
  requireArray,
  requireBoolean,
  requireInteger,
  requireObject,
  requireOneOf,
  requireOnly,
  requireText,
} from '../core/require.ts'
import { allDelimiters, type Delimiters, delimiterSets } from './delimiters.ts'

/** Two literal delimiters of a thought. */
export interface ThoughtPair {
  /** The text that opens a thought, such as `[THINK]`. Case-sensitive. */
  open: string
  /** The text that closes it, such as `[/THINK]`. Case-sensitive. */
  close: string
}

/** Options of {@link thoughtExtractor}: what counts as a thought, and what happens to it. */
export interface ThoughtOptions {
  /**
   * Names of the tags that mark thoughts, such as `think`. ASCII letters match in either case.
   * @defaultValue `['thinking']`
   */
  tags?: readonly string[]
  /**
   * Literal delimiters of thoughts, for models that do not use tags. If one is a prefix of another, the shorter
   * one matches.
   * @defaultValue `[]`
   */
  pairs?: readonly ThoughtPair[]
  /**
   * Whether the output starts inside a thought, because the prompt ends with the opening tag. If the model
   * repeats that tag there, after nothing but whitespace, the repetition is removed.
   * @defaultValue `false`
   */
  startInside?: boolean
  /**
   * Whether tags in Markdown code are content: in fenced and indented code blocks, and in code spans. Code is where
   * CommonMark sees it, except that text is never held back to see what follows:
   *
   * - a code span ends with its line, and a backtick string that nothing closes opens one until the end of the line
   * - HTML and autolinks, link destinations and titles, and link reference definitions are read as text
   * - markers of block quotes and list items are text if they are nested more than 32 deep
   *
   * @defaultValue `true`
   */
  codeAware?: boolean
  /**
   * What happens to the whitespace around a removed tag:
   *
   * - `auto`: of the line breaks before and after it, the larger number remains; of the spaces, those before
   *   it; at the start of the output, nothing
   * - `none`: all of it remains
   *
   * @defaultValue `'auto'`
   */
  trim?: 'auto' | 'none'
  /**
   * Whether a thought that repeats an earlier one is left out: one of the same type and, whitespace aside, the
   * same text. `window` is how many earlier thoughts are compared, at least 1.
   * @defaultValue `true`, which means `{ window: 256 }`
   */
  dedupe?: boolean | { window: number }
  /**
   * Whether a thought that the end of the output cuts off is a thought or content. Can be overridden at the
   * end, when the finish reason is known.
   * @defaultValue `'thought'`
   */
  unterminated?: 'thought' | 'content'
  /**
   * Whether a closing tag without an opening tag is removed from the content.
   * @defaultValue `'drop'`
   */
  orphanClose?: 'drop' | 'keep'
  /**
   * The maximum length of a tag, in UTF-16 code units; at least the length of the longest delimiter. Longer tags
   * are text. Also the maximum length of the text held back.
   * @defaultValue 16384
   */
  maxTagLength?: number
  /**
   * The maximum length of a thought's `text`, in UTF-16 code units, at least 1. Also applies to a thought that
   * becomes content at the end. Deltas of the thought are not limited.
   * @defaultValue 1048576
   */
  maxThoughtLength?: number
}

/** The options that apply while text is read, with all defaults filled in. */
export interface Settings
  extends Required<
    Pick<
      ThoughtOptions,
      'startInside' | 'codeAware' | 'trim' | 'unterminated' | 'maxTagLength' | 'maxThoughtLength'
    >
  > {
  readonly delimiters: Delimiters
  /** How many earlier thoughts are compared. 0: duplicates are kept. */
  readonly window: number
}

const optionNames: readonly string[] = [
  'tags',
  'pairs',
  'startInside',
  'codeAware',
  'trim',
  'dedupe',
  'unterminated',
  'orphanClose',
  'maxTagLength',
  'maxThoughtLength',
]

/**
 * Fills in the defaults. Throws a TypeError for invalid options, and for others than these and `others`.
 */
export function settingsOf(options: ThoughtOptions, others: readonly string[] = []): Settings {
  requireOnly('options', options, [...optionNames, ...others])
  const {
    tags = ['thinking'],
    pairs = [],
    startInside = false,
    codeAware = true,
    trim = 'auto',
    dedupe = true,
    unterminated = 'thought',
    orphanClose = 'drop',
    maxTagLength = 16_384,
    maxThoughtLength = 1_048_576,
  } = options
  if (typeof dedupe !== 'boolean' && (typeof dedupe !== 'object' || dedupe === null)) {
    throw mismatch('dedupe', 'true, false or an object with a window', dedupe)
  }
  const window = typeof dedupe === 'object' ? dedupe.window : dedupe ? 256 : 0
  requireArray('tags', tags)
  requireArray('pairs', pairs)
  requireBoolean('startInside', startInside)
  requireBoolean('codeAware', codeAware)
  for (const [i, tag] of tags.entries()) {
    if (typeof tag !== 'string' || !/^[a-z_:][\w:.-]*$/i.test(tag))
      throw mismatch(`tags[${i}]`, 'a bare name such as "think"', tag)
  }
  for (const [i, pair] of pairs.entries()) {
    requireObject(`pairs[${i}]`, pair)
    const { open, close } = pair
    requireText(`pairs[${i}].open`, open)
    requireText(`pairs[${i}].close`, close)
  }
  requireOneOf('trim', trim, ['auto', 'none'])
  requireOneOf('unterminated', unterminated, ['thought', 'content'])
  requireOneOf('orphanClose', orphanClose, ['drop', 'keep'])
  requireInteger('maxTagLength', maxTagLength, 1)
  requireInteger('maxThoughtLength', maxThoughtLength, 1)
  if (dedupe !== false) requireInteger('dedupe.window', window, 1)
  const all = allDelimiters(tags, pairs)
  // A tag ends with a `>` that its delimiter does not include.
  const longest = Math.max(0, ...all.map(({ units, isTag }) => units.length + Number(isTag)))
  if (maxTagLength < longest) {
    const expected = `an integer >= ${longest}, the length of the longest delimiter`
    throw mismatch('maxTagLength', expected, maxTagLength)
  }
  const delimiters = delimiterSets(all, orphanClose === 'drop')
  return { startInside, codeAware, trim, unterminated, maxTagLength, maxThoughtLength, window, delimiters }
}
