/**
 * Checks made from schemas when the module is loaded, and not from text: no `eval`.
 *
 * They cost some nanoseconds more than checks written at build time, as the core vocabulary has them,
 * and a third of the size.
 */
import type * as z from 'zod/mini'
import { isFields, isId, isText } from '../../checks.ts'

/** Whether a value is what a schema describes. */
export type Check = (value: unknown) => boolean

/** A check that says what the schema says. Knows what the schemas of frames are made of, and no more. */
export function checkOf(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, field]) => ({ key, check: checkOf(field) }))
      return (value) => {
        if (!isFields(value)) return false
        for (const { key, check } of fields) if (!check(value[key])) return false
        return true
      }
    }
    case 'optional':
    case 'nullable': {
      const check = checkOf(def.innerType)
      const nothing = def.type === 'optional' ? undefined : null
      return (value) => value === nothing || check(value)
    }
    case 'array': {
      const check = checkOf(def.element)
      return (value) => {
        if (!Array.isArray(value)) return false
        // By position, because `every` passes over holes.
        for (let i = 0; i < value.length; i++) if (!check(value[i])) return false
        return true
      }
    }
    case 'literal':
    case 'enum': {
      const values = new Set<unknown>(def.type === 'enum' ? Object.values(def.entries) : def.values)
      return (value) => values.has(value)
    }
    case 'number': {
      let least = -Number.MAX_SAFE_INTEGER
      let most = Number.MAX_SAFE_INTEGER
      for (const { _zod } of (def.checks ?? []) as z.core.$ZodChecks[]) {
        if (_zod.def.check === 'greater_than') least = Number(_zod.def.value)
        if (_zod.def.check === 'less_than') most = Number(_zod.def.value)
      }
      return (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most
    }
    case 'string':
      return def.checks === undefined ? isText : isId
    case 'boolean':
      return (value) => typeof value === 'boolean'
    default:
      return () => true
  }
}
