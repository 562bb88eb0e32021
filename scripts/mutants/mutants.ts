/** Drawing mutants of the files of a folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { type Edit, editsOf } from './operators.ts'

/** A source file with one change. */
export interface Mutant extends Edit {
  /** The folder it was drawn for, such as `src/sse`. */
  readonly folder: string
  /** The path of the file, such as `src/sse/parser.ts`. */
  readonly path: string
  /** The line of the change, from 1. */
  readonly line: number
  /** The text of that line, without the indentation. */
  readonly lineText: string
  /** The replaced text. */
  readonly before: string
  /** The whole file with the change. */
  readonly text: string
}

/** All mutants of a folder. Generated files have none: their generator has. */
export function mutantsOf(root: string, folder: string): Mutant[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.generated.ts'))
    .sort()
    .flatMap((path) => mutantsOfFile(root, folder, path))
}

function mutantsOfFile(root: string, folder: string, path: string): Mutant[] {
  const source = readFileSync(join(root, path), 'utf8')
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const lines = source.split('\n')
  return editsOf(file).map((edit) => {
    const line = file.getLineAndCharacterOfPosition(edit.start).line
    return {
      ...edit,
      folder,
      path,
      line: line + 1,
      lineText: (lines[line] ?? '').trim(),
      before: source.slice(edit.start, edit.end),
      text: source.slice(0, edit.start) + edit.replacement + source.slice(edit.end),
    }
  })
}

/** All items in an order that depends only on the seed (xorshift, Fisher–Yates). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed || 1
  const below = (bound: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
  for (let i = 0; i < 16; i++) below(2)
  const list = [...items]
  for (let i = list.length - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[list[i], list[j]] = [list[j] as T, list[i] as T]
  }
  return list
}
