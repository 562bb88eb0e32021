/** What checks report: issues, and the value without what is left out. */

import type { Issue, IssueCode } from '../core/decode-result.ts'
import { describeValue } from '../core/require.ts'
import { toPointer } from '../encoding/pointer.ts'
import type { Fields } from './predicates.ts'

/**
 * Whether a value fits a shape.
 *
 * Without a report, a value fits as it is: objects are plain and no optional field is `null`. With one, objects of classes
 * are looked at field by field, `null` may count as absent, and each fault is added.
 */
export type Check = (value: unknown, report?: Report) => boolean

/** Other values of some fields of an object. `undefined`: the field is left out. */
export type Changes = Record<string, unknown>

/** The names and indexes that lead to a value from the root. */
export type Path = readonly (string | number)[]

/** More issues do not help a reader, and a hostile value may have millions. */
export const MAX_ISSUES = 32

/** How a value is read. */
export interface ReadOptions {
  /** `null` on an optional field is a fault. Omitted: it counts as absent, as other languages write it. */
  readonly refusesNulls?: true
  /** Called with each object of which fields are declared, to add those that are left out to its changes. Omitted: all stay. */
  readonly hide?: (
    object: Fields,
    declared: Fields,
    path: Path,
    changes: Changes | undefined,
  ) => Changes | undefined
}

/** What a check has found. */
export interface Report extends ReadOptions {
  readonly issues: Issue[]
  /**
   * The value that was checked last, without what is left out: nulls that count as absent, and fields that are hidden.
   * `undefined` if it is left out itself; unspecified if there are issues. A copy only if something changes.
   */
  value: unknown
  /** How many issues are collected. With 0, a check stops at the first fault. */
  readonly limit: number
  /** Where the value is, from the root. */
  readonly path: (string | number)[]
  /** Whether a value is of another type, not only out of bounds. */
  hasMismatch?: boolean
  /** Whether fields that a shape does not allow are ignored. */
  readonly ignoresOthers?: boolean
}

/** The report of a value of another type, without its content, or of another value. */
export function mismatch(
  report: Report | undefined,
  expected: string,
  value: unknown,
  code: 'invalid-type' | 'invalid-value' = 'invalid-type',
): boolean {
  if (!report) return false
  report.hasMismatch = true
  const actual = typeof value === 'string' && code === 'invalid-type' ? 'a string' : describeValue(value)
  return value === undefined
    ? fault(report, 'missing', `Missing: expected ${expected}.`)
    : fault(report, code, `Expected ${expected}, got ${actual}.`)
}

/** Adds an issue. Returns `false`, as a check does of a value that does not fit. */
export function fault(report: Report | undefined, code: IssueCode, message: string): boolean {
  if (!isFull(report)) report?.issues.push({ code, path: toPointer(report.path), message })
  return false
}

export function isFull(report: Report | undefined): boolean {
  return !report || report.issues.length >= report.limit
}
