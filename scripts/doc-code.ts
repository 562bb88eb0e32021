/**
 * Type-checks the TypeScript that stands on pages and in TSDoc, apart from blocks that are files of examples/.
 *
 * A block is often a fragment. Names it does not declare are imported if an entry point exports them; all others, such
 * as `render` or `response`, are of any type. An example that calls a function with the wrong arguments fails.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryPoints, exportsOf } from './entry-points.ts'
import { pages } from './readme.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** A block of code on a page or in a comment. */
export interface CodeBlock {
  /** The file and the line, such as `docs/a2a.md:20`. */
  readonly place: string
  readonly code: string
}

/** All blocks that are not checked as files of examples/. */
export function codeBlocks(): CodeBlock[] {
  const sources = readdirSync(at('src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'))
    .map((file) => `src/${file}`)
    .sort()
  return [...pages, ...sources].flatMap((file) => blocksOf(file, readFileSync(at(file), 'utf8')))
}

function blocksOf(file: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  for (const found of text.matchAll(
    /(<!-- examples\/\S+ -->\n)?^([ *]*)```(?:ts|tsx)(?: \[.*\])?\n([\s\S]*?)```/gm,
  )) {
    const [, example, indent = '', code = ''] = found
    if (example !== undefined) continue
    const line = text.slice(0, found.index).split('\n').length
    const lines = code
      .split('\n')
      .map((row) =>
        row.startsWith(indent) ? row.slice(indent.length) : row.trimStart().replace(/^\* ?/, ''),
      )
    blocks.push({ place: `${file}:${line}`, code: lines.join('\n') })
  }
  return blocks
}

/** What the compiler reports about a block. */
export interface CodeError {
  readonly place: string
  readonly message: string
}

/** Compiles all blocks, and returns the errors. */
export function codeErrors(blocks: readonly CodeBlock[]): CodeError[] {
  const exported = new Map(
    entryPoints
      .flatMap(({ name, source }) =>
        exportsOf(source).map((one) => [one.name, { from: name, isType: one.isType }] as const),
      )
      .reverse(),
  )
  // Which names a block does not declare is known without what it imports.
  const bare = compile(
    blocks.map(({ code }) => asModule(code)),
    { '*': ['./nothing.ts'] },
  )
  const completed = blocks.map(({ code }, i) => {
    const missing = [...new Set(bare[i]?.flatMap(({ name }) => name ?? []))]
    return `${missing.map((name) => declarationOf(name, exported.get(name))).join('; ')};${asModule(code)}`
  })
  return compile(completed).flatMap((errors, i) =>
    errors.map(({ line, text }) => ({ place: `${blocks[i]?.place} +${line}`, message: text })),
  )
}

/** Names of the DOM that mean something else in a fragment. */
const OWN_NAMES = ['event', 'frames', 'prompt']

/** A fragment may return from the handler it stands in, or yield; what is exported stands in a module. */
function asModule(code: string): string {
  const imports = code.match(/^import [\s\S]*?from '.*'$/gm) ?? []
  const rest = imports.reduce((text, one) => text.replace(one, one.replace(/[^\n]/g, '')), code)
  const isModule = /^(export|declare) /m.test(code)
  const own = OWN_NAMES.filter((name) => !new RegExp(`(const|let) ${name}\\b`).test(code))
  const head = `${imports.join('; ').replaceAll('\n', ' ')};${own.map((name) => `declare const ${name}: any`).join(';')};export {};`
  return isModule ? `${head}\n${rest}` : `${head}async function* fragment(): any {\n${rest}\n}`
}

function declarationOf(
  name: string,
  exported: { readonly from: string; readonly isType: boolean } | undefined,
): string {
  if (exported !== undefined)
    return `import ${exported.isType ? 'type ' : ''}{ ${name} } from '${exported.from}'`
  return /^[A-Z]/.test(name) ? `declare const ${name}: any; type ${name} = any` : `declare let ${name}: any`
}

interface Found {
  readonly line: number
  readonly text: string
  /** The name that is not declared, if this is the error. */
  readonly name?: string
}

/** A function of any type is called with type arguments. */
const UNTYPED_CALL = 2347

const CANNOT_FIND_NAME = new Set([2304, 2503, 2552, 2582, 2593, 2868, 18004])

const CACHE = at('node_modules/.cache')

/**
 * Compiles modules as files of one program. Returns what the compiler reports about each.
 *
 * @param paths - Where imports lead. Omitted: where those of the sources do.
 */
function compile(modules: readonly string[], paths?: Readonly<Record<string, readonly string[]>>): Found[][] {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'doc-code-'))
  const settings = {
    extends: at('tsconfig.json'),
    compilerOptions: {
      rootDir: at('.'),
      types: ['node'],
      typeRoots: [at('node_modules/@types')],
      declaration: false,
      isolatedDeclarations: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      noImplicitAny: false,
      ...(paths !== undefined && { paths }),
    },
    files: modules.map((_, i) => `${i}.ts`),
    include: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'nothing.ts'), 'export {}')
  for (const [i, code] of modules.entries()) writeFileSync(join(folder, `${i}.ts`), code)
  const compiler = at('node_modules/typescript-7/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', '.'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  rmSync(folder, { recursive: true })
  const found: Found[][] = modules.map(() => [])
  for (const report of stdout.split(/\n(?! )/)) {
    const [, file, line, code, text = ''] =
      /^(\d+)\.ts\((\d+),\d+\): error TS(\d+): ([\s\S]*)$/.exec(report) ?? []
    // What a page declares in a library's interfaces also applies to the sources.
    if (file === undefined) continue
    if (Number(code) === UNTYPED_CALL) continue
    const name = CANNOT_FIND_NAME.has(Number(code)) ? /'([\w$]+)'/.exec(text)?.[1] : undefined
    found[Number(file)]?.push({ line: Number(line) - 1, text, ...(name !== undefined && { name }) })
  }
  return found
}
