/**
 * The variants of a normative schema: one for readers, and those of the same meaning for tools that would misinterpret it.
 * They follow from published files alone, so that the package need not have them.
 */
import { type JsonSchema, mapSchema, refName, refTo, resolve, withoutUnused } from './json-schema.ts'

/** What `meta.json` states of a version. */
export interface VersionMeta {
  /** The discriminant of events. */
  readonly tag: string
  /** Value of the discriminant → name of the definition. */
  readonly types: Readonly<Record<string, string>>
  /** Names of the definitions that are metadata objects with well-known keys. */
  readonly metadata: readonly string[]
  readonly envelope: Envelope
}

/** The fields that all events share, also those of later versions. */
export interface Envelope {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

/** The variants by name. */
export const variants: Readonly<
  Record<'open' | 'draft-07' | 'codegen' | 'types', (normative: JsonSchema, meta: VersionMeta) => JsonSchema>
> = {
  open: openSchema,
  'draft-07': draft07Schema,
  codegen: codegenSchema,
  types: typesSchema,
}

/** For readers: known events are validated in full, unknown ones need a valid envelope. */
function openSchema(schema: JsonSchema, { tag, types, envelope }: VersionMeta): JsonSchema {
  return {
    ...head(schema, 'open'),
    description: `${schema.description} This schema is for readers: it accepts an event with an unknown ${tag} if the fields that all events share are valid.`,
    type: 'object',
    properties: envelope.properties,
    required: [...envelope.required],
    additionalProperties: true,
    allOf: Object.entries(types).map(([value, name]) => ({
      if: { type: 'object', properties: { [tag]: { const: value } }, required: [tag] },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword.
      then: refTo(name),
    })),
    $defs: schema.$defs ?? {},
  }
}

/** For tools without draft 2020-12. Draft 7 ignores the siblings of a reference. */
function draft07Schema(schema: JsonSchema): JsonSchema {
  const {
    $schema: _,
    $id,
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
    $id: `${$id}:draft-07`,
    ...rest,
    definitions: $defs ?? {},
  }
}

/**
 * For generators that support OpenAPI's `discriminator`: the normative schema with that keyword, which validators need not
 * accept. Instants have their pattern and no format: types made from a format do not keep the text, and have none that a
 * pattern could match.
 */
function codegenSchema(normative: JsonSchema, { tag, types }: VersionMeta): JsonSchema {
  const schema = mapSchema(normative, ({ format, ...inner }) =>
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
    ...head(schema, 'codegen'),
    description: schema.description ?? '',
    oneOf: schema.oneOf ?? [],
    discriminator: { propertyName: tag, mapping: refs(types) },
    $defs,
  }
}

/**
 * For generators that merge the members of a union into one class: an object with a field for each type,
 * and no unions. Nested unions become open objects, and their members get fields too.
 */
function typesSchema(normative: JsonSchema, { tag, types, metadata }: VersionMeta): JsonSchema {
  const opened = openMetadata(normative, new Set(metadata))
  const unions = new Map(
    Object.entries(opened.$defs ?? {}).flatMap(([name, def]) => {
      const nested = nestedUnion(opened, def)
      return nested === undefined ? [] : [[name, nested] as const]
    }),
  )
  const names = [...Object.values(types), ...[...unions.values()].flatMap((u) => Object.values(u.types))]
  const flat = mapSchema(
    {
      ...head(opened, 'types'),
      title: `${opened.title}Types`,
      description: `One field for each type of ${opened.title}: choose by ${tag}. For code generators only; no transmitted value matches it.`,
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, refTo(name)])),
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
export function nestedUnions(schema: JsonSchema): Record<string, NestedUnion> {
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
function openMetadata(schema: JsonSchema, metadata: ReadonlySet<string>): JsonSchema {
  const $defs = Object.fromEntries(
    Object.entries(schema.$defs ?? {}).map(([name, def]) => {
      if (!metadata.has(name)) return [name, def]
      const { properties = {}, required: _, ...rest } = def
      const keys = Object.entries(properties).map(([key, field]) =>
        `\n- \`${key}\`: ${field.description ?? ''}`.trimEnd(),
      )
      return [name, { ...rest, description: `${def.description ?? name}\n${keys.join('')}` }]
    }),
  )
  const inlined = mapSchema({ ...schema, $defs }, (inner) => {
    const name = refName(inner)
    if (name === undefined || !metadata.has(name)) return inner
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

function head({ $schema = '', $id, title = '' }: JsonSchema, variant: string): JsonSchema {
  return { $schema, $id: `${$id}:${variant}`, title }
}
