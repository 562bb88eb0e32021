/** The number of cases of a property. `FC_RUNS` can raise it, for fuzzing, but never lowers it. */
export const runs = (normal: number): number => Math.max(normal, Number(process.env.FC_RUNS ?? 0))
