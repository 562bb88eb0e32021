/** Marks what runs while a module loads as pure, so that bundlers drop it with its unused results. */
import ts from 'typescript'

/**
 * Wraps the initial values of variables at the top level in a function whose call is marked as pure, unless a bundler
 * knows that they have no effect. Modules of this library have none when they load (`test/purity.test.ts`): each initial
 * value only makes a value. A chunk holds several modules, so that bundlers have to drop single variables.
 */
export function markPure(code: string): string {
  const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true)
  const values = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer === undefined || isPlain(initializer) ? [] : initializer))
  let marked = code
  for (const value of values.reverse()) {
    const [start, end] = [value.getStart(file), value.getEnd()]
    marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`
  }
  return marked
}

/** Whether bundlers know that evaluating an expression has no effect. */
function isPlain(value: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(value)) return value.properties.every(isPlainProperty)
  if (ts.isArrayLiteralExpression(value)) return value.elements.every(isPlain)
  if (ts.isParenthesizedExpression(value)) return isPlain(value.expression)
  if (ts.isPrefixUnaryExpression(value)) return isPlain(value.operand)
  return (
    ts.isFunctionLike(value) || ts.isIdentifier(value) || ts.isLiteralExpression(value) || isKeyword(value)
  )
}

function isPlainProperty(property: ts.ObjectLiteralElementLike): boolean {
  if (property.name !== undefined && ts.isComputedPropertyName(property.name)) return false
  if (ts.isPropertyAssignment(property)) return isPlain(property.initializer)
  return ts.isShorthandPropertyAssignment(property) || ts.isMethodDeclaration(property)
}

function isKeyword({ kind }: ts.Node): boolean {
  return [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(kind)
}
