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
import ts from 'typescript'
import { docTables, markdownTable } from './doc-tables.ts'

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

let shared: ts.Program | undefined

/** All entry points, read once. */
function entryPoints(): ts.Program {
  shared ??= ts.createProgram(ts.sys.readDirectory(at('src'), ['.ts'], [], ['**/index.ts']), {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  })
  return shared
}

/** What a module exports, each with the first sentence of its TSDoc. */
function exportsTable(path: string): string {
  const program = entryPoints()
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(at(path))
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${path} is no module.`)
  const rows = checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return {
      name: symbol.name,
      isType: (target.flags & ts.SymbolFlags.Value) === 0,
      says: sentence(target, checker),
    }
  })
  rows.sort((a, b) => Number(a.isType) - Number(b.isType) || (a.name < b.name ? -1 : 1))
  return markdownTable(
    ['export', 'is'],
    rows.map(({ name, isType, says }) => [`\`${name}\`${isType ? ' (type)' : ''}`, says]),
  )
}

function sentence(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const plain = doc.replace(/\{@link (\w+) ?\}/g, '`$1`')
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
