/** Writes shapes as a TypeScript module: equal parts once, under a name. */
import type * as z from 'zod/mini'
import type { Shape } from '../src/validation/shape.ts'
import { shapeOf } from './describe-schema.ts'

/** One exported constant: a shape, or shapes by tag. */
export interface ShapeExport {
  readonly name: string
  /** One line of TSDoc. */
  readonly documentation: string
  readonly schemas: z.core.$ZodType | Readonly<Record<string, z.core.$ZodType>>
}

/** The source of a module that exports shapes. `types` is where the type `Shape` is imported from. */
export function writeShapes(exports: readonly ShapeExport[], types: string): string {
  const trees = exports.map(({ name, documentation, schemas }) => ({
    name,
    documentation,
    tree: '_zod' in schemas ? shapeOf(schemas as z.core.$ZodType, name) : shapesOf(schemas, name),
  }))
  const parts = new Parts()
  for (const { tree } of trees) parts.count(tree)
  const bodies = trees.map(({ name, documentation, tree }) => {
    const isShape = typeof tree === 'string' || Array.isArray(tree)
    const type = isShape ? 'Shape' : 'Readonly<Record<string, Shape>>'
    const text = isShape ? parts.write(tree as Shape) : parts.writeFields(tree as Record<string, Shape>)
    return `/** ${documentation} */\nexport const ${name}: ${type} = ${text}`
  })
  return [
    '// Written by `npm run gen` from the zod schemas. Do not edit.',
    `import type { Shape } from '${types}'`,
    '',
    ...parts.declarations(),
    '',
    bodies.join('\n\n'),
    '',
  ].join('\n')
}

function shapesOf(schemas: Readonly<Record<string, z.core.$ZodType>>, name: string): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(schemas).map(([tag, schema]) => [tag, shapeOf(schema, `${name} ${tag}`)]),
  )
}

/** Parts that occur more than once get a name. */
class Parts {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #declarations: string[] = []

  count(tree: unknown): void {
    if (typeof tree !== 'object' || tree === null || tree instanceof RegExp) return
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
    if ((this.#uses.get(key) ?? 0) < 2) return text
    const name = `s${this.#names.size}`
    this.#names.set(key, name)
    this.#declarations.push(`const ${name}: Shape = ${text}`)
    return name
  }

  writeFields(fields: Readonly<Record<string, Shape>>): string {
    const entries = Object.entries(fields).map(([name, shape]) => {
      const key = /^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' ? name : `'${name}'`
      return `${key}: ${this.write(shape)}`
    })
    return `{ ${entries.join(', ')} }`
  }

  #literal(shape: Exclude<Shape, string>): string {
    switch (shape[0]) {
      case 'int':
      case 'number':
        return `['${shape[0]}', ${bound(shape[1])}, ${bound(shape[2])}]`
      case 'of':
        return `[${shape.map((value) => JSON.stringify(value)).join(', ')}]`
      case 'like':
        return `['like', ${shape[1]}]`
      case 'list':
      case 'maybe':
      case 'nullable':
        return `['${shape[0]}', ${this.write(shape[1])}]`
      case 'fields':
        return `['fields', ${this.writeFields(shape[1])}]`
      case 'or':
        return `['or', [${shape[1].map((option) => this.write(option)).join(', ')}]]`
      case 'by':
        return `['by', '${shape[1]}', ${this.writeFields(shape[2])}]`
    }
  }

  declarations(): readonly string[] {
    return this.#declarations
  }
}

function bound(value: number): string {
  if (Math.abs(value) === Number.MAX_SAFE_INTEGER) return value < 0 ? '-9007199254740991' : '9007199254740991'
  if (Math.abs(value) === Number.MAX_VALUE) return value < 0 ? '-Number.MAX_VALUE' : 'Number.MAX_VALUE'
  return String(value)
}

function keyOf(shape: unknown): string {
  return JSON.stringify(shape, (_key, value) => (value instanceof RegExp ? String(value) : value))
}
