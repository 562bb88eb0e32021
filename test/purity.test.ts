// Proves that nothing under src reads a clock, draws a random number, opens a socket, starts a timer or knows its host.

import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, walk } from './support/sources.ts'

/** Global names that tie code to a moment, to chance or to a host. */
const globals = [
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'process',
  'require',
  'performance',
  'crypto',
  'eval',
]

/** The platform's clock and ids are the emitter's defaults; both can be handed in. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'emitter/emitter.ts': ['new Date()', 'crypto'],
}

/** What is impure in a file, once each, in order. Comments do not count. */
function impurities(file: SourceFile): string[] {
  const found = new Set<string>()
  walk(file, (node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const name = `${node.expression.getText()}.${node.name.text}`
      if (name === 'Date.now' || name === 'Math.random') found.add(name)
      if (
        ['globalThis', 'window', 'self'].includes(node.expression.getText()) &&
        globals.includes(node.name.text)
      ) {
        found.add(node.name.text)
      }
    } else if (ts.isNewExpression(node)) {
      const name = node.expression.getText()
      if (name === 'Date' && (node.arguments?.length ?? 0) === 0) found.add('new Date()')
      if (name === 'Function') found.add('new Function()')
    } else if (ts.isCallExpression(node)) {
      if (node.expression.getText() === 'Date') found.add('Date()')
    } else if (ts.isStringLiteralLike(node)) {
      if (node.text.startsWith('node:')) found.add('node:')
    } else if (ts.isIdentifier(node) && globals.includes(node.text) && isReference(node)) {
      found.add(node.text)
    }
  })
  return [...found]
}

/** Whether a name stands for a value, and is not the name of a member. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isBindingElement(parent)) return parent.propertyName !== node
  return !(
    (ts.isPropertyAssignment(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent)) &&
    parent.name === node
  )
}

describe('the library', () => {
  it.each(sourceFiles().map((file) => [file.path, file] as const))('%s is pure', (path, file) => {
    expect(impurities(file)).toEqual(allowed[path] ?? [])
  })
  it('has only exceptions that exist', () => {
    const paths = sourceFiles().map(({ path }) => path)
    expect(Object.keys(allowed).filter((path) => !paths.includes(path))).toEqual([])
  })
})

/** The statements of a file that do something when it is loaded, besides declaring names. */
function effects(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
  return source.statements
    .filter(
      (statement) =>
        !(
          ts.isImportDeclaration(statement) ||
          ts.isExportDeclaration(statement) ||
          ts.isVariableStatement(statement) ||
          ts.isFunctionDeclaration(statement) ||
          ts.isClassDeclaration(statement) ||
          ts.isInterfaceDeclaration(statement) ||
          ts.isTypeAliasDeclaration(statement)
        ),
    )
    .map((statement) => statement.getText(source))
}

// The build marks calls at the top level as pure, and bundlers drop unused modules: both rely on this.
describe('loading a module', () => {
  it.each(sourceFiles().map((file) => [file.path, file] as const))('of %s only declares names', (_, file) => {
    expect(effects(file)).toEqual([])
  })
  it.each<[text: string, count: number]>([
    ['const a = f()', 0],
    ["import './b.ts'\nexport * from './c.ts'", 0],
    ['register()', 1],
    ['for (const a of b) c[a] = 1', 1],
    ['if (a) b()', 1],
  ])('%s', (text, count) => {
    expect(effects({ path: 'sample.ts', text })).toHaveLength(count)
  })
})

describe('what is impure is found', () => {
  it.each<[text: string, found: string[]]>([
    ['const t = Date.now()', ['Date.now']],
    ['const clock = Date.now', ['Date.now']],
    ['const t = new Date()', ['new Date()']],
    ['const t = new Date', ['new Date()']],
    ['const t = new Date(0)', []],
    ['const t = Date()', ['Date()']],
    ['const n = Math.random()', ['Math.random']],
    ['const n = Math.floor(1.5)', []],
    ["await fetch('/')", ['fetch']],
    ["await globalThis.fetch('/')", ['fetch']],
    ['options.fetch(url)', []],
    ['setTimeout(run, 1)', ['setTimeout']],
    ['const { setInterval } = globalThis', ['setInterval']],
    ["import { readFileSync } from 'node:fs'", ['node:']],
    ["await import('node:fs')", ['node:']],
    ['const home = process.env.HOME', ['process']],
    ['const a = { process: 1 }; a.process', []],
    ["const fs = require('fs')", ['require']],
    ["eval('1')", ['eval']],
    ["new Function('return 1')", ['new Function()']],
    ['crypto.randomUUID()', ['crypto']],
    ['/** const t = Date.now() */ // fetch(x)\nconst a = 1', []],
    ["const text = 'Date.now() and process.exit()'", []],
  ])('%s', (text, found) => {
    expect(impurities({ path: 'sample.ts', text })).toEqual(found)
  })
})
