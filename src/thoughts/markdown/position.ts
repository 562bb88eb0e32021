/** A position in Markdown. Plain JSON, and bounded. */

export interface MarkdownPosition {
  /**
   * The open block quotes and list items, from the outside in: 0 for a block quote, and for a list item the number
   * of columns by which its lines are indented.
   */
  containers: readonly number[]
  /**
   * The block that the next line may continue: a paragraph, a fenced code block, or a list item that has nothing
   * but its marker so far.
   */
  block: 'none' | 'paragraph' | 'fence' | 'empty-item'
  /** How many of the containers this line continues. */
  matched: number
  /** What the line holds so far. */
  line: LinePart
  /** The column at which the innermost container of this line starts. */
  base: number
  /** The column of the next character, up to the text of the line. */
  column: number
  /** The marker so far of a list item, heading or underline, such as `12.`. At most 10 characters. */
  marker: string
  /** By how many columns that marker is indented. */
  indent: number
  /** The character of a thematic break, if the line may be one. */
  ruleOf: string
  /** How many of them the line has so far. */
  rules: number
  /** How many containers the thematic break is in. */
  ruleDepth: number
  /** The length of the run of backticks or tildes that ends here. 0 if there is none. */
  run: number
  /** The character of that run, or of the fence of the open block. Empty before the first run. */
  runOf: '`' | '~' | ''
  /** The length of the fence that opened the current fenced code block. 0 outside of one. */
  fence: number
  /** The length of the backtick string that opened the current code span. 0 outside of one. */
  span: number
  /** Whether the last character is a backslash that escapes the next one. */
  escaped: boolean
}

/** What a line holds so far. Columns of spaces are counted up to its text. */
export type LinePart =
  /** Indentation, and the markers of containers. `after-cr`: a line feed may still belong to the line ending. */
  | 'start'
  | 'after-cr'
  /** `>`: a space may still belong to the marker. */
  | 'quote-marker'
  /** `-`, `*` or `+`: a list item if a space follows. */
  | 'bullet'
  /** Digits, and after them `.` or `)`: a list item if a space follows. */
  | 'number'
  | 'number-end'
  /** The spaces after the marker of a list item. */
  | 'item'
  /** `#` to `######`: a heading if a space follows. */
  | 'heading'
  /** A line of `=` or `-`, and spaces after it, that makes a heading of the paragraph before it. */
  | 'underline'
  | 'underline-end'
  /** What follows an opening code fence. A backtick in it makes the fence a code span. */
  | 'info-string'
  /** A code fence that closes the block unless more than spaces follow. */
  | 'closing-fence'
  /** Inside a fenced or an indented code block. */
  | 'code'
  | 'text'

export const markdownStart: Readonly<MarkdownPosition> = {
  containers: [],
  block: 'none',
  matched: 0,
  line: 'start',
  base: 0,
  column: 0,
  marker: '',
  indent: 0,
  ruleOf: '',
  rules: 0,
  ruleDepth: 0,
  run: 0,
  runOf: '',
  fence: 0,
  span: 0,
  escaped: false,
}
