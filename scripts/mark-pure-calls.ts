/** Marks calls that run while a module loads as pure, so that bundlers drop them with their unused results. */
import ts from 'typescript'

/**
 * Puts `/* @__PURE__ *\/` before every call and `new` outside of functions. Modules of this library have no
 * side effects when they load (`test/purity.test.ts`), so each such call only makes a value.
 */
export function markPureCalls(code: string): string {
  const file = ts.createSourceFile('module.js', code, ts.ScriptTarget.Latest, true)
  const starts = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isPropertyDeclaration(node)) return
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) starts.add(node.getStart(file))
    ts.forEachChild(node, visit)
  }
  for (const statement of file.statements) if (ts.isVariableStatement(statement)) visit(statement)
  let marked = code
  for (const at of [...starts].sort((a, b) => b - a)) {
    marked = `${marked.slice(0, at)}/* @__PURE__ */ ${marked.slice(at)}`
  }
  return marked
}
