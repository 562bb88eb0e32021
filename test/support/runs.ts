/** How many cases a property tries: `FC_RUNS` raises it for a fuzz run, and never lowers it. */
export const runs = (normal: number): number => Math.max(normal, Number(process.env.FC_RUNS ?? 0))
