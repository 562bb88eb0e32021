// Proves that imports point one way: every file of src belongs to a layer, and imports only from those below.

import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, walk } from './support/sources.ts'

/** What a layer may import besides itself: everything, or types only. */
interface Layer {
  readonly from: readonly string[]
  readonly types?: readonly string[]
}

/** The files at the top: they import nothing of ours but each other. */
const base = [
  'machine.ts',
  'schema.ts',
  'decoded.ts',
  'version.ts',
  'checks.ts',
  'check-of.ts',
  'explain.ts',
  'null-fields.ts',
  'json-depth.ts',
  'coverage.ts',
]

/** What may import what. Dialects never import one another, as each is a layer of its own. */
const layers: Readonly<Record<string, Layer>> = {
  ...Object.fromEntries(base.map((file) => [file, { from: base }])),
  'index.ts': { from: [...base, 'events', 'sse'] },
  events: { from: base },
  sse: { from: [...base, 'events'] },
  thoughts: { from: ['machine.ts'] },
  streams: { from: [...base, 'events'] },
  dialects: { from: [...base, 'events', 'thoughts'], types: ['streams'] },
}

/** The files that carry a stream over SSE may see the wire besides. */
const exceptions: Readonly<Record<string, Layer>> = {
  'streams/log-sse.ts': { from: ['sse'] },
  'streams/receiver-sse.ts': { from: ['sse'] },
}

/** The only package the library needs at run time, in its small form. */
const packages = ['zod/mini']

interface Import {
  readonly specifier: string
  readonly isType: boolean
}

function importsOf(file: SourceFile): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean): void => {
    if (specifier !== undefined && ts.isStringLiteralLike(specifier))
      found.push({ specifier: specifier.text, isType })
  }
  walk(file, (node) => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false)
  })
  return found
}

/** The unit a file belongs to: a folder, a dialect, or a file at the top. */
function unitOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'dialects' ? `${first}/${second}` : first
}

const layerOf = (unit: string): Layer | undefined => layers[unit.startsWith('dialects/') ? 'dialects' : unit]

/** What a file imports and must not. */
function forbidden(file: SourceFile): string[] {
  const own = unitOf(file.path)
  const allowed = [layerOf(own), exceptions[file.path]]
  return importsOf(file)
    .filter(({ specifier, isType }) => {
      if (!specifier.startsWith('.')) return !packages.includes(specifier)
      const unit = unitOf(posix.join(posix.dirname(file.path), specifier))
      return (
        unit !== own &&
        !allowed.some((layer) => layer?.from.includes(unit) || (isType && layer?.types?.includes(unit)))
      )
    })
    .map(({ specifier }) => specifier)
}

describe('the layers', () => {
  const files = sourceFiles()

  it('hold every file, and no layer is empty', () => {
    expect(files.filter(({ path }) => layerOf(unitOf(path)) === undefined).map(({ path }) => path)).toEqual(
      [],
    )
    const used = new Set(files.map(({ path }) => (path.startsWith('dialects/') ? 'dialects' : unitOf(path))))
    expect(Object.keys(layers).filter((layer) => !used.has(layer))).toEqual([])
  })

  it('name only exceptions that exist and are needed', () => {
    for (const [path, layer] of Object.entries(exceptions)) {
      const file = files.find((other) => other.path === path)
      const units =
        file === undefined
          ? []
          : importsOf(file).map(({ specifier }) => unitOf(posix.join(posix.dirname(path), specifier)))
      expect([path, layer.from.filter((unit) => !units.includes(unit))]).toEqual([path, []])
    }
  })

  it.each(files.map((file) => [file.path, file] as const))('%s imports only what lies below', (_, file) => {
    expect(forbidden(file)).toEqual([])
  })

  it('import with the extension, so that the files run as they are', () => {
    const bare = files.flatMap((file) =>
      importsOf(file).filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('.ts')),
    )
    expect(bare).toEqual([])
  })
})

describe('a forbidden import is caught', () => {
  it.each<[path: string, text: string, caught: string[]]>([
    ['events/task.ts', "import { a } from '../schema.ts'", []],
    ['events/task.ts', "import { a } from './fields.ts'", []],
    ['events/task.ts', "import { a } from '../sse/encode.ts'", ['../sse/encode.ts']],
    ['events/task.ts', "import type { A } from '../streams/log.ts'", ['../streams/log.ts']],
    ['thoughts/trim.ts', "import { a } from '../schema.ts'", ['../schema.ts']],
    ['thoughts/trim.ts', "export * from '../events/kinds.ts'", ['../events/kinds.ts']],
    ['machine.ts', "import './events/kinds.ts'", ['./events/kinds.ts']],
    ['streams/log.ts', "import { a } from '../sse/encode.ts'", ['../sse/encode.ts']],
    ['streams/log-sse.ts', "import { a } from '../sse/encode.ts'", []],
    ['dialects/a2a/x.ts', "import { a } from '../frames/y.ts'", ['../frames/y.ts']],
    ['dialects/a2a/x.ts', "import type { A } from '../frames/y.ts'", ['../frames/y.ts']],
    ['dialects/a2a/x.ts', "import type { A } from '../../streams/y.ts'", []],
    ['dialects/a2a/x.ts', "import { a } from '../../streams/y.ts'", ['../../streams/y.ts']],
    ['dialects/a2a/x.ts', "type A = import('../../sse/y.ts').A", ['../../sse/y.ts']],
    ['dialects/a2a/x.ts', "const a = await import('../../sse/y.ts')", ['../../sse/y.ts']],
    ['sse/utf8.ts', "import * as z from 'zod'", ['zod']],
    ['sse/utf8.ts', "import * as z from 'zod/mini'", []],
    ['sse/utf8.ts', "import fs from 'node:fs'", ['node:fs']],
    ['sse/utf8.ts', "// import fs from 'node:fs'", []],
  ])('%s: %s', (path, text, caught) => {
    expect(forbidden({ path, text })).toEqual(caught)
  })
})
