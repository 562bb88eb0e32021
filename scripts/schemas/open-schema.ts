/** The schema for readers. */
import { type JsonSchema, refTo, resolve } from '../../src/cli/schema/json-schema.ts'
import type { Dialect } from './dialect.ts'
import { idOf, type Normative, plainSchema } from './normative.ts'

/** For readers: known events are validated in full, unknown ones need a valid envelope. */
export function openSchema(dialect: Dialect, { schema, types }: Normative): JsonSchema {
  const { tag } = dialect
  const envelope = plainSchema(dialect.envelope)
  return {
    $schema: schema.$schema ?? '',
    $id: idOf(dialect, 'open'),
    title: dialect.title,
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
