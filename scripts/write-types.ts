/**
 * Writes the interfaces of zod schemas, with their TSDoc, from the source of the schemas.
 *
 * A constant with a TSDoc becomes a type of its name if it is an object, an enumeration or a union. Constants
 * without one, and those whose name ends in `Schema` or `Schemas`, are written out where they are used. An object extends what is
 * spread into it. A cast to `z.ZodMiniType<T>`, or an annotation with it or with `Schema<T>`, is `T`.
 */
import { posix } from 'node:path'
import ts from 'typescript'
import { constantsIn, declarationOf, importOf, parse } from './source-file.ts'

const WIDTH = 110
const ANY_OBJECT = 'Record<string, unknown>'

const leaves = /^z\.(string|base64|iso\.datetime|number|int|boolean|unknown|null)$/
const otherwise: Readonly<Record<string, string>> = {
  base64: 'string',
  'iso.datetime': 'string',
  int: 'number',
}
const objects = ['open', 'metadata', 'z.looseObject', 'z.strictObject']
const unions = ['z.union', 'z.discriminatedUnion', 'z.enum']
const optionals = ['maybe', 'maybeNull']

/** The source of the module at `path`: the types of the schemas in `files`. Paths are relative to the package. */
export function writeTypes(path: string, files: readonly string[]): string {
  const writer = new Writer(path, files)
  const types = files.flatMap((file) => constantsIn(parse(file)).flatMap((constant) => writer.type(constant)))
  return [...[...writer.imports].sort(), '', types.join('\n')].join('\n').replace(/ +\n/g, '\n')
}

class Writer {
  readonly #path: string
  readonly #files: readonly string[]
  readonly imports = new Set<string>()

  constructor(path: string, files: readonly string[]) {
    this.#path = path
    this.#files = files
  }

  #import(name: string, file: string): void {
    const path = posix.relative(posix.dirname(this.#path), file).replace(/^\w/, './$&')
    if (file !== this.#path) this.imports.add(`import type { ${name} } from '${path}'`)
  }

  /** The type that a constant becomes, if any. */
  type(constant: ts.VariableDeclaration): string[] {
    const name = this.#nameOf(constant)
    if (name === undefined) return []
    const fields = fieldsOf(schemaIn(constant))
    const { bases, members } = this.#members(fields?.properties ?? [], '  ')
    const head = bases.length === 0 ? name : `${name} extends ${bases.join(', ')}`
    const type = fields
      ? `interface ${head} {\n${members.join('')}}`
      : `type ${name} = ${this.#write(schemaIn(constant), '')}`
    return [`${commentOf(constant, '')}export ${type}\n`]
  }

  #nameOf(constant: ts.VariableDeclaration): string | undefined {
    const name = constant.name.getText()
    const isOwn = this.#files.includes(constant.getSourceFile().fileName) && !/Schemas?$/.test(name)
    const isType = fieldsOf(schemaIn(constant)) || unions.includes(calleeOf(schemaIn(constant)))
    if (!isOwn || !isType || commentOf(constant, '') === '') return undefined
    return name.charAt(0).toUpperCase() + name.slice(1)
  }

  /** What a constant without a name in the types stands for. */
  #inline(node: ts.Node): ts.Node {
    const schema = peel(node)
    const constant = ts.isIdentifier(schema) ? constantOf(schema) : undefined
    const isNamed = constant === undefined || this.#nameOf(constant) || argumentOf(constant.type)
    return isNamed ? schema : this.#inline(schemaIn(constant))
  }

  #write(written: ts.Node, indent: string): string {
    const node = this.#inline(written)
    if (ts.isAsExpression(node)) return this.#declared(node.type)
    if (ts.isIdentifier(node)) return this.#nameOf(constantOf(node)) ?? this.#declared(constantOf(node).type)
    const callee = calleeOf(node)
    const [first, second] = ts.isCallExpression(node) ? node.arguments : []
    if (callee === 'metadata') this.#import('Metadata', 'src/events/metadata.ts')
    const fields = fieldsOf(node)
    if (fields !== undefined) {
      const text = this.#object(fields, indent)
      return callee !== 'metadata' ? text : text === ANY_OBJECT ? 'Metadata' : `Metadata & ${text}`
    }
    const leaf = leaves.exec(callee)?.[1]
    if (leaf !== undefined) return otherwise[leaf] ?? leaf
    if (first === undefined) return fail(node)
    if (callee === 'z.literal') return first.getText()
    if (unions.includes(callee)) return this.#union(peel(second ?? first), indent)
    const text = this.#write(first, indent)
    if (callee === 'maybe') return text
    if (callee === 'maybeNull' || callee === 'z.nullable') return text === 'unknown' ? text : `${text} | null`
    return callee === 'z.array' ? `${/^[^{]* [|&] /.test(text) ? `(${text})` : text}[]` : fail(node)
  }

  /** `T` of a cast or an annotation. */
  #declared(type: ts.TypeNode | undefined): string {
    const text = argumentOf(type)?.getText() ?? ''
    for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) {
      const path = type && importOf(name, type.getSourceFile())
      if (path !== undefined) this.#import(name, path)
    }
    return text
  }

  #union(options: ts.Node, indent: string): string {
    const texts = (ts.isArrayLiteralExpression(options) ? options.elements : fail(options)).map((option) =>
      ts.isStringLiteral(option) ? option.getText() : this.#write(option, `${indent}  `),
    )
    const line = texts.join(' | ')
    const isLong = line.includes('\n') || line.length + indent.length > WIDTH - 30
    return isLong ? texts.map((text) => `\n${indent}  | ${text}`).join('') : line
  }

  #object({ properties }: ts.ObjectLiteralExpression, indent: string): string {
    const { bases, members } = this.#members(properties, `${indent}  `)
    if (bases.length + members.length === 0) return ANY_OBJECT
    const line = `{ ${members.map((member) => member.trim()).join('; ')} }`
    const isLong = line.includes('\n') || line.length + indent.length > WIDTH
    return [...bases, isLong ? `{\n${members.join('')}${indent}}` : line].join(' & ')
  }

  /** The fields of an object, and the types that it extends. */
  #members(properties: readonly ts.ObjectLiteralElementLike[], indent: string) {
    const bases: string[] = []
    const members: string[] = []
    for (const member of properties) {
      if (ts.isSpreadAssignment(member)) {
        const spread = this.#inline(member.expression)
        const inner = this.#members(fieldsOf(spread)?.properties ?? [], indent)
        bases.push(...(ts.isIdentifier(spread) ? [this.#write(spread, indent)] : inner.bases))
        members.push(...inner.members)
        continue
      }
      const value = ts.isPropertyAssignment(member) ? member.initializer : (member.name ?? member)
      const schema = this.#inline(value)
      const key = `${member.name?.getText()}${optionals.includes(calleeOf(schema)) ? '?' : ''}`
      members.push(`${commentOf(member, indent)}${indent}${key}: ${this.#write(schema, indent)}\n`)
    }
    return { bases, members }
  }
}

/** A schema without checks, `schemaOf<T>()` and casts that do not say its type. */
function peel(node: ts.Node): ts.Node {
  if (ts.isAsExpression(node)) return argumentOf(node.type) ? node : peel(node.expression)
  if (!ts.isCallExpression(node)) return node
  const callee = node.expression
  if (ts.isCallExpression(callee)) return peel(node.arguments[0] ?? fail(node))
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'check'
    ? peel(callee.expression)
    : node
}

const schemaIn = (constant: ts.VariableDeclaration): ts.Node => peel(constant.initializer ?? fail(constant))

/** The fields of an object schema, or of a constant that schemas spread. */
function fieldsOf(schema: ts.Node): ts.ObjectLiteralExpression | undefined {
  const [fields] =
    ts.isCallExpression(schema) && objects.includes(calleeOf(schema)) ? schema.arguments : [schema]
  return fields && ts.isObjectLiteralExpression(fields) ? fields : undefined
}

const calleeOf = (node: ts.Node): string => (ts.isCallExpression(node) ? node.expression.getText() : '')

/** `T` of `z.ZodMiniType<T>` or `Schema<T>`. */
function argumentOf(type: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined
  return ['z.ZodMiniType', 'Schema'].includes(type.typeName.getText()) ? type.typeArguments?.[0] : undefined
}

/** The TSDoc of a constant or a field. */
function commentOf(node: ts.Node, indent: string): string {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)?.getText()
  return comment === undefined ? '' : `${indent}${comment.replace(/\n\s*/g, `\n${indent} `)}\n`
}

function constantOf(name: ts.Node): ts.VariableDeclaration {
  return declarationOf(name) ?? fail(name)
}

function fail(node: ts.Node): never {
  throw new Error(`${node.getSourceFile().fileName}: no type can be written of ${node.getText()}.`)
}
