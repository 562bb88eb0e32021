/**
 * Tracks Markdown code, one character at a time, so that tags in code remain content.
 *
 *     fenced code block     opened by a code fence: three or more ` or ~ at the start of a line; closed by a fence
 *                           at least as long with nothing after it on its line, or with its block quote or list item
 *     indented code block   lines indented by four or more columns that continue no paragraph
 *     code span             opened by a backtick string, closed by one of equal length or by the end of the line
 *
 * As text is never held back to see what follows, and a stray backtick must not do lasting harm, this differs from
 * CommonMark: a code span never outlasts its line, and a backtick string that nothing closes opens one until the
 * end of the line. HTML, autolinks, link destinations and link reference definitions are read as text.
 */
import { BACKSLASH, BACKTICK, CR, isLineEnding, isSpaceOrTab, LF, TILDE } from '../char-codes.ts'
import { advanceStart, endLine, startText } from './blocks.ts'
import type { MarkdownPosition } from './position.ts'

/** Whether a tag at this position is in code. */
export function isInCode(position: MarkdownPosition): boolean {
  const { line, run, span } = position
  if (line === 'text' && run === 0) return span > 0
  // What the first character of the tag makes of the line and of a run, decides.
  const after = { ...position }
  advance(after, 60)
  return after.line === 'code' || after.fence > 0 || after.span > 0
}

/** Whether a character leaves the position as it is, as nearly all do. */
export function isPlain({ line, run, ruleOf, escaped }: MarkdownPosition, unit: number): boolean {
  if (ruleOf !== '' || isLineEnding(unit)) return false
  if (line !== 'text') return line === 'code'
  return run === 0 && !escaped && unit !== BACKTICK && unit !== BACKSLASH
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
  const { line, ruleOf } = position
  if (isLineEnding(unit)) {
    // The LF of a CRLF ends no second line.
    if (line !== 'after-cr' || unit !== LF) endLine(position)
    position.line = unit === CR ? 'after-cr' : 'start'
    return
  }
  if (ruleOf !== '' && !isSpaceOrTab(unit)) {
    if (unit === ruleOf.charCodeAt(0)) position.rules++
    else position.ruleOf = ''
  }
  if (line === 'code') return
  if (line === 'closing-fence') {
    if (!isSpaceOrTab(unit)) position.line = 'code'
  } else if (line === 'info-string') {
    if (unit === BACKTICK && position.runOf === '`') {
      // What looked like an opening fence is a code span: an info string holds no backticks.
      position.span = position.fence
      position.fence = 0
      startText(position)
      position.run = 1
    }
  } else if (line === 'text' || !advanceStart(position, unit)) advanceText(position, unit)
}

function advanceText(position: MarkdownPosition, unit: number): void {
  if (position.escaped) position.escaped = false
  else if (unit === BACKTICK) {
    position.run = 1
    position.runOf = '`'
  } else if (unit === BACKSLASH) position.escaped = position.span === 0
}

function endRun(position: MarkdownPosition): void {
  const { run, runOf, fence, span, line } = position
  position.run = 0
  if (line !== 'text') {
    if (fence > 0) {
      position.line = run >= fence ? 'closing-fence' : 'code'
      return
    }
    if (run > 2) {
      position.line = 'info-string'
      position.fence = run
      return
    }
    startText(position)
  }
  if (runOf === '`') position.span = span === 0 ? run : span === run ? 0 : span
}
