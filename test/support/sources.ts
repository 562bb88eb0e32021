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

/** Every file under `src/`. */
export function sourceFiles(): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

/** The full path of a file under `src/`. */
export function absolute(path: string): string {
  return root + path
}

/** Calls `visit` for every node of a file, parents first. */
export function walk({ path, text }: SourceFile, visit: (node: ts.Node) => void): void {
  const descend = (node: ts.Node): void => {
    visit(node)
    ts.forEachChild(node, descend)
  }
  descend(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
}
