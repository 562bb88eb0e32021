/** Converts zod schemas to the normative JSON Schema, with the names and descriptions of their types. */
import * as z from 'zod/mini'
import { type JsonSchema, mapSchema, refName, sameJson } from '../../src/cli/schema/json-schema.ts'
import type { Dialect } from './dialect.ts'
import type { TypeDoc } from './type-docs.ts'

/** The normative schema, with the information needed to derive the others. */
export interface Normative {
  readonly schema: JsonSchema
  /** Tag → name of the definition. */
  readonly types: Readonly<Record<string, string>>
  /** Names of the definitions that are metadata objects with well-known keys. */
  readonly bags: ReadonlySet<string>
}

export function normativeSchema(dialect: Dialect, union: TypeDoc): Normative {
  const names = new Names()
  const types: Record<string, string> = {}
  for (const [tag, schema] of Object.entries(dialect.schemas)) {
    const type = union.variant(dialect.tag, tag)
    if (type?.name === undefined) throw new Error(`${dialect.title} has no named member for ${tag}.`)
    types[tag] = type.name
    names.give(schema, type, { name: type.name })
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
  const documented = new Documenter(dialect, names.known).document(root)
  return {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:turnstream:${dialect.name}:${dialect.version}`,
      title: dialect.title,
      description: dialect.description,
      oneOf: documented.anyOf ?? documented.oneOf ?? [],
      $defs: documented.$defs ?? {},
    },
    types,
    bags: new Set([...names.known].filter(([, { type }]) => type.isBag).map(([name]) => name)),
  }
}

/** Converts a schema that is not published by itself, such as the envelope. */
export function plainSchema(schema: z.core.$ZodType): JsonSchema {
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' }) as JsonSchema
  const { $schema: _, ...rest } = mapSchema(converted, normalise)
  return rest
}

/** The location of a schema: its name if its type has none, and its field. */
interface Place {
  readonly name: string
  readonly field?: { readonly owner: string; readonly type: TypeDoc; readonly key: string }
}

interface Named extends Place {
  readonly type: TypeDoc
}

/** Names zod schemas after the types they validate. */
class Names {
  /** A separate registry, so that the exported schemas have no ids that conflict with a user's. */
  readonly registry = z.registry<{ id: string }>()
  readonly known = new Map<string, Named>()
  /** Further schemas of a type that already has one, by temporary name. */
  readonly #twins = new Map<string, string>()

  give(schema: z.core.$ZodType, type: TypeDoc | undefined, place: Place): void {
    if (type === undefined || this.registry.has(schema)) return
    const { def } = (schema as z.core.$ZodTypes)._zod
    switch (def.type) {
      case 'optional':
      case 'nullable':
        this.give(def.innerType, type, place)
        return
      case 'object': {
        if (Object.keys(def.shape).length === 0) return
        const name = type.name ?? place.name
        this.#register(schema, { ...place, name, type })
        for (const [key, field] of Object.entries(def.shape)) {
          this.give(field, type.field(key)?.type, {
            name: name + pascalCase(key),
            field: { owner: name, type, key },
          })
        }
        return
      }
      case 'enum':
        if (type.name !== undefined) this.#register(schema, { ...place, name: type.name, type })
        return
      case 'array':
        this.give(def.element, type.item(), { ...place, name: `${place.name}Item` })
        return
      case 'record':
        this.give(def.valueType, type.value(), { ...place, name: `${place.name}Value` })
        return
      case 'union': {
        const [only, ...others] = def.options.filter((option) => !isNull(option))
        if (only !== undefined && others.length === 0) {
          this.give(only, type, place)
          return
        }
        if (type.name !== undefined) this.#register(schema, { ...place, name: type.name, type })
        const tag = 'discriminator' in def ? def.discriminator : undefined
        if (typeof tag !== 'string') return
        for (const option of def.options) {
          const value = tagOf(option, tag)
          this.give(option, type.variant(tag, value), { ...place, name: place.name + pascalCase(value) })
        }
        return
      }
      default:
        return
    }
  }

  #register(schema: z.core.$ZodType, named: Named): void {
    const { name } = named
    if (!this.known.has(name)) {
      this.known.set(name, named)
      this.registry.add(schema, { id: name })
      return
    }
    const twin = `${name}.${this.#twins.size}`
    this.#twins.set(twin, name)
    this.registry.add(schema, { id: twin })
  }

  /** Twins must be equal, because they share one definition. */
  merge(root: JsonSchema): JsonSchema {
    const merged = mapSchema(root, (schema) => {
      const name = this.#twins.get(refName(schema) ?? '')
      return name === undefined ? schema : { ...schema, $ref: `#/$defs/${name}` }
    })
    for (const [twin, name] of this.#twins) {
      if (merged.$defs?.[twin] === undefined) continue
      if (!sameJson(merged.$defs[twin], merged.$defs[name])) {
        throw new Error(`Expected equal schemas of ${name}, got different ones.`)
      }
      delete merged.$defs[twin]
    }
    return merged
  }
}

function isNull(schema: z.core.$ZodType): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === 'null'
}

function pascalCase(key: string): string {
  return key
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function tagOf(schema: z.core.$ZodType, tag: string): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type !== 'object') return ''
  const field = def.shape[tag]?._zod.def as z.core.$ZodTypes['_zod']['def'] | undefined
  return field?.type === 'literal' ? String(field.values[0]) : ''
}

/** Rewrites the output of zod for the tools of other languages. */
function normalise(schema: JsonSchema): JsonSchema {
  const { pattern, properties, propertyNames, additionalProperties, ...rest } = schema
  const normal: JsonSchema = rest
  // `\d` is more than ten digits in some languages.
  if (pattern !== undefined) normal.pattern = pattern.replaceAll('\\d', '[0-9]')
  if (properties !== undefined && Object.keys(properties).length > 0) normal.properties = properties
  if (propertyNames !== undefined && !sameJson(propertyNames, { type: 'string' })) {
    normal.propertyNames = propertyNames
  }
  // Generators drop unknown fields without this keyword, and some do not support `{}`.
  if (additionalProperties !== undefined) {
    normal.additionalProperties = sameJson(additionalProperties, {}) ? true : additionalProperties
  }
  return normal
}

/** Adds titles and descriptions. */
class Documenter {
  readonly #dialect: Dialect
  readonly #named: ReadonlyMap<string, Named>
  readonly #unused: Set<string>

  constructor(dialect: Dialect, named: ReadonlyMap<string, Named>) {
    this.#dialect = dialect
    this.#named = named
    this.#unused = new Set(Object.keys(dialect.descriptions))
  }

  document(root: JsonSchema): JsonSchema {
    const $defs = Object.fromEntries(
      Object.entries(root.$defs ?? {}).map(([name, schema]) => [name, this.#definition(name, schema)]),
    )
    if (this.#unused.size > 0) {
      throw new Error(
        `Unused descriptions, because the field has one or does not exist: ${[...this.#unused].join(', ')}.`,
      )
    }
    return { ...root, $defs }
  }

  #definition(name: string, schema: JsonSchema): JsonSchema {
    const named = this.#named.get(name)
    if (named === undefined) throw new Error(`No type is known for the definition ${name}.`)
    const { type, field } = named
    const description = type.description ?? (field && this.#describe(field.owner, field.type, field.key, {}))
    return { title: name, ...(description && { description }), ...this.#fields(schema, type, name) }
  }

  #fields(schema: JsonSchema, type: TypeDoc, name: string): JsonSchema {
    if (schema.properties === undefined) return schema
    const properties = Object.entries(schema.properties).map(([key, field]) => {
      const inner = inside(field, type.field(key)?.type)
      const description = this.#describe(name, type, key, inner)
      return [key, { ...(description && { description }), ...inner }]
    })
    return { ...schema, properties: Object.fromEntries(properties) }
  }

  #describe(owner: string, type: TypeDoc, key: string, field: JsonSchema): string | undefined {
    const doc = type.field(key)
    if (doc?.description !== undefined) return doc.description
    if (field.const !== undefined) return `Always \`${String(field.const)}\`.`
    if (doc?.type.name !== undefined && doc.type.description !== undefined) return doc.type.description
    for (const name of [`${owner}.${key}`, `*.${key}`]) {
      const description = this.#dialect.descriptions[name]
      this.#unused.delete(name)
      if (description !== undefined) return description
    }
    return undefined
  }
}

/** A field, with the well-known values of an open set of strings as examples. */
function inside(field: JsonSchema, type: TypeDoc | undefined): JsonSchema {
  if (type === undefined) return field
  if (field.items !== undefined) return { ...field, items: inside(field.items, type.item()) }
  const isOpen = field.type === 'string' && field.enum === undefined && field.const === undefined
  return isOpen && type.literals.length > 0 ? { ...field, examples: type.literals.toSorted() } : field
}
