/**
 * Checks made from schemas while the program runs, and not from text: no `eval`.
 *
 * They cost some nanoseconds more than checks written at build time, as the core vocabulary has them,
 * and a third of the size.
 */
import type * as z from 'zod/mini'
import { isFields, isId, isListOf, isText, isTimestamp } from './predicates.ts'

/** Whether a value is what a schema describes. */
export type Check = (value: unknown) => boolean

/**
 * A check that says of every value what the schema says of it. Knows what the schemas of the library
 * are made of, and no more.
 *
 * @throws TypeError for a schema it does not know, rather than to pass over what that asks for.
 */
export function checkOf(schema: z.core.$ZodType): Check {
  const check = knownCheck(schema as z.core.$ZodTypes)
  if (check !== undefined) return check
  throw new TypeError(`Teach checkOf this ${schema._zod.def.type}.`)
}

function knownCheck({ _zod: { def, traits, values } }: z.core.$ZodTypes): Check | undefined {
  if (def.type === 'string') return textCheck(def)
  if (def.type === 'number') return numberCheck(def)
  // An exact optional refuses `undefined`.
  if (def.checks || traits.has('$ZodExactOptional')) return
  switch (def.type) {
    case 'object':
      return objectCheck(def)
    case 'optional':
    case 'nullable': {
      const check = checkOf(def.innerType)
      const nothing = def.type === 'optional' ? undefined : null
      return (value) => value === nothing || check(value)
    }
    case 'array': {
      const check = checkOf(def.element)
      return (value) => isListOf(value, check)
    }
    case 'union': {
      // Of an exclusive one, no two may fit.
      if (def.inclusive === false) return
      const checks = def.options.map(checkOf)
      return (value) => checks.some((check) => check(value))
    }
    case 'literal':
    case 'enum':
      return (value) => (values as ReadonlySet<unknown>).has(value)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'null':
      return (value) => value === null
    case 'unknown':
      return () => true
  }
}

function objectCheck({ shape, catchall }: z.core.$ZodObjectDef): Check | undefined {
  if (catchall && catchall._zod.def.type !== 'unknown') return
  const fields = Object.entries(shape).map(([key, field]) => {
    const check = checkOf(field)
    // A field of any value must be there all the same.
    return { key, check, isAny: field._zod.optin === undefined && check(undefined) }
  })
  return (value) => {
    if (!isFields(value)) return false
    for (const { key, check, isAny } of fields) {
      if (!check(value[key]) || (isAny && !(key in value))) return false
    }
    return true
  }
}

function textCheck(def: z.core.$ZodStringDef | z.core.$ZodISODateTimeDef): Check | undefined {
  const checks = checksIn(def)
  if (!('format' in def)) {
    if (checks.length === 0) return isText
    return checks.every((check) => check.check === 'min_length' && check.minimum === 1) ? isId : undefined
  }
  const { format, pattern, offset, local, precision } = def
  if (format !== 'datetime' || checks.length > 0 || !pattern) return
  if (offset && !local && precision === null) return isTimestamp
  return (value) => isText(value) && pattern.test(value)
}

function numberCheck(def: z.core.$ZodNumberDef | z.core.$ZodNumberFormatDef): Check | undefined {
  const isWhole = 'format' in def
  if (isWhole && def.format !== 'safeint') return
  let most = isWhole ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  let least = -most
  for (const check of checksIn(def)) {
    if (!('inclusive' in check && check.inclusive)) return
    const bound = Number(check.value)
    if (check.check === 'less_than') most = Math.min(most, bound)
    else least = Math.max(least, bound)
  }
  return (value) =>
    typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value))
}

function checksIn({ checks = [] }: z.core.$ZodTypeDef): z.core.$ZodChecks['_zod']['def'][] {
  return checks.map((check) => (check as z.core.$ZodChecks)._zod.def)
}
