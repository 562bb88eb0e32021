/** valibot: a variant of the kinds. */
import * as v from 'valibot'
import { type Field, kinds, mapFields, time } from './kinds.ts'

const schemas: Readonly<Record<Field, unknown>> = {
  text: v.string(),
  id: v.pipe(v.string(), v.minLength(1)),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  fraction: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  flag: v.boolean(),
  time: v.pipe(v.string(), v.regex(time)),
  object: v.looseObject({}),
  any: v.unknown(),
}

const options = Object.entries(kinds).map(([kind, fields]) => {
  const shape = mapFields(fields, (field, isOptional) =>
    isOptional ? v.optional(schemas[field]) : schemas[field],
  )
  return v.looseObject({ kind: v.literal(kind), ...shape })
})
const schema = v.variant('kind', options)

export function parseWithValibot(value: unknown): object {
  return v.parse(schema, value)
}
