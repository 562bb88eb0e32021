/** Reading values by their shapes: issues, or the value without what is left out. */

import type { Issue } from '../core/decode-result.ts'
import { compile } from './compile.ts'
import { type Check, MAX_ISSUES, type ReadOptions, type Report } from './report.ts'
import type { Shape } from './shape.ts'

/**
 * What is wrong with a value, at most 32 issues; empty if nothing is. Visits no more of the value than it takes to
 * find that many, and never reads inherited fields.
 */
export function issuesOf(shape: Shape, value: unknown, options?: ReadOptions): Issue[] {
  return read(shape, value, options).issues
}

/** A value that fits a shape, or what is wrong with it. */
export interface ReadValue {
  /** Empty if the value fits. */
  readonly issues: Issue[]
  /** The value; a copy of what changes if fields are left out. */
  readonly value: unknown
}

/** Reads a value: {@link issuesOf}, and the value without the fields that are left out. */
export function read(shape: Shape, value: unknown, options?: ReadOptions): ReadValue {
  return readBy(checkOf(shape), value, options)
}

/** What {@link read} does, by the check of a shape. */
export function readBy(check: Check, value: unknown, options?: ReadOptions): ReadValue {
  if (!options?.hide && check(value)) return { issues: [], value }
  const report: Report = { issues: [], value, limit: MAX_ISSUES, path: [], ...options }
  if (!check(value, report)) report.value = value
  return report
}

/**
 * Requires a value that fits. `null` is for readers to forgive, not for producers to write.
 *
 * @throws TypeError such as `Invalid content-delta event. /index: Missing: expected an integer.`
 */
export function requireValid(name: string, check: Check, value: unknown): void {
  const { issues } = readBy(check, value, { refusesNulls: true })
  if (issues.length === 0) return
  throw new TypeError(
    `Invalid ${name}. ${issues.map(({ path, message }) => `${path}: ${message}`).join(' ')}`,
  )
}

const checks = new WeakMap<object, Check>()

/** The check of a shape, compiled once. */
export function checkOf(shape: Shape): Check {
  if (typeof shape === 'string') return compile(shape)
  // An object is described by its fields: the pair around them is often made anew.
  const key = shape[0] === 'fields' ? shape[1] : shape
  let check = checks.get(key)
  if (check === undefined) {
    check = compile(shape)
    checks.set(key, check)
  }
  return check
}
