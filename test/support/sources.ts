/** The source files of the library and of its tools, as text and as syntax trees. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const folderOf = (name: string): string => fileURLToPath(new URL(`../../${name}/`, import.meta.url))
const root = folderOf('src')

/** One source file. */
export interface SourceFile {
  /** Path relative to its folder: under `src/`, such as `events/task.ts`. */
  readonly path: string
  readonly text: string
}

let files: readonly SourceFile[] | undefined

/** Every file under `src/`, read once. */
export function sourceFiles(): readonly SourceFile[] {
  files ??= filesUnder('src')
  return files
}

/** Every source file under a folder of the repository. */
export function filesUnder(name: string): readonly SourceFile[] {
  const folder = folderOf(name)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(folder + path, 'utf8') }))
}

/** The full path of a file under `src/`. */
export function absolute(path: string): string {
  return root + path
}

const trees = new WeakMap<SourceFile, ts.SourceFile>()

/** The syntax tree of a file, parsed once. */
export function syntaxTree(file: SourceFile): ts.SourceFile {
  let tree = trees.get(file)
  if (tree === undefined) {
    tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
    trees.set(file, tree)
  }
  return tree
}

/** Calls `visit` for every node of a file, parents first. */
export function walk(file: SourceFile, visit: (node: ts.Node) => void): void {
  const descend = (node: ts.Node): void => {
    visit(node)
    ts.forEachChild(node, descend)
  }
  descend(syntaxTree(file))
}
