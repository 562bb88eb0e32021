/** The entry points of the package and what they export, read from package.json and the compiler. */
import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import packageJson from '../package.json' with { type: 'json' }

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** One entry point. */
export interface EntryPoint {
  /** What a user imports, such as `turnstream/sse`. */
  readonly name: string
  /** Its source, such as `src/sse/index.ts`. */
  readonly source: string
  /** Its reference page, such as `docs/reference/sse.md`. */
  readonly page: string
}

/** Every entry point that holds code, in the order of package.json. */
export const entryPoints: readonly EntryPoint[] = Object.keys(packageJson.exports)
  .filter((path) => !/\*|\.(?:json|html)$/.test(path))
  .map((path) => {
    const name = path.replace(/^\./, 'turnstream')
    return { name, source: sourceOf(path), page: `docs/reference/${name.replace('turnstream/', '')}.md` }
  })

function sourceOf(path: string): string {
  const candidates = [`src/${path}/index.ts`, `src/dialects/${path}/index.ts`].map((file) =>
    file.replace('/./', '/').replace('./', ''),
  )
  const found = candidates.find((file) => ts.sys.fileExists(at(file)))
  if (found === undefined)
    throw new Error(`"exports" names ${path}, but none of ${candidates.join(', ')} exists.`)
  return found
}

/** One export of an entry point. */
export interface Export {
  readonly name: string
  readonly isType: boolean
  /** Its TSDoc without tags; empty if it has no TSDoc. */
  readonly documentation: string
}

/** What the TSDoc of an export says where it is declared, without tags; of a namespace, the comment of its file. */
export function documentationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [declared] = target.declarations ?? []
  if (declared !== undefined && ts.isSourceFile(declared))
    return (
      /^\/\*\*([\s\S]*?)\*\//
        .exec(declared.text)?.[1]
        ?.replace(/\n \* ?/g, '\n')
        .trim() ?? ''
    )
  return ts.displayPartsToString(target.getDocumentationComment(checker)).trim()
}

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  // What is exported needs neither the platform nor other packages, which are longer than the sources.
  noLib: true,
  types: [],
}

/** A program of modules without what they import of packages. Their texts are read from files by default. */
export function programOf(
  paths: readonly string[],
  textOf = (path: string): string => readFileSync(path, 'utf8'),
): ts.Program {
  const host = ts.createCompilerHost(options)
  host.getSourceFile = (path, version) => ts.createSourceFile(path, textOf(path), version)
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      if (!text.startsWith('.')) return { resolvedModule: undefined }
      const resolvedFileName = join(dirname(from), text)
      return {
        resolvedModule: { resolvedFileName, extension: extname(text), isExternalLibraryImport: false },
      }
    })
  return ts.createProgram(paths, options, host)
}

let shared: ts.Program | undefined

/** The program of all entry points. */
export function entryProgram(): ts.Program {
  shared ??= programOf(entryPoints.map(({ source }) => at(source)))
  return shared
}

/** The symbols that a module exports, types included. */
export function symbolsOf(path: string, program: ts.Program): readonly ts.Symbol[] {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${path} is not a module.`)
  return checker.getExportsOfModule(module)
}

/** What a module exports, types included, in alphabetical order, values first. */
export function exportsOf(source: string): readonly Export[] {
  const program = entryProgram()
  const checker = program.getTypeChecker()
  return symbolsOf(at(source), program)
    .map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      return {
        name: symbol.name,
        isType: (target.flags & ts.SymbolFlags.Value) === 0,
        documentation: documentationOf(symbol, checker),
      }
    })
    .sort((a, b) => Number(a.isType) - Number(b.isType) || (a.name < b.name ? -1 : 1))
}
