/** Writes shapes as a TypeScript module: equal parts once, under a name. */
import type * as z from 'zod/mini'
import * as formats from '../src/validation/formats.ts'
import type { Shape, ShapeFields, TextFormat } from '../src/validation/shape.ts'
import { shapeOf } from './describe-schema.ts'

/** One exported constant: the fields of a schema, or of several by tag. */
export interface ShapeExport {
  readonly name: string
  /** One line of TSDoc. */
  readonly documentation: string
  readonly schemas: z.core.$ZodType | Readonly<Record<string, z.core.$ZodType>>
  /** A field to leave out: whoever selects the shape has checked it. */
  readonly except?: string
}

/** The source of a module that exports shapes. `validation` is the folder of their types and formats. */
export function writeShapes(exports: readonly ShapeExport[], validation: string): string {
  const trees = exports.map(({ name, schemas, except }) =>
    '_zod' in schemas
      ? fieldsOf(schemas as z.core.$ZodType, name, except)
      : Object.fromEntries(
          Object.entries(schemas).map(([tag, schema]) => [tag, fieldsOf(schema, `${name} ${tag}`, except)]),
        ),
  )
  const parts = new Parts()
  for (const tree of trees) parts.count(tree)
  const bodies = exports.map(({ name, documentation, schemas }, i) => {
    const tree = trees[i] ?? {}
    const isOne = '_zod' in schemas
    const type = isOne ? 'ShapeFields' : 'Readonly<Record<string, ShapeFields>>'
    const text = isOne
      ? parts.writeFields(tree as ShapeFields)
      : parts.writeRecord(tree as Readonly<Record<string, ShapeFields>>)
    return `/** ${documentation} */\nexport const ${name}: ${type} = ${text}`
  })
  const used = Object.keys(formats).filter((name) => parts.formats.has(name))
  return [
    ...(used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${validation}/formats.ts'`]),
    `import type { Shape, ShapeFields } from '${validation}/shape.ts'`,
    ...(parts.checks.size === 0
      ? []
      : [`import { ${[...parts.checks].sort().join(', ')} } from '${validation}/union.ts'`]),
    '',
    ...parts.declarations(),
    '',
    bodies.join('\n\n'),
    '',
  ].join('\n')
}

/** The shapes of the fields of an object schema. */
function fieldsOf(schema: z.core.$ZodType, name: string, except: string | undefined): ShapeFields {
  const shape = shapeOf(schema, name)
  if (shape[0] !== 'fields' && shape[0] !== 'only') throw new Error(`${name}: expected an object.`)
  return Object.fromEntries(Object.entries(shape[1] as ShapeFields).filter(([field]) => field !== except))
}

/** Shorter parts are shorter without a name if they occur twice. */
const LONG = 60

/** Parts that occur more than once get a name. */
class Parts {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #declarations: string[] = []
  /** The names of the formats in use. */
  readonly formats = new Set<string>()
  /** The names of the checks of `union.ts` in use. */
  readonly checks = new Set<string>()

  count(tree: unknown): void {
    if (typeof tree !== 'object' || tree === null || isFormat(tree)) return
    if (Array.isArray(tree)) {
      const key = keyOf(tree)
      const uses = (this.#uses.get(key) ?? 0) + 1
      this.#uses.set(key, uses)
      if (uses > 1) return
    }
    for (const inner of Object.values(tree)) this.count(inner)
  }

  write(shape: Shape): string {
    if (typeof shape === 'string') return `'${shape}'`
    const key = keyOf(shape)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const text = this.#literal(shape)
    const uses = this.#uses.get(key) ?? 0
    if (uses < 2 || (uses === 2 && text.length < LONG)) return text
    const name = `s${this.#names.size}`
    this.#names.set(key, name)
    this.#declarations.push(`const ${name}: Shape = ${text}`)
    return name
  }

  writeFields(fields: ShapeFields): string {
    const entries = Object.entries(fields).map(([name, shape]) => `${keyText(name)}: ${this.write(shape)}`)
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
  }

  writeRecord(record: Readonly<Record<string, ShapeFields>>): string {
    const entries = Object.entries(record).map(
      ([tag, fields]) => `  ${keyText(tag)}: ${this.writeFields(fields)},\n`,
    )
    return `{\n${entries.join('')}}`
  }

  #literal(shape: Exclude<Shape, string>): string {
    switch (shape[0]) {
      case 'int':
      case 'number':
        return `[${[`'${shape[0]}'`, ...shape.slice(1).map((limit) => bound(limit as number))].join(', ')}]`
      case 'of':
        return `[${shape.map((value) => JSON.stringify(value)).join(', ')}]`
      case 'like':
        return `['like', ${this.#format(shape[1])}]`
      case 'list':
        return `['list', ${[this.write(shape[1]), ...shape.slice(2)].join(', ')}]`
      case 'maybe':
      case 'nullable':
        return `['${shape[0]}', ${this.write(shape[1])}]`
      case 'fields':
        return `['fields', ${this.writeFields(shape[1])}]`
      case 'only':
        this.checks.add('noOthers')
        return `['only', ${this.writeFields(shape[1])}, noOthers]`
      case 'or':
        this.checks.add('union')
        return `['or', [${shape[1].map((option) => this.write(option)).join(', ')}], union]`
      case 'by':
        return `['by', '${shape[1]}', ${this.writeFields(shape[2])}]`
    }
  }

  #format(format: TextFormat): string {
    const name = nameOf(format)
    if (name === undefined) return String(format)
    this.formats.add(name)
    return name
  }

  declarations(): readonly string[] {
    return this.#declarations
  }
}

function keyText(name: string): string {
  if (name === '__proto__') throw new Error('A field cannot be named __proto__.')
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
}

function bound(value: number): string {
  if (value === -Number.MAX_VALUE) return '-Number.MAX_VALUE'
  return String(value)
}

function keyOf(shape: unknown): string {
  return JSON.stringify(shape, (_key, value) => (isFormat(value) ? String(value) : value))
}

function isFormat(value: unknown): value is TextFormat {
  return value instanceof RegExp || nameOf(value) !== undefined
}

/** The name under which `formats.ts` exports a format. */
function nameOf(format: unknown): string | undefined {
  return Object.entries(formats).find(([, each]) => each === format)?.[0]
}
