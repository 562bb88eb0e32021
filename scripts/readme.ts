/**
 * Writes the generated parts of README.md, CONTRIBUTING.md and the pages under docs/, between their marks:
 *
 *     <!-- examples/… -->     the code block that follows, in any language: that file
 *     <!-- exports <path> --> tables of what a module exports, from its TSDoc
 *     <!-- fields <folder> -->  the events of a published schema, field by field
 *     <!-- kinds <folder> -->  the events of a published schema, one line each
 *     <!-- table <name> -->   a table of `scripts/doc-tables.ts`
 *
 * Paths of published event schemas get the current version: `schemas/events/1.0/`.
 *
 * `--check` writes nothing and fails if a page is out of date; `test/readme.test.ts` does the same.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROTOCOL_VERSION } from '../src/events/version.ts'
import { fieldTables, kindTable } from './doc-fields.ts'
import { docTables } from './doc-tables.ts'
import { type Export, exportsOf } from './entry-points.ts'
import { code, firstSentence, markdownTable } from './markdown.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** All pages of documentation, by path. */
export const pages: readonly string[] = [
  ...markdownIn('.'),
  ...markdownIn('docs', true).filter((page) => !page.startsWith('docs/api/')),
  ...markdownIn('.github', true),
  ...markdownIn('test'),
  ...markdownIn('conformance', true),
]

function markdownIn(folder: string, recursive = false): string[] {
  return readdirSync(at(folder), { recursive, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => (folder === '.' ? file : `${folder}/${file}`))
}

/** A page with its generated parts up to date. */
export function renewed(page: string): string {
  return page
    .replace(/<!-- (examples\/\S+) -->\n```(\w.*)\n[\s\S]*?```/g, (_block, path: string, info: string) => {
      return `<!-- ${path} -->\n\`\`\`${info}\n${readFileSync(at(path), 'utf8')}\`\`\``
    })
    .replace(
      /<!-- (exports|fields|kinds|table) (\S+) -->\n[\s\S]*?<!-- \/\1 -->/g,
      (_block, type: string, name: string) => {
        return `<!-- ${type} ${name} -->\n${generated(type, name)}\n<!-- /${type} -->`
      },
    )
    .replace(/(?<=schemas\/events\/|--release events\/)\d+\.\d+/g, PROTOCOL_VERSION)
}

function generated(type: string, name: string): string {
  if (type === 'exports') return exportTables(name)
  if (type === 'fields') return fieldTables(name)
  if (type === 'kinds') return kindTable(name)
  const table = docTables[name]
  if (table === undefined) throw new Error(`scripts/doc-tables.ts has no table "${name}".`)
  return table()
}

/** What a module exports, each with the first sentence of its TSDoc. */
function exportTables(path: string): string {
  const table = (head: string, exports: readonly Export[]): string[] => {
    const rows = exports.map(({ name, documentation }) => [code(name), firstSentence(documentation)])
    return rows.length === 0 ? [] : [markdownTable([head, 'description'], rows)]
  }
  const all = exportsOf(path)
  const values = all.filter(({ isType }) => !isType)
  const types = all.filter(({ isType }) => isType)
  return [...table('value', values), ...table('type', types)].join('\n\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdated = pages.filter(
    (page) => renewed(readFileSync(at(page), 'utf8')) !== readFileSync(at(page), 'utf8'),
  )
  if (!process.argv.includes('--check')) {
    for (const page of outdated) writeFileSync(at(page), renewed(readFileSync(at(page), 'utf8')))
  } else if (outdated.length > 0) {
    console.error(`Out of date, run \`npm run gen\`: ${outdated.join(', ')}`)
    process.exitCode = 1
  }
}
