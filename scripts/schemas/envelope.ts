/** The envelope of a vocabulary: the fields that all events share, also those of later versions. */
import { type JsonSchema, resolve } from '../../src/cli/schema/json-schema.ts'
import type { Envelope } from '../../src/cli/schema/variants.ts'
import type { Dialect } from './dialect.ts'
import { plainSchema } from './normative.ts'

/** The envelope, with the descriptions of the first event. */
export function envelopeOf(dialect: Dialect, normative: JsonSchema): Envelope {
  const { properties = {}, required = [] } = plainSchema(dialect.envelope)
  const [first] = normative.oneOf ?? []
  const described = first === undefined ? undefined : resolve(normative, first).properties
  const fields = Object.entries(properties).map(([key, field]) => {
    const description =
      field.const === undefined && described?.[key]?.const === undefined
        ? described?.[key]?.description
        : 'The type of the event.'
    return [key, { ...(description && { description }), ...field }]
  })
  return { properties: Object.fromEntries(fields), required }
}
