/**
 * The number of cases of a property: a fifth of the full number, and at least 10, so that `npm test` stays fast.
 * `FC_SCALE=1` draws the full number, as `npm run test:all -- fuzz` does; `FC_RUNS` raises it, and never lowers it.
 *
 * @param most - The largest number, for cases that take long. Omitted: no limit.
 */
export const runs = (full: number, most: number = Number.POSITIVE_INFINITY): number =>
  Math.min(
    most,
    Math.max(
      Math.min(full, 10),
      Math.ceil(full * Number(process.env.FC_SCALE ?? 0.2)),
      Number(process.env.FC_RUNS ?? 0),
    ),
  )
