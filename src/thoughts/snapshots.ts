import type { Machine, Step } from '../machine.ts'
import { isHighSurrogate } from './characters.ts'

/** Where {@link snapshotsToDeltas} stands: what it takes to compare the next snapshot. Bounded. */
export interface SnapshotState {
  /** How long the text so far is, in UTF-16 units, without `held`. */
  readonly length: number
  /** Its last units, at most 256. */
  readonly tail: string
  /** Fingerprints of its blocks, from the start, at most 64. What does not fill a block has none. */
  readonly blocks: readonly number[]
  /** How long a block is. Doubles whenever there would be too many. */
  readonly blockLength: number
  /** The first half of a surrogate pair at the end of the last snapshot. */
  readonly held: string
}

/** The text so far is wrong from here on: drop it, the next delta goes on here. */
export interface SnapshotRewrite {
  /** How much of the text so far still stands, in UTF-16 units. */
  rewriteAt: number
}

const WINDOW = 256
const MOST_BLOCKS = 64

/**
 * Turns snapshots, each the whole text so far, into deltas. For providers that send accumulated
 * text; which mode a provider uses has to be known, as one delta may well repeat another.
 *
 * - A snapshot that goes on from the last one gives the text it adds. To tell, only the last 256
 *   units are compared: a change further back, with the same end, is not noticed.
 * - A snapshot that the last one starts with comes late, and is ignored.
 * - Any other gives `{ rewriteAt }` and then, as a delta, the text from there on. What differs lies at
 *   `rewriteAt` or after it: exactly there for texts of up to 256 units, and otherwise as close as the
 *   fingerprints of 32 to 64 blocks can tell.
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

const nothing: SnapshotState = { length: 0, tail: '', blocks: [], blockLength: 64, held: '' }

function step(state: SnapshotState, snapshot: string): Step<SnapshotState, string | SnapshotRewrite> {
  const isSplit = isHighSurrogate(snapshot.charCodeAt(snapshot.length - 1))
  const text = isSplit ? snapshot.slice(0, -1) : snapshot
  const held = isSplit ? snapshot.slice(-1) : ''

  if (text.length >= state.length && text.startsWith(state.tail, state.length - state.tail.length)) {
    const delta = text.slice(state.length)
    if (delta === '') return { state: held === '' ? state : { ...state, held }, out: [] }
    return { state: grown(state, text, held), out: [delta] }
  }
  const same = agreement(state, text)
  if (same === text.length) return { state, out: [] }
  const cut = isHighSurrogate(text.charCodeAt(same - 1)) ? same - 1 : same
  return { state: grown(nothing, text, held), out: [{ rewriteAt: cut }, text.slice(cut)] }
}

function end(state: SnapshotState): Step<SnapshotState, string | SnapshotRewrite> {
  if (state.held === '') return { state, out: [] }
  const { held, ...rest } = state
  const tail = rest.tail + held
  return { state: { ...rest, length: rest.length + 1, tail, held: '' }, out: [held] }
}

/** The state once the text has grown to `text`. */
function grown(state: SnapshotState, text: string, held: string): SnapshotState {
  let { blocks, blockLength } = state
  while ((blocks.length + 1) * blockLength <= text.length) {
    const from = blocks.length * blockLength
    blocks = [...blocks, fingerprint(text, from, from + blockLength)]
    if (blocks.length === MOST_BLOCKS) {
      blocks = pairsOf(blocks, blockLength)
      blockLength *= 2
    }
  }
  return { length: text.length, tail: text.slice(-WINDOW), blocks, blockLength, held }
}

/** How far, at least, the text so far and `text` agree. */
function agreement(state: SnapshotState, text: string): number {
  const { length, tail, blocks, blockLength } = state
  const most = Math.min(length, text.length)
  const tailStart = length - tail.length
  let same = 0
  for (const block of blocks) {
    const next = same + blockLength
    if (next > most || fingerprint(text, same, next) !== block) break
    same = next
  }
  // Nearer than its block, a difference is known only where the tail begins before it.
  const differs = firstDifference(tail, text, tailStart, most)
  if (tailStart <= same) return differs
  const isWithinBlock = most - same < blockLength
  return differs === most && isWithinBlock ? most : same
}

/** The index of the first unit in `text`, from `start` up to `end`, that differs from `tail`. */
function firstDifference(tail: string, text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === tail.charCodeAt(at - start)) at++
  return Math.min(at, end)
}

const BASE = 0x01000193

/** A polynomial over the units, so that those of two neighbours give that of both. */
function fingerprint(text: string, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum = (Math.imul(sum, BASE) + text.charCodeAt(at) + 1) | 0
  return sum
}

function pairsOf(blocks: readonly number[], blockLength: number): number[] {
  let power = 1
  for (let i = 0; i < blockLength; i++) power = Math.imul(power, BASE)
  const pairs: number[] = []
  for (let i = 0; i + 1 < blocks.length; i += 2) {
    pairs.push((Math.imul(blocks[i] ?? 0, power) + (blocks[i + 1] ?? 0)) | 0)
  }
  return pairs
}
