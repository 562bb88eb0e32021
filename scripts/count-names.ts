/** `npx tsx scripts/count-names.ts`: how many names the entry points export, values and types. */
import { fileURLToPath } from 'node:url'
import { entryPoints, exportsOf } from './entry-points.ts'

/** The names of one entry point. What two entry points export counts twice: a reader meets it twice. */
export interface NameCount {
  readonly name: string
  readonly values: number
  readonly types: number
}

/** How many names each entry point exports. */
export function nameCounts(): readonly NameCount[] {
  return entryPoints.map(({ name, source }) => {
    const exports = exportsOf(source)
    const types = exports.filter(({ isType }) => isType).length
    return { name, values: exports.length - types, types }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counts = nameCounts()
  const sum = (of: (count: NameCount) => number): number => counts.reduce((all, one) => all + of(one), 0)
  console.table(counts)
  const [values, types] = [sum((one) => one.values), sum((one) => one.types)]
  console.log(`${values + types} names: ${values} values, ${types} types`)
}
