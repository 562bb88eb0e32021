/** Other spellings of the same value, as serializers of other languages write it. */
import type * as z from 'zod/mini'

/** A choice among `count` possibilities, from 0. */
export type Choose = (count: number) => number

/** Choices that repeat a list of random numbers. */
export function choices(numbers: readonly number[]): Choose {
  let at = 0
  return (count) => (numbers[at++ % numbers.length] ?? 0) % count
}

/**
 * - `instants`: other spellings of the instants of a value
 * - `nulls`: `null` on some of the optional fields that it lacks, in some items of a list and not in others
 */
export type Spelling = 'instants' | 'nulls'

/** The value in another spelling, at any depth. */
export function respell(
  schema: z.core.$ZodType,
  value: unknown,
  choose: Choose,
  spelling: Spelling,
): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return value === undefined || value === null ? value : respell(def.innerType, value, choose, spelling)
    case 'string':
      return spelling === 'instants' && 'format' in def && def.format === 'datetime'
        ? respellInstant(value as string, choose)
        : value
    case 'array':
      return (value as unknown[]).map((item) => respell(def.element, item, choose, spelling))
    case 'union': {
      const fitting = def.options.find((option) => (option as z.ZodMiniType).safeParse(value).success)
      return fitting === undefined ? value : respell(fitting, value, choose, spelling)
    }
    case 'object':
      return respellFields(def.shape, value as Readonly<Record<string, unknown>>, choose, spelling)
    default:
      return value
  }
}

function respellFields(
  shape: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
  choose: Choose,
  spelling: Spelling,
): unknown {
  const copy = { ...value }
  for (const [name, field] of Object.entries(shape)) {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined
    if (inner !== undefined) copy[name] = respell(field, inner, choose, spelling)
    else if (spelling === 'nulls' && isAbsentAsNull(field) && choose(2) === 0) copy[name] = null
  }
  return copy
}

/** Whether a field is optional, and `null` is not one of its values. */
function isAbsentAsNull(field: z.core.$ZodType): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod
  return def.type === 'optional' && !(def.innerType as z.ZodMiniType).safeParse(null).success
}

/** The same instant with another zone, or with more zeros at the end of its fraction. */
export function respellInstant(text: string, choose: Choose): string {
  const [, fraction = '', zone = ''] = /(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  if (zone === '') return text
  const digits = `${fraction}${'0'.repeat(choose(4))}`
  const minutes = [0, 120, -330, 1439, -1439][choose(5)] ?? 0
  const local = new Date(Date.parse(text.replace(/\.\d+/, '')) + minutes * 60_000)
  const year = Number.isNaN(local.getTime()) ? -1 : local.getUTCFullYear()
  // Neither RFC 3339 nor zod has years of more than four digits.
  if (year < 0 || year > 9999) return text
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
    `${n}`.padStart(2, '0'),
  )
  const offset = minutes === 0 && choose(2) === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${hours}:${rest}`
  return local.toISOString().slice(0, 19) + (digits === '' ? '' : `.${digits}`) + offset
}
