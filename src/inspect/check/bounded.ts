/** Findings of bounded size: a recording may hold values and names of any length. */

import { SHORT, shortened } from '../report/text.ts'
import type { Finding } from './finding.ts'

/** Longer messages, paths and values are not kept whole. */
const LONGEST = 1000

/** A finding with long texts cut off, and without long values of other types. */
export function bounded(finding: Finding): Finding {
  const { expected, actual, code, path, ...rest } = finding
  return {
    ...rest,
    message: cut(finding.message, LONGEST),
    ...(code !== undefined && { code: cut(code, SHORT) }),
    ...(path !== undefined && { path: cut(path, LONGEST) }),
    ...('expected' in finding && isKept(expected) && { expected: keptValue(expected) }),
    ...('actual' in finding && isKept(actual) && { actual: keptValue(actual) }),
  }
}

function cut(text: string, longest: number): string {
  return text.length > longest ? shortened(text, longest) : text
}

function keptValue(value: unknown): unknown {
  return typeof value === 'string' ? cut(value, SHORT) : value
}

function isKept(value: unknown): boolean {
  return typeof value === 'string' || (JSON.stringify(value) ?? '').length <= SHORT
}
