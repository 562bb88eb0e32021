/** Aligning two lists by what they have in common. */

/** After so many differences, the best alignment so far is kept, so that memory stays small. */
const MAX_DIFFERENCES = 2000
const UNREACHABLE = -2

type Pair = [a: number, b: number]

/**
 * The positions of a longest common subsequence, by the algorithm of Myers. Of lists with very many differences it may
 * be shorter.
 */
export function align(a: readonly string[], b: readonly string[]): Pair[] {
  let [endA, endB] = [a.length, b.length]
  while (endA > 0 && endB > 0 && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const pairs: Pair[] = []
  let at: Pair = [0, 0]
  while (at[0] < endA && at[1] < endB) at = advance(a, b, at, [endA, endB], pairs)
  for (let i = endA; i < a.length; i++) pairs.push([i, endB + i - endA])
  return pairs
}

/** Aligns up to the ends or to {@link MAX_DIFFERENCES}, adds the pairs, and returns where it got. */
function advance(
  a: readonly string[],
  b: readonly string[],
  [startA, startB]: Pair,
  [endA, endB]: Pair,
  pairs: Pair[],
): Pair {
  const [sizeA, sizeB] = [endA - startA, endB - startB]
  /** For each number of differences, how far in `a` each diagonal got: of `k` from `-d` in steps of 2. */
  const steps: Int32Array[] = []
  for (let d = 0; ; d++) {
    const step = new Int32Array(d + 1).fill(UNREACHABLE)
    let [bestX, bestK] = [0, 0]
    let isReachable = false
    for (let i = 0; i <= d; i++) {
      const k = 2 * i - d
      let x = startOf(steps, d, i)
      if (x < 0 || x > sizeA || x - k > sizeB) continue
      while (x < sizeA && x - k < sizeB && a[startA + x] === b[startB + x - k]) x++
      step[i] = x
      const further = 2 * x - k - (2 * bestX - bestK)
      if (!isReachable || further > 0 || (further === 0 && Math.abs(k) < Math.abs(bestK)))
        [bestX, bestK] = [x, k]
      isReachable = true
    }
    if (!isReachable) return [endA, endB]
    steps.push(step)
    const isEnd = bestX === sizeA && bestX - bestK === sizeB
    if (!isEnd && d < MAX_DIFFERENCES) continue
    pairs.push(...traced(steps, bestX, bestK).map(([i, j]): Pair => [startA + i, startB + j]))
    return [startA + bestX, startB + bestX - bestK]
  }
}

/** Where a diagonal begins after one more difference: an item of `b` is skipped, or one of `a`. */
function startOf(steps: readonly Int32Array[], d: number, i: number): number {
  if (d === 0) return 0
  const before = steps[d - 1]
  return Math.max(before?.[i] ?? UNREACHABLE, (before?.[i - 1] ?? UNREACHABLE) + 1)
}

/** The pairs on the way to a point, in order. */
function traced(steps: readonly Int32Array[], endX: number, endK: number): Pair[] {
  const pairs: Pair[] = []
  let [x, k] = [endX, endK]
  for (let d = steps.length - 1; d >= 0; d--) {
    const i = (k + d) / 2
    const start = startOf(steps, d, i)
    for (; x > start; x--) pairs.push([x - 1, x - 1 - k])
    if (d > 0 && steps[d - 1]?.[i] === start) k++
    else {
      k--
      x--
    }
  }
  return pairs.reverse()
}
