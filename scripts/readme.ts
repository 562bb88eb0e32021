/**
 * `npm run readme`: writes what the README takes from elsewhere, between its marks.
 *
 *     <!-- examples/… -->     the code block that follows: that file
 *     <!-- exports <path> --> a table of what a module exports, from its TSDoc
 *     <!-- coverage -->       what becomes of each kind of event in each other vocabulary
 *
 * `test/readme.test.ts` fails when it would change anything.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { eventKinds } from '../src/events/kinds.ts'
import { coverages } from './coverages.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The README with everything it takes from elsewhere as it is now. */
export function renewed(readme: string): string {
  return readme
    .replace(/<!-- (examples\/\S+) -->\n```ts\n[\s\S]*?```/g, (_block, path: string) => {
      return `<!-- ${path} -->\n\`\`\`ts\n${readFileSync(at(path), 'utf8')}\`\`\``
    })
    .replace(/<!-- exports (\S+) -->\n[\s\S]*?<!-- \/exports -->/g, (_block, path: string) => {
      return `<!-- exports ${path} -->\n${exportsTable(path)}\n<!-- /exports -->`
    })
    .replace(/<!-- coverage -->\n[\s\S]*?<!-- \/coverage -->/g, () => {
      return `<!-- coverage -->\n${coverageTable()}\n<!-- /coverage -->`
    })
}

/** What a module exports, each with the first sentence of its TSDoc. */
function exportsTable(path: string): string {
  const program = ts.createProgram([at(path)], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  })
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

/** What becomes of each kind in each other vocabulary. */
function coverageTable(): string {
  const names = Object.keys(coverages)
  return markdownTable(
    ['kind', ...names],
    eventKinds.map((kind) => [`\`${kind}\``, ...names.map((name) => coverages[name]?.[kind] ?? '')]),
  )
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(at('README.md'), renewed(readFileSync(at('README.md'), 'utf8')))
}
