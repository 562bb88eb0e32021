/** Saying what is wrong with a value: a validator's findings as issues with JSON pointers. */
import type * as z from 'zod/mini'
import type { Issue } from '../core/decoded.ts'
import { toPointer } from '../encoding/pointer.ts'

/** More would not help a person, and a hostile value could have millions. */
const MAX_ISSUES = 32

/** What is wrong with `value` by `schema`, at most 32 issues; empty when nothing is. */
export function explain(schema: z.ZodMiniType<unknown>, value: unknown): Issue[] {
  const result = schema.safeParse(value)
  return result.success ? [] : result.error.issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, value))
}

function toIssue(issue: z.core.$ZodIssue, value: unknown): Issue {
  const path = toPointer(issue.path)
  const actual = valueAt(value, issue.path)
  switch (issue.code) {
    case 'invalid_type':
      return actual === undefined
        ? { code: 'missing', path, message: `Required: ${article(issue.expected)}.` }
        : {
            code: 'invalid-type',
            path,
            message: `Must be ${article(issue.expected)}, is ${describe(actual)}.`,
          }
    case 'invalid_value': {
      const values = issue.values.map(quote).join(' or ')
      return actual === undefined
        ? { code: 'missing', path, message: `Required: ${values}.` }
        : { code: 'invalid-value', path, message: `Must be ${values}.` }
    }
    case 'too_small':
      return { code: 'out-of-range', path, message: limit(issue.origin, 'least', issue.minimum) }
    case 'too_big':
      return { code: 'out-of-range', path, message: limit(issue.origin, 'most', issue.maximum) }
    case 'invalid_format':
      return {
        code: 'invalid-format',
        path,
        message:
          issue.format === 'datetime'
            ? 'Must be an RFC 3339 date-time with zone, such as 2026-01-31T10:30:00Z.'
            : `Must be of the form ${issue.pattern ?? issue.format}.`,
      }
    case 'invalid_union':
      return { code: 'invalid-value', path, message: 'None of the forms this value may have.' }
    default:
      return { code: 'invalid-value', path, message: issue.message }
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return at
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : 'not a finite number'
  return article(typeof value)
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}

function limit(origin: string, end: 'least' | 'most', bound: number | bigint): string {
  if (origin === 'string' && bound === 1) return 'Must not be empty.'
  const unit = origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : ''
  return `Must be at ${end} ${bound}${unit}.`
}
