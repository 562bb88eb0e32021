/** The coverage tables of all dialects, for docs/reference/coverage.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EventKind } from '../src/events/event.ts'
import { eventKinds } from '../src/events/kinds.ts'
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

/** What the tables of losses lack, each with the file to edit: a new kind has no entry until somebody decides. */
export function missingEntries(
  tables: Readonly<Record<string, Partial<CoverageTable>>> = coverages,
): string[] {
  return Object.entries(tables).flatMap(([name, table]) =>
    eventKinds
      .filter((kind) => table[kind] === undefined)
      .map(
        (kind) =>
          `${tableOf(name)}: add '${kind}' with the fields that are lost, [] for none, or null if its events are dropped.`,
      ),
  )
}

/** The file with the table of losses of a dialect. */
function tableOf(dialect: string): string {
  const source = entryPoints.find(({ name }) => name === `turnstream/${dialect}`)?.source ?? ''
  const folder = dirname(source)
  const files = readdirSync(fileURLToPath(new URL(`../${folder}`, import.meta.url)), {
    recursive: true,
    encoding: 'utf8',
  })
  const file = files.find((path) => {
    if (!path.endsWith('.ts')) return false
    const text = readFileSync(fileURLToPath(new URL(`../${folder}/${path}`, import.meta.url)), 'utf8')
    return /: LossTable = \{|\bdefineCoverage\(\s*\{/.test(text)
  })
  return file === undefined ? folder : `${folder}/${file.replaceAll('\\', '/')}`
}
