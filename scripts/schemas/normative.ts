/** From zod schemas to the normative JSON Schema, with the names and descriptions of their types. */
import * as z from 'zod/mini'
import type { Dialect } from './dialect.ts'
import { type JsonSchema, mapSchema, refName, sameJson } from './json-schema.ts'
import type { TypeDoc } from './type-docs.ts'

export const BASE_URL = 'https://agentwire.dev/schemas'

/** The normative schema, and what deriving the others from it takes to know besides. */
export interface Normative {
  readonly schema: JsonSchema
  /** Tag → name of the definition. */
  readonly types: Readonly<Record<string, string>>
  /** Names of the definitions that are open bags with well-known keys. */
  readonly bags: ReadonlySet<string>
}

export function normativeSchema(dialect: Dialect, union: TypeDoc): Normative {
  const names = new Names()
  const types: Record<string, string> = {}
  for (const [tag, schema] of Object.entries(dialect.schemas)) {
    const type = union.variant(dialect.tag, tag)
    if (type?.name === undefined) throw new Error(`${dialect.title} has no named member for ${tag}.`)
    types[tag] = type.name
    names.give(schema, type)
  }
  const [first, ...rest] = Object.values(dialect.schemas)
  if (first === undefined) throw new Error(`${dialect.name} has no events.`)
  const converted = z.toJSONSchema(z.union([first, ...rest]), {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'throw',
    metadata: names.registry,
  }) as JsonSchema
  const root = names.merge(mapSchema(converted, normalise))
  const documented = new Documenter(dialect, names.types).document(root)
  return {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${BASE_URL}/${dialect.name}/${dialect.version}/events.schema.json`,
      title: dialect.title,
      description: dialect.description,
      oneOf: documented.anyOf ?? documented.oneOf ?? [],
      $defs: documented.$defs ?? {},
    },
    types,
    bags: new Set([...names.types].filter(([, type]) => type.isBag).map(([name]) => name)),
  }
}

/** What has no place in a published schema of its own, such as the envelope. */
export function plainSchema(schema: z.core.$ZodType): JsonSchema {
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' }) as JsonSchema
  const { $schema: _, ...rest } = mapSchema(converted, normalise)
  return rest
}

/** Gives zod schemas the names of the types they validate. */
class Names {
  /** A registry of its own: the exported schemas carry no ids that could clash with a user's. */
  readonly registry = z.registry<{ id: string }>()
  readonly types = new Map<string, TypeDoc>()
  /** Further schemas of a type that has one already, under the name they get for the moment. */
  readonly #twins = new Map<string, string>()

  give(schema: z.core.$ZodType, type: TypeDoc | undefined): void {
    if (type === undefined || this.registry.has(schema)) return
    const { def } = (schema as z.core.$ZodTypes)._zod
    switch (def.type) {
      case 'optional':
      case 'nullable':
        this.give(def.innerType, type)
        return
      case 'object':
        if (Object.keys(def.shape).length === 0) return
        this.#register(schema, type)
        for (const [key, field] of Object.entries(def.shape)) this.give(field, type.field(key)?.type)
        return
      case 'enum':
        this.#register(schema, type)
        return
      case 'array':
        this.give(def.element, type.item())
        return
      case 'record':
        this.give(def.valueType, type.value())
        return
      case 'union': {
        this.#register(schema, type)
        const tag = 'discriminator' in def ? def.discriminator : undefined
        if (typeof tag !== 'string') return
        for (const option of def.options) this.give(option, type.variant(tag, tagOf(option, tag)))
        return
      }
      default:
        return
    }
  }

  #register(schema: z.core.$ZodType, type: TypeDoc): void {
    const { name } = type
    if (name === undefined) return
    if (!this.types.has(name)) {
      this.types.set(name, type)
      this.registry.add(schema, { id: name })
      return
    }
    const twin = `${name}.${this.#twins.size}`
    this.#twins.set(twin, name)
    this.registry.add(schema, { id: twin })
  }

  /** Twins must say the same: one definition stands for all of them. */
  merge(root: JsonSchema): JsonSchema {
    const merged = mapSchema(root, (schema) => {
      const name = this.#twins.get(refName(schema) ?? '')
      return name === undefined ? schema : { ...schema, $ref: `#/$defs/${name}` }
    })
    for (const [twin, name] of this.#twins) {
      if (merged.$defs?.[twin] === undefined) continue
      if (!sameJson(merged.$defs[twin], merged.$defs[name])) {
        throw new Error(`Two validators of ${name} do not say the same.`)
      }
      delete merged.$defs[twin]
    }
    return merged
  }
}

function tagOf(schema: z.core.$ZodType, tag: string): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type !== 'object') return ''
  const field = def.shape[tag]?._zod.def as z.core.$ZodTypes['_zod']['def'] | undefined
  return field?.type === 'literal' ? String(field.values[0]) : ''
}

/** Says what zod says in the way other languages' tools understand best. */
function normalise(schema: JsonSchema): JsonSchema {
  const { pattern, properties, propertyNames, additionalProperties, ...rest } = schema
  const normal: JsonSchema = rest
  // A `pattern` beside a format makes generated clients that parse the format reject every value.
  if (pattern !== undefined && rest.format === undefined) normal.pattern = pattern
  if (properties !== undefined && Object.keys(properties).length > 0) normal.properties = properties
  if (propertyNames !== undefined && !sameJson(propertyNames, { type: 'string' })) {
    normal.propertyNames = propertyNames
  }
  // Generators drop unknown fields when this is absent, and some do not understand `{}`.
  if (additionalProperties !== undefined) {
    normal.additionalProperties = sameJson(additionalProperties, {}) ? true : additionalProperties
  }
  return normal
}

/** Adds titles and descriptions. */
class Documenter {
  readonly #dialect: Dialect
  readonly #types: ReadonlyMap<string, TypeDoc>
  readonly #unused: Set<string>

  constructor(dialect: Dialect, types: ReadonlyMap<string, TypeDoc>) {
    this.#dialect = dialect
    this.#types = types
    this.#unused = new Set(Object.keys(dialect.descriptions))
  }

  document(root: JsonSchema): JsonSchema {
    const $defs = Object.fromEntries(
      Object.entries(root.$defs ?? {}).map(([name, schema]) => [name, this.#definition(name, schema)]),
    )
    if (this.#unused.size > 0) {
      throw new Error(`Described where it is declared, or not there: ${[...this.#unused].join(', ')}.`)
    }
    return { ...root, $defs }
  }

  #definition(name: string, schema: JsonSchema): JsonSchema {
    const type = this.#types.get(name)
    if (type === undefined) throw new Error(`No type is known for the definition ${name}.`)
    const { description } = type
    return { title: name, ...(description && { description }), ...this.#fields(schema, type) }
  }

  #fields(schema: JsonSchema, type: TypeDoc): JsonSchema {
    if (schema.properties === undefined) return schema
    const properties = Object.entries(schema.properties).map(([key, field]) => {
      const doc = type.field(key)
      const inner = this.#inner(field, doc?.type)
      const description = this.#describe(type, key, inner)
      return [key, { ...(description && { description }), ...inner }]
    })
    return { ...schema, properties: Object.fromEntries(properties) }
  }

  /** What stands in a field without a name of its own. */
  #inner(field: JsonSchema, type: TypeDoc | undefined): JsonSchema {
    if (type === undefined) return field
    if (field.items !== undefined) {
      const item = type.item()
      return item === undefined ? field : { ...field, items: this.#inner(field.items, item) }
    }
    const open = field.type === 'string' && field.enum === undefined && field.const === undefined
    // A set of well-known strings that is open on the wire.
    if (open && type.literals.length > 0) return { ...field, examples: type.literals.toSorted() }
    return this.#fields(field, type)
  }

  #describe(type: TypeDoc, key: string, field: JsonSchema): string | undefined {
    const doc = type.field(key)
    if (doc?.description !== undefined) return doc.description
    if (field.const !== undefined) return `Always \`${String(field.const)}\`.`
    if (doc?.type.name !== undefined && doc.type.description !== undefined) return doc.type.description
    const own = `${type.name}.${key}`
    this.#unused.delete(own)
    return this.#dialect.descriptions[own]
  }
}
