/** zod: a union of the kinds. */
import { z } from 'zod'
import { type Field, kinds, mapFields, time } from './kinds.ts'

const schemas: Readonly<Record<Field, z.ZodType>> = {
  text: z.string(),
  id: z.string().min(1),
  count: z.int().min(0),
  fraction: z.number().min(0).max(1),
  flag: z.boolean(),
  time: z.string().regex(time),
  object: z.looseObject({}),
  any: z.unknown(),
}

const options = Object.entries(kinds).map(([kind, fields]) => {
  const shape = mapFields(fields, (field, isOptional) =>
    isOptional ? schemas[field].optional() : schemas[field],
  )
  return z.looseObject({ kind: z.literal(kind), ...shape })
})
const [first, ...others] = options as [(typeof options)[number], ...typeof options]
const schema = z.discriminatedUnion('kind', [first, ...others])

export function parseWithZod(value: unknown): object {
  return schema.parse(value)
}
