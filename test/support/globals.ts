/** What a source file uses of its surroundings: names that it neither declares nor imports. */
import ts from 'typescript'
import { type SourceFile, sourceFiles, syntaxTree } from './sources.ts'

/** One use of a global. */
export interface GlobalUse {
  /** The global, such as `Date`. Also `import()`, `import.meta`, and `node:` for a string that starts with it. */
  readonly name: string
  /** How it is used: `Date.now`, `new Date()`, `new Date(…)`, `Date(…)`, or else `Date`. */
  readonly form: string
}

/** Every use of a global in a file, in order. Types and comments do not count. */
export function globalUses(file: SourceFile): GlobalUse[] {
  const { source, checker } = bind(file)
  const uses: GlobalUse[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
    if (ts.isIdentifier(node) && isReference(node) && isGlobal(checker, node)) {
      uses.push({ name: node.text, form: formOf(node) })
    } else if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      uses.push({ name: 'import.meta', form: 'import.meta' })
    } else if (node.kind === ts.SyntaxKind.ImportKeyword && ts.isCallExpression(node.parent)) {
      uses.push({ name: 'import()', form: 'import()' })
    } else if (ts.isStringLiteralLike(node) && node.text.startsWith('node:')) {
      uses.push({ name: 'node:', form: 'node:' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return uses
}

/** The file with the scopes of its names, and without any library: what is left over is global. */
function bind(file: SourceFile): { source: ts.SourceFile; checker: ts.TypeChecker } {
  const isSource = sourceFiles().includes(file)
  if (isSource) sources ??= checkerOf(sourceFiles())
  const checker = (isSource && sources) || checkerOf([file])
  return { source: syntaxTree(file), checker }
}

/** The checker of the library, all of whose files are modules: what one declares is unknown to the others. */
let sources: ts.TypeChecker | undefined

function checkerOf(files: readonly SourceFile[]): ts.TypeChecker {
  const trees = new Map(files.map((file) => [file.path, syntaxTree(file)]))
  const options = { noLib: true, noResolve: true, allowImportingTsExtensions: true, noEmit: true }
  const program = ts.createProgram([...trees.keys()], options, {
    getSourceFile: (name) => trees.get(name),
    fileExists: (name) => trees.has(name),
    readFile: () => undefined,
    writeFile: () => {},
    getCurrentDirectory: () => '',
    getDefaultLibFileName: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  })
  return program.getTypeChecker()
}

/** Whether an identifier stands for a value of that name, and is not a declaration, a member or a label. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isBindingElement(parent)) return parent.initializer === node
  if (ts.isExportSpecifier(parent) || ts.isImportSpecifier(parent)) return false
  if (ts.isBreakOrContinueStatement(parent) || ts.isLabeledStatement(parent)) return false
  if (ts.isMetaProperty(parent)) return false
  return !('name' in parent && parent.name === node)
}

function isGlobal(checker: ts.TypeChecker, node: ts.Identifier): boolean {
  if (node.text === 'undefined' || node.text === 'arguments') return false
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  return symbol === undefined || (symbol.declarations ?? []).length === 0
}

function formOf(node: ts.Identifier): string {
  const { parent, text } = node
  if (!ts.isPropertyAccessExpression(parent) && !ts.isNewExpression(parent) && !ts.isCallExpression(parent))
    return text
  if (parent.expression !== node) return text
  if (ts.isPropertyAccessExpression(parent)) return `${text}.${parent.name.text}`
  if (ts.isCallExpression(parent)) return `${text}(…)`
  return (parent.arguments ?? []).length === 0 ? `new ${text}()` : `new ${text}(…)`
}
