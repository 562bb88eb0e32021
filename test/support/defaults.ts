/** Documented defaults (`@defaultValue`) and those the code has, to compare them. */
import { posix } from 'node:path'
import ts from 'typescript'
import { type SourceFile, sourceFiles } from './sources.ts'

/** One option with a `@defaultValue` tag. */
export interface DocumentedDefault {
  /** Where the tag is, such as `sse/state.ts`. */
  readonly path: string
  readonly option: string
  /** The text of the tag. */
  readonly text: string
  /** The value in the tag, as JSON; `undefined` if the tag is prose. */
  readonly documented: string | undefined
  /** The values in the code, as JSON: of the same file, or else of the same folder. */
  readonly actual: readonly string[]
}

/** Every `@defaultValue` tag under `src/`, with the defaults of options of that name in its folder. */
export function documentedDefaults(): DocumentedDefault[] {
  const files = sourceFiles().map((file) => ({ path: file.path, node: parse(file) }))
  const constants = new Map(files.flatMap(({ node }) => constantsIn(node)))
  const defaults = files.flatMap(({ path, node }) =>
    defaultsIn(node, constants).map((each) => ({ ...each, path })),
  )
  return files.flatMap(({ path, node }) =>
    tagsIn(node).map(({ option, text }) => {
      const named = defaults.filter((each) => each.option === option)
      const near = named.filter((each) => each.path === path)
      const folder = named.filter((each) => posix.dirname(each.path) === posix.dirname(path))
      const actual = (near.length > 0 ? near : folder).map(({ value }) => value)
      return { path, option, text, documented: documentedValue(text), actual: [...new Set(actual)] }
    }),
  )
}

function parse({ path, text }: SourceFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

function each(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => each(child, visit))
}

function tagsIn(file: ts.SourceFile): { option: string; text: string }[] {
  const tags: { option: string; text: string }[] = []
  each(file, (node) => {
    if (!ts.isPropertySignature(node) || !ts.isIdentifier(node.name)) return
    for (const tag of ts.getJSDocTags(node)) {
      if (tag.tagName.text !== 'defaultValue') continue
      const text = ts.getTextOfJSDocComment(tag.comment) ?? ''
      tags.push({ option: node.name.text, text: text.replace(/\s+/g, ' ').trim() })
    }
  })
  return tags
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsIn(file: ts.SourceFile): [string, ts.Expression][] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer ? [[name.text, initializer] as [string, ts.Expression]] : [],
    )
}

/** `{ option = value }`, `option ?? value`, and `option: value` in a constant of defaults. */
function defaultsIn(file: ts.SourceFile, constants: Constants): { option: string; value: string }[] {
  const found: { option: string; value: string }[] = []
  const add = (name: ts.Node | undefined, value: ts.Expression | undefined): void => {
    const json = value && constantValue(value, constants)
    if (json !== undefined && name !== undefined && ts.isIdentifier(name))
      found.push({ option: name.text, value: JSON.stringify(json) })
  }
  each(file, (node) => {
    if (ts.isBindingElement(node)) add(node.propertyName ?? node.name, node.initializer)
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      add(ts.isPropertyAccessExpression(node.left) ? node.left.name : node.left, node.right)
    if (
      ts.isVariableDeclaration(node) &&
      /default/i.test(node.name.getText()) &&
      node.initializer !== undefined &&
      ts.isObjectLiteralExpression(node.initializer)
    ) {
      for (const property of node.initializer.properties)
        if (ts.isPropertyAssignment(property)) add(property.name, property.initializer)
    }
  })
  return found
}

/** The value of a constant expression; `undefined` if it is none. */
function constantValue(node: ts.Expression, constants: Constants): unknown {
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isStringLiteral(node)) return node.text
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
    return constantValue(node.expression, constants)
  if (ts.isArrayLiteralExpression(node))
    return node.elements.map((element) => constantValue(element, constants))
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text)
    return constant && constantValue(constant, constants)
  }
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [constantValue(node.left, constants), constantValue(node.right, constants)]
    if (typeof left !== 'number' || typeof right !== 'number') return undefined
    if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right
    if (node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken) return left ** right
  }
  return undefined
}

/** The value a tag begins with, as JSON; `undefined` if it begins with prose. */
function documentedValue(text: string): string | undefined {
  const [, value = ''] = /^`?('[^']*'|true|false|\[[^\]]*\]|\d[\d _]*(?: Mi\b)?)`?(?![\w{])/.exec(text) ?? []
  if (value === '') return undefined
  const number = /^(\d[\d _]*?) ?(Mi)?$/.exec(value.trim())
  if (number !== null)
    return String(Number((number[1] ?? '').replace(/[ _]/g, '')) * (number[2] === undefined ? 1 : 2 ** 20))
  return JSON.stringify(JSON.parse(value.replaceAll("'", '"')))
}
