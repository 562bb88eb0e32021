/**
 * `npm run readme`: writes what the README and the pages under docs/ take from elsewhere, between its
 * marks.
 *
 *     <!-- examples/… -->     the code block that follows: that file
 *     <!-- exports <path> --> a table of what a module exports, from its TSDoc
 *     <!-- table <name> -->   a table of `scripts/doc-tables.ts`
 *
 * `test/readme.test.ts` fails when it would change anything.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { docTables, markdownTable } from './doc-tables.ts'
import { exportsOf } from './entry-points.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The pages that take something from elsewhere. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(at('docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
]

/** A page with everything it takes from elsewhere as it is now. */
export function renewed(page: string): string {
  return page
    .replace(/<!-- (examples\/\S+) -->\n```ts\n[\s\S]*?```/g, (_block, path: string) => {
      return `<!-- ${path} -->\n\`\`\`ts\n${readFileSync(at(path), 'utf8')}\`\`\``
    })
    .replace(/<!-- exports (\S+) -->\n[\s\S]*?<!-- \/exports -->/g, (_block, path: string) => {
      return `<!-- exports ${path} -->\n${exportsTable(path)}\n<!-- /exports -->`
    })
    .replace(/<!-- table (\S+) -->\n[\s\S]*?<!-- \/table -->/g, (_block, name: string) => {
      const table = docTables[name]
      if (table === undefined) throw new Error(`There is no table ${name}.`)
      return `<!-- table ${name} -->\n${table()}\n<!-- /table -->`
    })
}

/** What a module exports, each with the first sentence of its TSDoc. */
function exportsTable(path: string): string {
  return markdownTable(
    ['Export', 'Description'],
    exportsOf(path).map(({ name, isType, documentation }) => [
      `\`${name}\`${isType ? ' (type)' : ''}`,
      sentence(documentation),
    ]),
  )
}

/** The first sentence of a TSDoc text. */
function sentence(documentation: string): string {
  const plain = documentation.replace(/\{@link (\w+) ?\}/g, '`$1`')
  const paragraph = plain.split('\n\n')[0]?.replace(/\s+/g, ' ') ?? ''
  return (/^.*?[.:](?= [A-Z`]|$)/.exec(paragraph)?.[0] ?? paragraph).replace(/[.:]$/, '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages) {
    const text = readFileSync(at(page), 'utf8')
    const next = renewed(text)
    if (next !== text) writeFileSync(at(page), next)
  }
}
