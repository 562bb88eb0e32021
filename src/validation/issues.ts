/** Converts the errors of a validator to issues with JSON pointers and messages that stand alone. */
import type * as z from 'zod/mini'
import type { Issue } from '../core/decode-result.ts'
import { describeValue } from '../core/require.ts'
import { toPointer } from '../encoding/pointer.ts'
import { INSTANT, quote, typeOf, withArticle } from './messages.ts'

/** Enough for a developer; a hostile value could have millions. */
const MAX_ISSUES = 32

/** Validates a value and lists the problems, at most 32. Empty if the value is valid. */
export function explain(schema: z.ZodMiniType<unknown>, value: unknown): Issue[] {
  const result = schema.safeParse(value)
  return result.success ? [] : result.error.issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, value))
}

function toIssue(issue: z.core.$ZodIssue, value: unknown): Issue {
  const path = toPointer(issue.path)
  const actual = valueAt(value, issue.path)
  switch (issue.code) {
    case 'invalid_type': {
      const expected = issue.expected === 'int' ? 'an integer' : withArticle(issue.expected)
      return actual === undefined
        ? { code: 'missing', path, message: `Missing: expected ${expected}.` }
        : { code: 'invalid-type', path, message: `Expected ${expected}, got ${typeOf(actual)}.` }
    }
    case 'invalid_value': {
      const values = issue.values.map(quote).join(' or ')
      return actual === undefined
        ? { code: 'missing', path, message: `Missing: expected ${values}.` }
        : { code: 'invalid-value', path, message: `Expected ${values}, got ${describeValue(actual)}.` }
    }
    case 'too_small':
      return { code: 'out-of-range', path, message: outOfRange(issue.origin, 'least', issue.minimum, actual) }
    case 'too_big':
      return { code: 'out-of-range', path, message: outOfRange(issue.origin, 'most', issue.maximum, actual) }
    case 'invalid_format': {
      const expected =
        issue.format === 'datetime' ? INSTANT : `text that matches ${issue.pattern ?? issue.format}`
      return {
        code: 'invalid-format',
        path,
        message: `Expected ${expected}, got ${describeValue(actual)}.`,
      }
    }
    case 'invalid_union':
      return {
        code: 'invalid-value',
        path,
        message: `Expected one of the allowed forms, got ${typeOf(actual)}.`,
      }
    default:
      return { code: 'invalid-value', path, message: issue.message }
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return at
}

function outOfRange(origin: string, end: 'least' | 'most', bound: number | bigint, actual: unknown): string {
  if (origin === 'string') {
    const expected = bound === 1 && end === 'least' ? 'a non-empty string' : `at ${end} ${bound} characters`
    return `Expected ${expected}, got ${describeValue(actual)}.`
  }
  if (Array.isArray(actual)) return `Expected at ${end} ${bound} items, got ${actual.length}.`
  return `Expected at ${end} ${bound}, got ${describeValue(actual)}.`
}
