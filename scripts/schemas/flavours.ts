/**
 * The files derived from the normative schema. Each has the same meaning, for tools that would
 * misinterpret the normative one.
 */
import type { Dialect } from './dialect.ts'
import { type JsonSchema, mapSchema, refName, refTo, resolve, withoutUnused } from './json-schema.ts'
import { idOf, type Normative, plainSchema } from './normative.ts'

/** For readers: known events are validated in full, unknown ones need a valid envelope. */
export function openSchema(dialect: Dialect, { schema, types }: Normative): JsonSchema {
  const { tag } = dialect
  const envelope = plainSchema(dialect.envelope)
  return {
    ...head(dialect, schema, 'open'),
    description: `${dialect.description} This schema is for readers: it accepts an event with an unknown ${tag} if the fields that all events share are valid.`,
    type: 'object',
    properties: describedFields(schema, envelope),
    required: envelope.required ?? [],
    additionalProperties: true,
    allOf: Object.entries(types).map(([value, name]) => ({
      if: { type: 'object', properties: { [tag]: { const: value } }, required: [tag] },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword.
      then: refTo(name),
    })),
    $defs: schema.$defs ?? {},
  }
}

/** The fields of the envelope, with the descriptions of the first event. */
function describedFields(root: JsonSchema, envelope: JsonSchema): Record<string, JsonSchema> {
  const [first] = root.oneOf ?? []
  const described = first === undefined ? undefined : resolve(root, first).properties
  return Object.fromEntries(
    Object.entries(envelope.properties ?? {}).map(([key, field]) => {
      const description =
        field.const === undefined && described?.[key]?.const === undefined
          ? described?.[key]?.description
          : 'The type of the event.'
      return [key, { ...(description && { description }), ...field }]
    }),
  )
}

/** For tools without draft 2020-12. Draft 7 ignores the siblings of a reference. */
export function draft07Schema(dialect: Dialect, { schema }: Normative): JsonSchema {
  const {
    $schema: _,
    $id: __,
    $defs,
    ...rest
  } = mapSchema(schema, (inner) => {
    if (inner.$ref === undefined) return inner
    const { $ref, ...beside } = inner
    const moved = { $ref: $ref.replace('#/$defs/', '#/definitions/') }
    return Object.keys(beside).length === 0 ? moved : { ...beside, allOf: [moved] }
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: idOf(dialect, 'draft-07'),
    ...rest,
    definitions: $defs ?? {},
  }
}

/**
 * For generators that support OpenAPI's `discriminator`: the normative schema with that keyword, which validators need not
 * accept. Instants have their pattern and no format: types made from a format do not keep the text, and have none that a
 * pattern could match.
 */
export function codegenSchema(dialect: Dialect, normative: Normative): JsonSchema {
  const schema = mapSchema(normative.schema, ({ format, ...inner }) =>
    format === undefined || inner.pattern !== undefined ? inner : { ...inner, format },
  )
  const $defs = Object.fromEntries(
    Object.entries(schema.$defs ?? {}).map(([name, def]) => {
      const nested = nestedUnion(schema, def)
      if (nested === undefined) return [name, def]
      return [name, { ...def, discriminator: { propertyName: nested.tag, mapping: refs(nested.types) } }]
    }),
  )
  return {
    ...head(dialect, schema, 'codegen'),
    description: dialect.description,
    oneOf: schema.oneOf ?? [],
    discriminator: { propertyName: dialect.tag, mapping: refs(normative.types) },
    $defs,
  }
}

/**
 * For generators that merge the members of a union into one class: an object with a field for each type,
 * and no unions. Nested unions become open objects, and their members get fields too.
 */
export function typesSchema(dialect: Dialect, normative: Normative): JsonSchema {
  const opened = openBags(normative)
  const unions = new Map(
    Object.entries(opened.$defs ?? {}).flatMap(([name, def]) => {
      const nested = nestedUnion(opened, def)
      return nested === undefined ? [] : [[name, nested] as const]
    }),
  )
  const bag = [
    ...Object.values(normative.types),
    ...[...unions.values()].flatMap((u) => Object.values(u.types)),
  ]
  const flat = mapSchema(
    {
      ...head(dialect, opened, 'types'),
      title: `${dialect.title}Types`,
      description: `One field for each type of ${dialect.title}: choose by ${dialect.tag}. For code generators only; no transmitted value matches it.`,
      type: 'object',
      properties: Object.fromEntries(bag.map((name) => [name, refTo(name)])),
      additionalProperties: true,
      $defs: opened.$defs ?? {},
    },
    (inner) => {
      const name = refName(inner)
      if (name === undefined || !unions.has(name)) return withoutUnion(inner)
      const { $ref: _, ...beside } = inner
      return { ...beside, type: 'object', additionalProperties: true }
    },
  )
  return withoutUnused(flat)
}

/** A nullable type becomes an optional one, which generated types support; any other choice becomes any value. */
function withoutUnion(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((each) => each !== 'null')
    const { type: _, ...rest } = schema
    return type === undefined || others.length > 0 ? rest : { ...rest, type }
  }
  const { anyOf, oneOf, ...rest } = schema
  const options = anyOf ?? oneOf
  if (options === undefined) return schema
  const [only, ...others] = options.filter(({ type }) => type !== 'null')
  return only === undefined || others.length > 0 ? rest : { ...only, ...rest }
}

/** A union inside an event: its discriminant, and the names of the members by its value. */
export interface NestedUnion {
  readonly tag: string
  readonly types: Readonly<Record<string, string>>
}

/** The nested unions of a vocabulary by name. */
export function nestedUnions({ schema }: Normative): Record<string, NestedUnion> {
  return Object.fromEntries(
    Object.entries(schema.$defs ?? {}).flatMap(([name, def]) => {
      const nested = nestedUnion(schema, def)
      return nested === undefined ? [] : [[name, nested]]
    }),
  )
}

function nestedUnion(root: JsonSchema, def: JsonSchema): NestedUnion | undefined {
  const members = (def.oneOf ?? []).flatMap((member) => {
    const name = refName(member)
    return name === undefined ? [] : [{ name, fields: resolve(root, member).properties ?? {} }]
  })
  const [first] = members
  if (first === undefined || members.length !== def.oneOf?.length) return undefined
  const tag = Object.keys(first.fields).find((key) =>
    members.every(({ fields }) => typeof fields[key]?.const === 'string'),
  )
  if (tag === undefined) return undefined
  return {
    tag,
    types: Object.fromEntries(members.map(({ name, fields }) => [String(fields[tag]?.const), name])),
  }
}

/**
 * Metadata objects as maps: generators keep unknown keys only if no key is declared. The description
 * lists the well-known keys.
 */
function openBags({ schema, bags }: Normative): JsonSchema {
  const $defs = Object.fromEntries(
    Object.entries(schema.$defs ?? {}).map(([name, def]) => {
      if (!bags.has(name)) return [name, def]
      const { properties = {}, required: _, ...rest } = def
      const keys = Object.entries(properties).map(([key, field]) =>
        `\n- \`${key}\`: ${field.description ?? ''}`.trimEnd(),
      )
      return [name, { ...rest, description: `${def.description ?? name}\n${keys.join('')}` }]
    }),
  )
  const inlined = mapSchema({ ...schema, $defs }, (inner) => {
    const name = refName(inner)
    if (name === undefined || !bags.has(name)) return inner
    const { title: _, ...def } = $defs[name] ?? {}
    return def
  })
  // With a description beside its reference, an enumeration would get a different name in every field.
  const bare = mapSchema(inlined, (inner) => {
    const name = refName(inner)
    if (name !== undefined && inlined.$defs?.[name]?.enum !== undefined) return refTo(name)
    // Generated clients parse the format, and then have no text that a pattern could match.
    const { pattern, ...rest } = inner
    return pattern !== undefined && rest.format !== undefined ? rest : inner
  })
  return withoutUnused(bare)
}

function refs(types: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(types).map(([tag, name]) => [tag, `#/$defs/${name}`]))
}

function head(dialect: Dialect, schema: JsonSchema, variant: string): JsonSchema {
  return {
    $schema: schema.$schema ?? '',
    $id: idOf(dialect, variant),
    title: dialect.title,
  }
}
