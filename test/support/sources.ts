/** The source files of the library, as text and as syntax trees. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../src/', import.meta.url))

/** One file under `src/`. */
export interface SourceFile {
  /** Path relative to `src/`, such as `events/task.ts`. */
  readonly path: string
  readonly text: string
}

let files: readonly SourceFile[] | undefined

/** Every file under `src/`, read once. */
export function sourceFiles(): readonly SourceFile[] {
  files ??= readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
  return files
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
