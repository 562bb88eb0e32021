/** Two delimiters that mark a thought, taken literally. */
export interface ThoughtPair {
  /** What the thought begins after, such as `[THINK]`. Upper and lower case differ. */
  open: string
  /** What the thought ends before, such as `[/THINK]`. */
  close: string
}

/** What counts as a thought, and what becomes of it. */
export interface ThoughtOptions {
  /**
   * Names of the tags that mark thoughts, such as `think`. ASCII letters match in either case.
   * @defaultValue `['thinking']`
   */
  tags?: readonly string[]
  /**
   * Literal delimiters that mark thoughts, for models that do not use tags. Of two that begin
   * alike, the shorter one is found.
   * @defaultValue none
   */
  pairs?: readonly ThoughtPair[]
  /**
   * Whether the output begins inside a thought, because the prompt already holds the start tag.
   * A start tag that the model repeats there, after nothing but white space, is swallowed.
   * @defaultValue `false`
   */
  startInside?: boolean
  /**
   * Whether tags in Markdown code, fenced or inline, are content.
   * @defaultValue `true`
   */
  codeAware?: boolean
  /**
   * What happens to the white space around a removed tag. `auto`: of the line breaks before and
   * after it the greater number stays, of blanks on both sides those before, and none of either at
   * the very start. `none`: all of it stays.
   * @defaultValue `'auto'`
   */
  trim?: 'auto' | 'none'
  /**
   * Whether a thought that repeats an earlier one is left out: same type and, white space aside,
   * same text. `window` is how many earlier thoughts are remembered.
   * @defaultValue `{ window: 256 }`, which `true` means too
   */
  dedupe?: boolean | { window: number }
  /**
   * What a thought is that the end of the output cuts off. Can be overruled at the end, when the
   * finish reason is known.
   * @defaultValue `'thought'`
   */
  unterminated?: 'thought' | 'content'
  /**
   * Whether a close tag without a start tag is removed from the content.
   * @defaultValue `'drop'`
   */
  orphanClose?: 'drop' | 'keep'
  /**
   * The longest tag that is recognised, in UTF-16 units. Nothing longer is ever held back.
   * @defaultValue 16384
   */
  maxTagLength?: number
  /**
   * How much of a thought its `text` keeps, in UTF-16 units, and how much of it can become content in
   * the end. Its deltas go on beyond that.
   * @defaultValue 1048576
   */
  maxThoughtLength?: number
}

/** The options with every default filled in. */
export interface Settings extends Required<ThoughtOptions> {
  readonly window: number
}

/** Fills in the defaults. Throws a TypeError for options that cannot work. */
export function settingsOf(options: ThoughtOptions): Settings {
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
  const window = typeof dedupe === 'object' ? dedupe.window : dedupe ? 256 : 0
  for (const tag of tags) {
    demand(
      /^[a-z_:][\w:.-]*$/i.test(tag),
      `tags: ${JSON.stringify(tag)} is not a tag name. Give the bare name, such as "think".`,
    )
  }
  const literals = pairs.flatMap(({ open, close }) => [open, close])
  for (const text of literals) {
    demand(typeof text === 'string' && text !== '', 'pairs: give each an open and a close of some length.')
  }
  oneOf('trim', trim, 'auto', 'none')
  oneOf('unterminated', unterminated, 'thought', 'content')
  oneOf('orphanClose', orphanClose, 'drop', 'keep')
  positive('maxTagLength', maxTagLength)
  positive('maxThoughtLength', maxThoughtLength)
  if (dedupe !== false) positive('dedupe.window', window)
  demand(
    [...tags.map((tag) => `</${tag}>`), ...literals].every(({ length }) => length <= maxTagLength),
    'maxTagLength: make it at least as long as the longest delimiter.',
  )
  return {
    tags,
    pairs,
    startInside,
    codeAware,
    trim,
    dedupe,
    unterminated,
    orphanClose,
    maxTagLength,
    maxThoughtLength,
    window,
  }
}

function oneOf(name: string, value: string, ...words: readonly string[]): void {
  demand(words.includes(value), `${name}: give "${words.join('" or "')}".`)
}

function positive(name: string, value: number): void {
  demand(Number.isSafeInteger(value) && value > 0, `${name}: give a whole number above 0.`)
}

function demand(isMet: boolean, message: string): void {
  if (!isMet) throw new TypeError(message)
}
