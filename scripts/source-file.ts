/** Source files: their constants, and what names stand for. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The constant of a name, here or where it is imported from. */
export function declarationOf(name: ts.Node): ts.VariableDeclaration | undefined {
  const path = importOf(name.getText(), name.getSourceFile())
  const constants = constantsIn(path === undefined ? name.getSourceFile() : parse(path))
  return constants.find((constant) => constant.name.getText() === name.getText())
}

/** The constants of a file, in order. */
export function constantsIn(file: ts.SourceFile): ts.VariableDeclaration[] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => [...each.declarationList.declarations])
}

/** The file that a name is imported from. */
export function importOf(name: string, file: ts.SourceFile): string | undefined {
  const imports = file.statements.filter(ts.isImportDeclaration)
  const found = imports.find(({ importClause }) =>
    new RegExp(`\\b${name}\\b`).test(importClause?.getText() ?? ''),
  )
  return found && posix.join(posix.dirname(file.fileName), found.moduleSpecifier.getText().slice(1, -1))
}

const parsed = new Map<string, ts.SourceFile>()

/** A source file. Its path is relative to the package. */
export function parse(path: string): ts.SourceFile {
  const text = (): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
  const file = parsed.get(path) ?? ts.createSourceFile(path, text(), ts.ScriptTarget.ES2022, true)
  parsed.set(path, file)
  return file
}
