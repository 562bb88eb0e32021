/**
 * The number of cases of a property: a thirtieth of the full number, and at least 5, so that `npm test` stays fast.
 * `FC_SCALE=1` draws the full number, as `npm run test:all -- fuzz` does; `FC_RUNS` raises it, and never lowers it.
 *
 * @param most - The largest number, for cases that take long. Omitted: no limit.
 */
export const runs = (full: number, most: number = Number.POSITIVE_INFINITY): number =>
  Math.min(
    most,
    Math.max(
      Math.min(full, 5),
      Math.ceil(full * Number(process.env.FC_SCALE ?? 1 / 30)),
      Number(process.env.FC_RUNS ?? 0),
    ),
  )

/** Whether all of many cases are to be tried. */
const isFull = process.env.FC_SCALE === '1'

/** One of so many cases of a list, by default of eleven, and with `FC_SCALE=1` all of them. */
export const someOf = <T>(cases: readonly T[], each = 11, first = 0): readonly T[] =>
  isFull ? cases : cases.filter((_, i) => i % each === first)
