/** The coverage tables of all dialects, for docs/reference/coverage.md. */
import type { EventKind } from '../src/events/event.ts'
import { entryPoints } from './entry-points.ts'

type CoverageTable = Readonly<Record<EventKind, string>>

const dialects = entryPoints.filter(({ source }) => source.startsWith('src/dialects/'))

/** Name of the entry point → coverage of each event kind, for each dialect that is written. */
export const coverages: Readonly<Record<string, CoverageTable>> = Object.fromEntries(
  await Promise.all(
    dialects.map(async ({ name, source }): Promise<[string, CoverageTable][]> => {
      const exported = (await import(/* @vite-ignore */ `../${source}`)) as Readonly<Record<string, unknown>>
      const table = Object.entries(exported).find(([key]) => key.endsWith('Coverage'))?.[1]
      if (table === undefined && !Object.keys(exported).some((key) => /^to[A-Z]/.test(key))) return []
      if (table === undefined) throw new Error(`Export <name>Coverage from ${source}.`)
      return [[name.replace('turnstream/', ''), table as CoverageTable]]
    }),
  ).then((entries) => entries.flat()),
)
