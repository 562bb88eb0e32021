/**
 * Tells Markdown code from prose, one character at a time, so that a tag in code stays content.
 *
 *     fence   a run of three or more ` or ~, with nothing before it on its line but blanks, `>` and
 *             list markers; ended by a run at least as long, with nothing after it on its line
 *     span    a run of `, ended by a run of the same length or by the end of the line
 *
 * A span never outlasts its line, though Markdown's may: a stray backtick must do no lasting harm.
 *
 * The state is one integer: the phase, whether a fence is made of `~`, the length of the run that
 * opened the code, and the length of the run being read.
 */
import { BACKTICK, GREATER_THAN, isBlank, isBreak, TILDE } from './characters.ts'

/** `some te|xt`: outside code. Also the state of a tracker that is not used. */
export const TEXT = 0
/** `` use `na|me` `` */
const SPAN = 1
/** `` ```t|s ``: after the run that opens a fence. A backtick there makes it a span after all. */
const INFO = 2
/** `const |x = 1`: on a line of a fence. */
const FENCE = 3
/** `  > 1. |text`: nothing yet but blanks, quote marks and list markers. */
export const LINE_START = 4
/** `` - ``|` ``: a run where a fence may begin. */
const FIRST_RUN = 5
/** `` use `|`name`` ``: a run that opens a span. */
const RUN = 6
/** `` use ``name`|` ``: a run that may end the span. */
const SPAN_RUN = 7
/** `|  const x = 1`: at the start of a line of a fence. */
const FENCE_START = 8
/** `` ``|` ``: a run that may end the fence. */
const FENCE_RUN = 9
/** `` ``` | ``: a run that does end the fence, if nothing else comes on its line. */
const FENCE_END = 10

const PHASE = 15
const OF_TILDES = 16
const OPENED = 1 << 5
const READ = 1 << 17
/** Runs are counted up to here; longer ones count as equal. */
const LONGEST = 4095

/** Whether the tracker stays as it is whatever comes, but for a backtick, a tilde or a line break. */
export function isResting(code: number): boolean {
  return (code & PHASE) <= FENCE
}

/** Whether a tag at this place is inside code. A run counts as ended. */
export function isCode(code: number): boolean {
  switch (code & PHASE) {
    case TEXT:
    case LINE_START:
      return false
    case FIRST_RUN:
      return (code & OF_TILDES) === 0 || opened(code) >= 3
    case SPAN_RUN:
      return read(code) !== opened(code)
    default:
      return true
  }
}

/** Reads one character. */
export function codeStep(code: number, unit: number): number {
  if (isBreak(unit)) return afterBreak(code)
  switch (code & PHASE) {
    case LINE_START:
      if (unit === BACKTICK) return FIRST_RUN + OPENED
      if (unit === TILDE) return FIRST_RUN + OPENED + OF_TILDES
      return isBlank(unit) || isMarker(unit) ? LINE_START : TEXT
    case FIRST_RUN:
      if (unit === runUnit(code)) return opened(code) < LONGEST ? code + OPENED : code
      if (opened(code) >= 3) return codeStep(inPhase(code, INFO), unit)
      return codeStep((code & OF_TILDES) === 0 ? inPhase(code, SPAN) : TEXT, unit)
    case INFO:
      return unit === BACKTICK && (code & OF_TILDES) === 0 ? inPhase(code, SPAN_RUN) + READ : code
    case TEXT:
      return unit === BACKTICK ? RUN + OPENED : TEXT
    case RUN:
      if (unit === BACKTICK) return opened(code) < LONGEST ? code + OPENED : code
      return inPhase(code, SPAN)
    case SPAN:
      return unit === BACKTICK ? inPhase(code, SPAN_RUN) + READ : code
    case SPAN_RUN:
      if (unit === BACKTICK) return read(code) < LONGEST ? code + READ : code
      return read(code) === opened(code) ? TEXT : inPhase(code, SPAN)
    case FENCE_START:
      if (unit === runUnit(code)) return inPhase(code, FENCE_RUN) + READ
      return isBlank(unit) || unit === GREATER_THAN ? code : inPhase(code, FENCE)
    case FENCE_RUN:
      if (unit === runUnit(code)) return read(code) < LONGEST ? code + READ : code
      return inPhase(code, isBlank(unit) && read(code) >= opened(code) ? FENCE_END : FENCE)
    case FENCE_END:
      return isBlank(unit) ? code : inPhase(code, FENCE)
    default:
      return code
  }
}

function afterBreak(code: number): number {
  switch (code & PHASE) {
    case FIRST_RUN:
      return opened(code) >= 3 ? inPhase(code, FENCE_START) : LINE_START
    case FENCE_RUN:
      return read(code) >= opened(code) ? LINE_START : inPhase(code, FENCE_START)
    case INFO:
    case FENCE:
    case FENCE_START:
      return inPhase(code, FENCE_START)
    default:
      return LINE_START
  }
}

/** The same code in another phase, with no run being read. */
function inPhase(code: number, phase: number): number {
  return (code & (READ - 1) & ~PHASE) | phase
}

function opened(code: number): number {
  return (code >> 5) & LONGEST
}

function read(code: number): number {
  return (code >> 17) & LONGEST
}

function runUnit(code: number): number {
  return (code & OF_TILDES) === 0 ? BACKTICK : TILDE
}

/** What quotes and list items begin with: `>`, `-`, `*`, `+`, `1.` and `1)`. */
function isMarker(unit: number): boolean {
  return (
    unit === GREATER_THAN ||
    (unit >= 48 && unit <= 57) ||
    unit === 45 ||
    unit === 42 ||
    unit === 43 ||
    unit === 46 ||
    unit === 41
  )
}
