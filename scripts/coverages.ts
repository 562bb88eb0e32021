/** What all dialects keep and lose, for the tables of the reference. */
import type { EventKind } from '../src/events/event.ts'
import { entryPoints } from './entry-points.ts'

type ByKind<T> = Readonly<Record<EventKind, T>>

const dialects = entryPoints.filter(({ source }) => source.startsWith('src/dialects/'))

const exported = await Promise.all(
  dialects.map(async ({ name, source }) => ({
    name: name.replace('turnstream/', ''),
    source,
    exports: Object.entries(await import(/* @vite-ignore */ `../${source}`)),
  })),
)

/** The tables that dialects that are written export as `<name><ending>`, by the name of the entry point. */
function tablesOf<T>(ending: string): Readonly<Record<string, ByKind<T>>> {
  return Object.fromEntries(
    exported.flatMap(({ name, source, exports }): [string, ByKind<T>][] => {
      const table = exports.find(([key]) => key.endsWith(ending))?.[1]
      if (table === undefined && !exports.some(([key]) => /^to[A-Z]/.test(key))) return []
      if (table === undefined) throw new Error(`Export <name>${ending} from ${source}.`)
      return [[name, table as ByKind<T>]]
    }),
  )
}

/** How much of each kind a dialect keeps. */
export const coverages: Readonly<Record<string, ByKind<string>>> = tablesOf('Coverage')

/** Which fields of each kind a dialect loses. */
export const losses: Readonly<Record<string, ByKind<readonly string[]>>> = tablesOf('Losses')
