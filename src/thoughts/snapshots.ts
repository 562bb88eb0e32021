import type { Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { requireString } from '../core/require.ts'
import { fnv1a } from '../encoding/fnv1a.ts'
import { isHighSurrogate } from '../encoding/surrogates.ts'

/** What is needed to compare the text so far with the next snapshot. Bounded. */
interface SnapshotState {
  /** The length of the text so far without `pending`, in UTF-16 code units. */
  readonly length: number
  /** Its end, at most {@link TAIL_LENGTH} code units. */
  readonly tail: string
  /** Hashes of its prefixes, each longer than the previous one by `spacing`. Fewer than {@link MAX_HASHES}. */
  readonly prefixHashes: readonly number[]
  /** Doubles whenever there would be too many hashes. */
  readonly spacing: number
  /** The first half of a surrogate pair that the last snapshot ends with. */
  readonly pending: string
}

/** The text so far is wrong from an index on. Remove that part; the next delta continues there. */
export interface SnapshotRewrite {
  /** The length of the text that remains, in UTF-16 code units. */
  rewriteAt: number
}

const TAIL_LENGTH = 256
const MAX_HASHES = 64

/**
 * Converts snapshots, each the whole text so far, to deltas. Use it only for providers that send accumulated
 * text: the mode of a provider cannot be detected, as a delta may repeat the previous one.
 *
 * - A snapshot that continues the last one gives the text it adds. Only the last 256 code units are compared: an
 *   earlier change, with the same end, is not detected.
 * - A snapshot that is a prefix of the last one is late, and is ignored.
 * - Any other snapshot gives `{ rewriteAt }` and then, as a delta, the text from there on. The first difference is
 *   at `rewriteAt` or after it: exactly there for texts of up to 256 code units, otherwise as close as hashes of
 *   the first 32nds of the text can locate it.
 *
 * Takes time in proportion to the added text; for a rewrite, to the whole snapshot.
 *
 * A consumer that only displays the text cuts it at `rewriteAt` and continues. An extractor cannot take back what
 * it has read, so keep the text and start a new extractor; pass on `seen` and `index`, so that it does not emit
 * the same thoughts again:
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
export function snapshotsToDeltas(): Machine<
  MachineState<'snapshotsToDeltas'>,
  string,
  string | SnapshotRewrite
> {
  return opaque({ initial: emptyText, step, end })
}

const emptyText: SnapshotState = { length: 0, tail: '', prefixHashes: [], spacing: 64, pending: '' }

function step(state: SnapshotState, snapshot: string): Step<SnapshotState, string | SnapshotRewrite> {
  requireString('snapshot', snapshot)
  const whole = snapshot.length - (isHighSurrogate(snapshot.charCodeAt(snapshot.length - 1)) ? 1 : 0)
  const text = snapshot.slice(0, whole)
  const pending = snapshot.slice(whole)

  if (text.startsWith(state.tail, state.length - state.tail.length)) {
    const delta = text.slice(state.length)
    if (delta === '') return { state: { ...state, pending: pending || state.pending }, out: [] }
    return { state: stateAfter(state, text, pending), out: [delta] }
  }
  const common = commonPrefixLength(state, text)
  if (common === text.length) return { state, out: [] }
  const cut = isHighSurrogate(text.charCodeAt(common - 1)) ? common - 1 : common
  return { state: stateAfter(emptyText, text, pending), out: [{ rewriteAt: cut }, text.slice(cut)] }
}

function end(state: SnapshotState): Step<SnapshotState, string | SnapshotRewrite> {
  const { pending, length, tail } = state
  if (pending === '') return { state, out: [] }
  return { state: { ...state, length: length + 1, tail: tail + pending, pending: '' }, out: [pending] }
}

/** The state after the text has grown to `text`. */
function stateAfter(state: SnapshotState, text: string, pending: string): SnapshotState {
  let { prefixHashes, spacing } = state
  for (let from = prefixHashes.length * spacing; from + spacing <= text.length; ) {
    prefixHashes = [...prefixHashes, fnv1a(prefixHashes.at(-1) ?? 0, text, from, from + spacing)]
    from += spacing
    if (prefixHashes.length === MAX_HASHES) {
      prefixHashes = prefixHashes.filter((_, i) => i % 2 === 1)
      spacing *= 2
    }
  }
  return { length: text.length, tail: text.slice(-TAIL_LENGTH), prefixHashes, spacing, pending }
}

/** A lower bound of the length of the common prefix of the text so far and `text`. */
function commonPrefixLength({ length, tail, prefixHashes, spacing }: SnapshotState, text: string): number {
  const maximum = Math.min(length, text.length)
  let common = 0
  let hash = 0
  for (const expected of prefixHashes) {
    hash = fnv1a(hash, text, common, common + spacing)
    if (common + spacing > maximum || hash !== expected) break
    common += spacing
  }
  const tailStart = length - tail.length
  let at = tailStart
  while (at < maximum && text.charCodeAt(at) === tail.charCodeAt(at - tailStart)) at++
  // Nothing is known between the last equal prefix and the tail. A text that ends there counts as late.
  const isKnown = tailStart <= common || (at >= maximum && maximum - common < spacing)
  return isKnown ? Math.min(at, maximum) : common
}
