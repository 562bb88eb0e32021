/**
 * Describes zod schemas as shapes (`src/validation/shape.ts`). Refuses what it cannot describe exactly, so that a
 * new construct fails the build instead of being checked differently.
 */
import type * as z from 'zod/mini'
import { DOTTED_NAME } from '../src/events/records/custom.ts'
import * as formats from '../src/validation/formats.ts'
import type { Shape } from '../src/validation/shape.ts'
import { noOthers, union } from '../src/validation/union.ts'

/** The shape of a schema. Throws for a construct that shapes do not have. */
export function shapeOf(schema: z.core.$ZodType, name = 'schema'): Shape {
  const { def, traits } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return textShape(def, name)
  if (def.type === 'number') return numberShape(def, name)
  if (def.type === 'array') return listShape(def, name)
  if ((def.checks ?? []).length > 0) throw new Error(`${name}: ${def.type} with checks has no shape.`)
  if (traits.has('$ZodExactOptional')) throw new Error(`${name}: an exact optional has no shape.`)
  switch (def.type) {
    case 'unknown':
      return 'any'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'literal':
      return ['of', ...def.values]
    case 'enum':
      return ['of', ...Object.values(def.entries)]
    case 'optional':
      return ['maybe', shapeOf(def.innerType, name)]
    case 'nullable':
      return ['nullable', shapeOf(def.innerType, name)]
    case 'union':
      if ('discriminator' in def) return taggedShape(def as z.core.$ZodDiscriminatedUnionDef, name)
      if (def.inclusive === false) throw new Error(`${name}: an exclusive union has no shape.`)
      return ['or', def.options.map((option, i) => shapeOf(option, `${name}|${i}`)), union]
    case 'object': {
      const rest = (def.catchall as z.core.$ZodTypes | undefined)?._zod.def.type
      if (rest !== 'unknown' && rest !== 'never') {
        throw new Error(`${name}: an object that drops unknown fields has no shape.`)
      }
      const fields = Object.entries(def.shape).map(([key, field]) => [key, shapeOf(field, `${name}.${key}`)])
      return rest === 'never'
        ? ['only', Object.fromEntries(fields), noOthers]
        : ['fields', Object.fromEntries(fields)]
    }
    default:
      throw new Error(`${name}: ${def.type} has no shape.`)
  }
}

function taggedShape({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef, name: string): Shape {
  const shapes = options.flatMap((option) => {
    const tag = (option as z.ZodMiniObject)._zod.def.shape[discriminator]
    const values = [...((tag as z.core.$ZodTypes)._zod.values ?? [])]
    if (values.length === 0) throw new Error(`${name}: an option without ${discriminator} has no shape.`)
    return values.map((value): [string, Shape] => [
      String(value),
      shapeOf(option, `${name}:${String(value)}`),
    ])
  })
  return ['by', discriminator, Object.fromEntries(shapes)]
}

function listShape(def: z.core.$ZodArrayDef, name: string): Shape {
  const item = shapeOf(def.element, `${name}[]`)
  const [check, ...more] = checksIn(def)
  if (check === undefined) return ['list', item]
  if (check.check !== 'min_length' || more.length > 0) throw new Error(`${name}: this list has no shape.`)
  return ['list', item, check.minimum]
}

function textShape(def: z.core.$ZodStringDef | z.core.$ZodStringFormatDef, name: string): Shape {
  const checks = checksIn(def)
  if ('format' in def) {
    const shape = checks.length > 0 ? undefined : formatShape(def)
    if (shape === undefined) throw new Error(`${name}: the format ${String(def.format)} has no shape.`)
    return shape
  }
  const [check, ...more] = checks
  if (check === undefined) return 'text'
  if (more.length === 0 && check.check === 'min_length' && check.minimum === 1) return 'id'
  if (more.length === 0 && check.check === 'string_format' && check.format === 'regex' && check.pattern) {
    return ['like', check.pattern === DOTTED_NAME ? formats.dottedName : check.pattern]
  }
  throw new Error(`${name}: these checks of a string have no shape.`)
}

function formatShape(def: z.core.$ZodStringFormatDef): Shape | undefined {
  if (def.format === 'base64') return ['like', formats.base64]
  const { offset, local, precision } = def as z.core.$ZodISODateTimeDef
  if (def.format !== 'datetime' || precision !== null) return undefined
  if (local) return offset ? ['like', formats.localInstant] : undefined
  return offset ? 'instant' : ['like', formats.utcInstant]
}

function numberShape(def: z.core.$ZodNumberDef | z.core.$ZodNumberFormatDef, name: string): Shape {
  const isInteger = 'format' in def
  if (isInteger && def.format !== 'safeint')
    throw new Error(`${name}: the format ${def.format} has no shape.`)
  const largest = isInteger ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  let [min, max] = [-largest, largest]
  for (const check of checksIn(def)) {
    if (check.check === 'number_format') continue
    if (check.check === 'greater_than' && check.inclusive) min = Math.max(min, Number(check.value))
    else if (check.check === 'less_than' && check.inclusive) max = Math.min(max, Number(check.value))
    else throw new Error(`${name}: the check ${check.check} has no shape.`)
  }
  const type = isInteger ? 'int' : 'number'
  if (max < largest) return [type, min, max]
  return min > -largest ? [type, min] : [type]
}

function checksIn({ checks = [] }: z.core.$ZodTypeDef): z.core.$ZodChecks['_zod']['def'][] {
  return checks.map((check) => (check as z.core.$ZodChecks)._zod.def)
}
