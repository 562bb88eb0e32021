/**
 * Tells Markdown code from prose, one character at a time, so that a tag in code stays content.
 *
 *     fence   a run of three or more ` or ~, with nothing before it on its line but blanks, `>` and
 *             list markers; ended by a run at least as long, with nothing after it on its line
 *     span    a run of `, ended by a run of the same length or by the end of the line
 *
 * A span never outlasts its line, though Markdown's may: a stray backtick must do no lasting harm.
 */
import { BACKTICK, GREATER_THAN, isBlank, isBreak, TILDE } from './char-codes.ts'

/** Where content stands in Markdown. */
export interface CodePlace {
  /** What its line holds so far. */
  line: number
  /** How long the run is that is being read. 0: none is. */
  run: number
  /** What the run, or the open fence, is made of. */
  unit: number
  /** How long the run was that opened the fence. 0: there is none. */
  fence: number
  /** How long the run was that opened the span. 0: there is none. */
  span: number
}

/** `  > 1. |text`: nothing yet but blanks, quote marks and list markers. In a fence: no list markers. */
const START = 0
/** `` ```t|s ``: the run that opens a fence. A backtick after it makes it a span after all. */
const INFO = 1
/** `` ``` | ``: a run that does end the fence, if nothing else comes. */
const FENCE_END = 2
/** `some te|xt` */
const REST = 3

export const codeStart: Readonly<CodePlace> = { line: START, run: 0, unit: 0, fence: 0, span: 0 }

/** Field by field: this runs for every delta, and a spread takes longer. */
export function copyOfPlace({ line, run, unit, fence, span }: CodePlace): CodePlace {
  return { line, run, unit, fence, span }
}

/** Whether a tag at this place is inside code. A run counts as ended. */
export function isCode({ line, run, unit, fence, span }: CodePlace): boolean {
  if (fence > 0 || run === 0) return fence + span > 0
  return (line === START && run >= 3) || (unit === BACKTICK && run !== span)
}

/** Whether reading a character would change nothing: so it is with nearly all, and quickly told. */
export function isIdle({ line, run }: CodePlace, unit: number): boolean {
  return line === REST && run === 0 && unit !== BACKTICK && !isBreak(unit)
}

/** Reads one character. */
export function codeStep(place: CodePlace, unit: number): void {
  if (place.run > 0) {
    if (unit === place.unit) {
      place.run++
      return
    }
    endRun(place)
  }
  const { line, fence } = place
  if (isBreak(unit)) {
    if (line === FENCE_END) place.fence = 0
    place.span = 0
    place.line = START
  } else if (beginsRun(place, unit)) {
    if (line === INFO) {
      place.span = fence
      place.fence = 0
      place.line = REST
    }
    place.run = 1
    place.unit = unit
  } else if (line !== INFO && !isBlank(unit) && !(line === START && isMarker(unit, fence > 0))) {
    place.line = REST
  }
}

function beginsRun({ line, fence, unit: fenceUnit }: CodePlace, unit: number): boolean {
  if (fence === 0) return unit === BACKTICK || (unit === TILDE && line === START)
  return unit === fenceUnit && (line === START || (line === INFO && unit === BACKTICK))
}

function endRun(place: CodePlace): void {
  const { run, fence, span } = place
  if (run === 0) return
  place.run = 0
  if (fence > 0) place.line = run >= fence ? FENCE_END : REST
  else if (place.line === START && run >= 3) {
    place.line = INFO
    place.fence = run
  } else {
    place.line = REST
    if (place.unit === BACKTICK) place.span = span === 0 ? run : span === run ? 0 : span
  }
}

/** What quotes and list items begin with: `>`, and outside fences `-`, `*`, `+`, `1.` and `1)`. */
function isMarker(unit: number, inFence: boolean): boolean {
  return unit === GREATER_THAN || (!inFence && '0123456789-*+.)'.includes(String.fromCharCode(unit)))
}
