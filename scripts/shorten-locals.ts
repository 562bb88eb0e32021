/** Shortens the names within the functions of a chunk: a third of what is left of one are names. */
import { transform } from 'esbuild'
import ts from 'typescript'

/**
 * Shortens the names of parameters, of variables and of functions within functions. Those at the top level stay, so that a
 * stack trace says where it was; so do the names of fields and methods.
 *
 * esbuild keeps names at the top level of a script, which has neither imports nor exports: they are set aside.
 */
export async function shortenLocals(code: string): Promise<string> {
  const { statements } = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest)
  const textOf = (nodes: readonly ts.Statement[]): string =>
    nodes.map(({ pos, end }) => code.slice(pos, end)).join('')
  const isLink = (node: ts.Statement): boolean => ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
  const script = textOf(statements.filter((node) => !isLink(node)))
  // It would make a module of the script.
  if (/\bimport\s*\.\s*meta\b/.test(script)) throw new Error('A chunk with import.meta cannot be a script.')
  const { code: short } = await transform(script, {
    target: 'es2022',
    minifyIdentifiers: true,
    minifyWhitespace: true,
    lineLimit: 400,
  })
  return `${textOf(statements.filter(ts.isImportDeclaration))}${short}${textOf(statements.filter(ts.isExportDeclaration)).trimStart()}`
}
