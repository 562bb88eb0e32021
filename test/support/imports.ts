/** What the files of a folder import, by their syntax trees. */
import { posix } from 'node:path'
import ts from 'typescript'
import { type SourceFile, walk } from './sources.ts'

const found = new WeakMap<SourceFile, readonly string[]>()

/** What a file imports or re-exports. */
export function importsOf(file: SourceFile): readonly string[] {
  const imports = found.get(file) ?? readImports(file)
  found.set(file, imports)
  return imports
}

function readImports(file: SourceFile): string[] {
  const found: string[] = []
  const add = (specifier: ts.Node | undefined): void => {
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text)
  }
  walk(file, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0])
  })
  return found
}

/** The files of ours that a file imports. */
export function targetsOf(file: SourceFile): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file.path), specifier))
}
