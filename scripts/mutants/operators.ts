/** The small changes that make a mutant of a source file. */
import ts from 'typescript'

/** One change of one file. */
export interface Edit {
  /** What kind of change it is, such as `comparison`. */
  readonly operator: string
  /** Where the replaced text starts and ends. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Every change that an operator makes in a file, in order. Types, imports and exports stay as they are. */
export function editsOf(file: ts.SourceFile): Edit[] {
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (isUntouched(node)) return
    for (const [operator, change] of Object.entries(operators)) {
      for (const [target, replacement] of change(node)) {
        const [start, end] = 'kind' in target ? [target.getStart(file), target.end] : target
        if (file.text.slice(start, end) !== replacement) edits.push({ operator, start, end, replacement })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return edits.sort((a, b) => a.start - b.start || a.end - b.end)
}

function isUntouched(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  )
}

type Change = readonly [target: ts.Node | readonly [start: number, end: number], replacement: string]

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}

const arithmetic: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>>',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
}

const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  max: 'min',
  min: 'max',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  push: 'unshift',
}

/** Methods whose result may be replaced by what they are called on. */
const optionalMethods = ['filter', 'slice', 'trim', 'trimStart', 'trimEnd', 'sort', 'toLowerCase', 'reverse']

/** Each operator: the replacements that it makes of one node. */
const operators: Readonly<Record<string, (node: ts.Node) => readonly Change[]>> = {
  comparison: (node) =>
    ts.isBinaryExpression(node)
      ? (comparisons[node.operatorToken.getText()] ?? []).map((by) => [node.operatorToken, by])
      : [],
  arithmetic: (node) => {
    const by = ts.isBinaryExpression(node) ? arithmetic[node.operatorToken.getText()] : undefined
    return by === undefined ? [] : [[(node as ts.BinaryExpression).operatorToken, by]]
  },
  operand: (node) =>
    ts.isBinaryExpression(node) && ['&&', '||', '??'].includes(node.operatorToken.getText())
      ? [
          [node, `(${node.left.getText()})`],
          [node, `(${node.right.getText()})`],
        ]
      : [],
  branch: (node) =>
    ts.isConditionalExpression(node)
      ? [
          [node, `(${node.whenTrue.getText()})`],
          [node, `(${node.whenFalse.getText()})`],
        ]
      : [],
  condition: (node) => {
    if (ts.isIfStatement(node)) return booleans(node.expression)
    return ts.isWhileStatement(node) ? [[node.expression, '(false as boolean)']] : []
  },
  negation: (node) =>
    ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken
      ? [[node, `(${node.operand.getText()})`]]
      : [],
  increment: (node) => {
    if (!ts.isPostfixUnaryExpression(node) && !ts.isPrefixUnaryExpression(node)) return []
    const { operator } = node
    if (operator === ts.SyntaxKind.PlusPlusToken) return [[node, node.getText().replace('++', '--')]]
    if (operator === ts.SyntaxKind.MinusMinusToken) return [[node, node.getText().replace('--', '++')]]
    return []
  },
  boolean: (node) => {
    if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false']]
    return node.kind === ts.SyntaxKind.FalseKeyword ? [[node, 'true']] : []
  },
  number: (node) => (ts.isNumericLiteral(node) ? [[node, `${Number(node.text) + 1}`]] : []),
  text: (node) => {
    if (ts.isStringLiteralLike(node) && !isName(node)) return [[node, node.text === '' ? "'x'" : "''"]]
    return ts.isTemplateExpression(node) ? [[node, "''"]] : []
  },
  statement: (node) =>
    ts.isExpressionStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node)
      ? [[node, ';']]
      : [],
  element: (node) => (ts.isArrayLiteralExpression(node) ? without(node.elements) : []),
  property: (node) => (ts.isObjectLiteralExpression(node) ? without(node.properties) : []),
  arguments: (node) => {
    if (!ts.isCallExpression(node) || node.arguments.length < 2) return []
    // The order does not matter to the largest and the smallest.
    if (/^Math\.(?:max|min)$/.test(node.expression.getText())) return []
    const [first, second] = node.arguments.map((each) => each.getText())
    const rest = node.arguments.slice(2).map((each) => `, ${each.getText()}`)
    return [[node, `${node.expression.getText()}(${second}, ${first}${rest.join('')})`]]
  },
  method: (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
    const { name, expression } = node.expression
    const other = Object.hasOwn(methods, name.text) ? methods[name.text] : undefined
    if (other !== undefined) return [[name, other]]
    return optionalMethods.includes(name.text) ? [[node, `(${expression.getText()})`]] : []
  },
}

// The assertion keeps the compiler from reporting the other branch as unreachable.
function booleans(condition: ts.Expression): readonly Change[] {
  return [
    [condition, '(false as boolean)'],
    [condition, '(true as boolean)'],
  ]
}

/** Whether a string is the name of a property or a key, not a value. */
function isName(node: ts.Node): boolean {
  const { parent } = node
  return (
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isComputedPropertyName(parent) ||
    ts.isTaggedTemplateExpression(parent)
  )
}

/** A list without one of its members, and without the comma before or after it. */
function without(members: readonly ts.Node[]): readonly Change[] {
  return members.map((member, i) => {
    const [before, after] = [members[i - 1], members[i + 1]]
    const start = after === undefined && before !== undefined ? before.end : member.getStart()
    return [[start, after?.getStart() ?? member.end], '']
  })
}
