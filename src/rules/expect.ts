/** Checks of single values: what most violations report. */

import { describeValue } from '../core/require.ts'
import type { ViolationReporter } from './violation.ts'

/** What the checks need of a reporter. */
type Reporter<Name extends string> = Pick<ViolationReporter<Name>, 'report' | 'hasInput'>

/** What is reported with a value: the position of another event, or a lower severity. */
interface Details {
  readonly relatedEventIndex?: number
  readonly severity?: 'warn'
  /** Of the value that is expected, in a list of several. */
  readonly expected?: unknown
}

/** Reports a value that is not what is expected, in words. */
export function reportUnexpected<Name extends string>(
  reporter: Reporter<Name>,
  rule: Name,
  path: string,
  expected: string,
  actual: unknown,
  details: Details = {},
): void {
  const message = `Expected ${expected}, got ${describeValue(actual)}.`
  reporter.report(rule, message, { path, ...stated(reporter, actual), ...details })
}

/**
 * Reports a field whose value is not the expected one.
 *
 * @param path - `undefined`: the value is not that of one field.
 * @param named - `name`: of the value, for the message; omitted: the last name of the path. `of`: what has the
 * expected value.
 */
export function expectEqual<Name extends string>(
  reporter: Reporter<Name>,
  rule: Name,
  path: string | undefined,
  expected: unknown,
  actual: unknown,
  named: Details & { readonly name?: string; readonly of?: string } = {},
): void {
  if (actual === expected) return
  const { name = nameOf(path ?? ''), of, ...details } = named
  const origin = of === undefined ? '' : ` of ${of}`
  const message = `Expected ${name} ${describeValue(expected)}${origin}, got ${describeValue(actual)}.`
  const place = path === undefined ? {} : { path }
  reporter.report(rule, message, { ...place, expected, ...stated(reporter, actual), ...details })
}

/** Reports a number in a field that is not within a bound. */
export function expectBound<Name extends string>(
  reporter: Reporter<Name>,
  rule: Name,
  path: string,
  operator: '>=' | '<=',
  bound: number,
  actual: number,
): void {
  if (operator === '>=' ? actual >= bound : actual <= bound) return
  const message = `Expected ${nameOf(path)} ${operator} ${bound}, got ${actual}.`
  reporter.report(rule, message, { path, expected: bound, ...stated(reporter, actual) })
}

/** A value that a check read. What is in the event itself counts more. */
function stated(
  reporter: Pick<ViolationReporter<string>, 'hasInput'>,
  actual: unknown,
): { actual?: unknown } {
  return reporter.hasInput || actual === undefined ? {} : { actual }
}

/** The name of the field that a pointer points to. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
