/**
 * The schema of an approval that may be edited: of an answer in events, `{ arguments }`, and of one in AG-UI,
 * `{ approved, editedArgs }`. Any other schema is the same in both.
 */

import { isEqualJson } from '../../../json/value.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'

/** The schema of an edit in events, as `approve` writes it. */
function editOf(args: Fields): Fields {
  const properties = { arguments: args }
  return { type: 'object', properties, required: ['arguments'], additionalProperties: false }
}

/** The `responseSchema` of an approval. */
export function toResponseSchema(schema: Fields): Fields {
  const args = fieldsOf(schema.properties).arguments
  if (!isFields(args) || !isEqualJson(schema, editOf(args))) return schema
  const properties = { approved: { type: 'boolean' }, editedArgs: args }
  return { type: 'object', properties, required: ['approved'] }
}

/** What a `responseSchema` may ask besides the arguments. */
const otherNames: ReadonlySet<string> = new Set(['approved', 'editedArgs', 'reason'])

/** The schema of an approval in events. */
export function fromResponseSchema(schema: Fields): Fields {
  const { properties } = schema
  if (!isFields(properties) || !isFields(properties.editedArgs)) return schema
  return Object.keys(properties).every((name) => otherNames.has(name))
    ? editOf(properties.editedArgs)
    : schema
}
