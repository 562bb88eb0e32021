import type { Machine, Step } from '../core/machine.ts'
import { fnv1a } from '../encoding/fnv1a.ts'
import { isHighSurrogate } from './char-codes.ts'

/** Where {@link snapshotsToDeltas} stands: what it takes to compare the next snapshot. Bounded. */
export interface SnapshotState {
  /** How long the text so far is, in UTF-16 units, without `held`. */
  readonly length: number
  /** Its last units, at most 256. */
  readonly tail: string
  /** Fingerprints of its beginnings, each longer than the last by `spacing`. Fewer than 64. */
  readonly marks: readonly number[]
  /** Doubles whenever there would be too many marks. */
  readonly spacing: number
  /** The first half of a surrogate pair at the end of the last snapshot. */
  readonly held: string
}

/** The text so far is wrong from here on: drop it, the next delta goes on here. */
export interface SnapshotRewrite {
  /** How much of the text so far still stands, in UTF-16 units. */
  rewriteAt: number
}

const WINDOW = 256
const MOST_MARKS = 64

/**
 * Turns snapshots, each the whole text so far, into deltas. For providers that send accumulated
 * text; which mode a provider uses has to be known, as one delta may well repeat another.
 *
 * - A snapshot that goes on from the last one gives the text it adds. To tell, only the last 256
 *   units are compared: a change further back, with the same end, is not noticed.
 * - A snapshot that the last one starts with comes late, and is ignored.
 * - Any other gives `{ rewriteAt }` and then, as a delta, the text from there on. What differs lies at
 *   `rewriteAt` or after it: exactly there for texts of up to 256 units, and otherwise as close as the
 *   fingerprints of its first 32nds can tell.
 *
 * Costs as much as the text that is added; after a rewrite, as much as the snapshot is long.
 *
 * A consumer that only shows the text cuts it at `rewriteAt` and goes on. One that reads it with an
 * extractor cannot take back what it read, so it keeps the text and starts again; `seen` and `index`
 * can be carried over, so that thoughts that were emitted before are not emitted again:
 *
 * ```ts
 * const machine = thoughtExtractor()
 * const deltas = run(snapshotsToDeltas())
 * let thoughts = run(machine)
 * let text = ''
 * for (const output of deltas.push(snapshot)) {
 *   if (typeof output === 'string') {
 *     text += output
 *     show(thoughts.push(output))
 *   } else {
 *     text = text.slice(0, output.rewriteAt)
 *     const { seen, index } = thoughts.state
 *     thoughts = run(machine, { state: { ...machine.initial, seen, index } })
 *     clear()
 *     show(thoughts.push(text))
 *   }
 * }
 * ```
 */
export function snapshotsToDeltas(): Machine<SnapshotState, string, string | SnapshotRewrite> {
  return { initial: nothing, step, end }
}

const nothing: SnapshotState = { length: 0, tail: '', marks: [], spacing: 64, held: '' }

function step(state: SnapshotState, snapshot: string): Step<SnapshotState, string | SnapshotRewrite> {
  const whole = snapshot.length - (isHighSurrogate(snapshot.charCodeAt(snapshot.length - 1)) ? 1 : 0)
  const text = snapshot.slice(0, whole)
  const held = snapshot.slice(whole)

  if (text.startsWith(state.tail, state.length - state.tail.length)) {
    const delta = text.slice(state.length)
    if (delta === '') return { state: { ...state, held: held || state.held }, out: [] }
    return { state: grown(state, text, held), out: [delta] }
  }
  const same = agreement(state, text)
  if (same === text.length) return { state, out: [] }
  const cut = isHighSurrogate(text.charCodeAt(same - 1)) ? same - 1 : same
  return { state: grown(nothing, text, held), out: [{ rewriteAt: cut }, text.slice(cut)] }
}

function end(state: SnapshotState): Step<SnapshotState, string | SnapshotRewrite> {
  const { held, length, tail } = state
  if (held === '') return { state, out: [] }
  return { state: { ...state, length: length + 1, tail: tail + held, held: '' }, out: [held] }
}

/** The state once the text has grown to `text`. */
function grown(state: SnapshotState, text: string, held: string): SnapshotState {
  let { marks, spacing } = state
  for (let from = marks.length * spacing; from + spacing <= text.length; ) {
    marks = [...marks, fnv1a(marks.at(-1) ?? 0, text, from, from + spacing)]
    from += spacing
    if (marks.length === MOST_MARKS) {
      marks = marks.filter((_, i) => i % 2 === 1)
      spacing *= 2
    }
  }
  return { length: text.length, tail: text.slice(-WINDOW), marks, spacing, held }
}

/** How far, at least, the text so far and `text` agree. */
function agreement({ length, tail, marks, spacing }: SnapshotState, text: string): number {
  const most = Math.min(length, text.length)
  let same = 0
  let sum = 0
  for (const mark of marks) {
    sum = fnv1a(sum, text, same, same + spacing)
    if (same + spacing > most || sum !== mark) break
    same += spacing
  }
  const tailStart = length - tail.length
  let at = tailStart
  while (at < most && text.charCodeAt(at) === tail.charCodeAt(at - tailStart)) at++
  // Between the last mark that agrees and the tail nothing is known. A text that ends there is late.
  const isKnown = tailStart <= same || (at >= most && most - same < spacing)
  return isKnown ? Math.min(at, most) : same
}
