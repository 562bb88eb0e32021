/** Marks what runs while a module loads as pure, so that bundlers drop it with its unused results, and nobody loads it for its effects. */
import ts from 'typescript'

/**
 * Marks the initial values of variables at the top level as pure, unless a bundler knows that they have no effect: calls
 * themselves, others wrapped in a function that is called. Modules of this library have none when they load (`test/purity.test.ts`): each initial
 * value only makes a value. A chunk holds several modules, so that bundlers have to drop single variables.
 *
 * An import without names is for the effects of a module, so that none is left.
 */
export function markPure(code: string): string {
  const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true)
  let marked = code
  const replace = (node: ts.Node, change: (text: string) => string): void => {
    const [start, end] = [node.getStart(file), node.getEnd()]
    marked = marked.slice(0, start) + change(marked.slice(start, end)) + marked.slice(end)
  }
  for (const statement of file.statements.toReversed()) {
    if (ts.isImportDeclaration(statement) && statement.importClause === undefined)
      replace(statement, () => '')
    if (!ts.isVariableStatement(statement)) continue
    for (const { initializer } of statement.declarationList.declarations.toReversed()) {
      if (initializer === undefined || isPlain(initializer)) continue
      const isCall = isPlainCall(initializer)
      replace(initializer, (text) => `/* @__PURE__ */ ${isCall ? text : `(() => (${text}))()`}`)
    }
  }
  return marked
}

/** Whether a call is all that bundlers do not know to be without effect. */
function isPlainCall(value: ts.Expression): boolean {
  const isCall = ts.isNewExpression(value) || ts.isCallExpression(value)
  return isCall && ts.isIdentifier(value.expression) && (value.arguments ?? []).every(isPlain)
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
