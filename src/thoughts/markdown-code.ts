/**
 * Tracks Markdown code, one character at a time, so that tags in code remain content.
 *
 *     fenced code block   opened by a code fence: three or more ` or ~, preceded on its line only by spaces,
 *                         block quote markers and list markers; closed by a fence at least as long with
 *                         nothing after it on its line
 *     code span           opened by a backtick string, closed by one of equal length or by the end of the line
 *
 * The lines of a fenced code block, by {@link MarkdownPosition.line}:
 *
 *     > ```ts           start ──fence──▶ info-string
 *     > let a = 1       start ──text───▶ text
 *     > ```             start ──fence──▶ closing-fence
 *
 * Unlike in CommonMark, a code span never outlasts its line: a stray backtick must not do lasting harm.
 */
import { BACKTICK, GREATER_THAN, isLineEnding, isSpaceOrTab, TILDE } from './char-codes.ts'

/** A position in Markdown: what its line holds so far, and the code it is in. */
export interface MarkdownPosition {
  /**
   * - `start`: only spaces, block quote markers and, outside fenced code blocks, list markers
   * - `info-string`: an opening code fence. A backtick in the info string makes the fence a code span.
   * - `closing-fence`: a code fence that closes the block unless more than spaces follow
   * - `text`: anything else
   */
  line: 'start' | 'info-string' | 'closing-fence' | 'text'
  /** The length of the run of backticks or tildes that ends here. 0 if there is none. */
  run: number
  /** The character of that run, or of the fence of the open block. Empty before the first run. */
  runOf: '`' | '~' | ''
  /** The length of the fence that opened the current fenced code block. 0 outside of one. */
  fence: number
  /** The length of the backtick string that opened the current code span. 0 outside of one. */
  span: number
}

export const markdownStart: Readonly<MarkdownPosition> = {
  line: 'start',
  run: 0,
  runOf: '',
  fence: 0,
  span: 0,
}

/** Copied field by field: this runs for every delta, and a spread takes longer. */
export function copyPosition({ line, run, runOf, fence, span }: MarkdownPosition): MarkdownPosition {
  return { line, run, runOf, fence, span }
}

/** Whether a tag at this position is in code. A run that ends here counts as complete. */
export function isInCode({ line, run, runOf, fence, span }: MarkdownPosition): boolean {
  if (fence > 0 || run === 0) return fence + span > 0
  return (line === 'start' && run >= 3) || (runOf === '`' && run !== span)
}

/** Whether a character leaves the position as it is, as nearly all do. */
export function isPlain({ line, run }: MarkdownPosition, unit: number): boolean {
  return run === 0 && line === 'text' && unit !== BACKTICK && !isLineEnding(unit)
}

/** Moves the position over one character. */
export function advance(position: MarkdownPosition, unit: number): void {
  if (position.run > 0) {
    if (unit === (position.runOf === '`' ? BACKTICK : TILDE)) {
      position.run++
      return
    }
    endRun(position)
  }
  const { line, fence } = position
  if (isLineEnding(unit)) endLine(position)
  else if (startsRun(position, unit)) {
    if (line === 'info-string') fenceToSpan(position)
    position.run = 1
    position.runOf = unit === BACKTICK ? '`' : '~'
  } else if (
    line !== 'info-string' &&
    !isSpaceOrTab(unit) &&
    !(line === 'start' && isMarker(unit, fence > 0))
  ) {
    position.line = 'text'
  }
}

function endLine(position: MarkdownPosition): void {
  if (position.line === 'closing-fence') position.fence = 0
  position.span = 0
  position.line = 'start'
}

/** Whether a character starts a backtick string, or a run of tildes that may be a code fence. */
function startsRun({ line, fence, runOf }: MarkdownPosition, unit: number): boolean {
  if (unit !== BACKTICK && unit !== TILDE) return false
  if (fence === 0) return unit === BACKTICK || line === 'start'
  const isOfFence = unit === (runOf === '`' ? BACKTICK : TILDE)
  return isOfFence && (line === 'start' || (line === 'info-string' && unit === BACKTICK))
}

/** What looked like an opening fence is a code span: an info string holds no backticks. */
function fenceToSpan(position: MarkdownPosition): void {
  position.span = position.fence
  position.fence = 0
  position.line = 'text'
}

function endRun(position: MarkdownPosition): void {
  const { run, runOf, fence, span } = position
  position.run = 0
  if (fence > 0) position.line = run >= fence ? 'closing-fence' : 'text'
  else if (position.line === 'start' && run >= 3) {
    position.line = 'info-string'
    position.fence = run
  } else {
    position.line = 'text'
    if (runOf === '`') position.span = span === 0 ? run : span === run ? 0 : span
  }
}

/**
 * Whether a character may be part of a block quote marker, `>`, or, outside fenced code blocks, of a list
 * marker: `-`, `*`, `+`, `1.` or `1)`.
 */
function isMarker(unit: number, inFence: boolean): boolean {
  return unit === GREATER_THAN || (!inFence && '0123456789-*+.)'.includes(String.fromCharCode(unit)))
}
