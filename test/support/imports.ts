/** What the files of a folder import. */
import { posix } from 'node:path'
import ts from 'typescript'
import type { SourceFile } from './sources.ts'

const found = new WeakMap<SourceFile, readonly string[]>()

/** What a file imports or re-exports. */
export function importsOf(file: SourceFile): readonly string[] {
  // A scan for imports is faster than a syntax tree.
  const imports =
    found.get(file) ?? ts.preProcessFile(file.text).importedFiles.map(({ fileName }) => fileName)
  found.set(file, imports)
  return imports
}

/** The files of ours that a file imports. */
export function targetsOf(file: SourceFile): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file.path), specifier))
}
