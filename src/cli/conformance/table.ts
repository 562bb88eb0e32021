/** The report for people: a row for each suite, then what failed. */
import { visible } from '../escape.ts'
import { isMissing, type SuiteResult } from './run-suite.ts'

const HEADINGS = ['suite', 'level', 'cases', 'passed', 'failed', 'unsupported']
/** More failures of one suite are only counted. */
const MOST_FAILURES = 10
/** More cases with the same failure are only counted. */
const MOST_NAMES = 5

/** How many cases of a suite there are of each outcome. */
export function countsOf({
  results,
}: Pick<SuiteResult, 'results'>): Record<'passed' | 'failed' | 'unsupported', number> {
  const counts = { passed: 0, failed: 0, unsupported: 0 }
  for (const { outcome } of results) counts[outcome]++
  return counts
}

/** The heading of the table. `width` is that of the longest id. */
export function headingRow(width: number): string {
  return row(HEADINGS, width)
}

/** The row of one suite. */
export function suiteRow(suite: SuiteResult, width: number): string {
  const { passed, failed, unsupported } = countsOf(suite)
  return row([suite.id, suite.level, suite.results.length, passed, failed, unsupported], width)
}

/** The row of all suites. */
export function totalRow(suites: readonly SuiteResult[], width: number): string {
  const all = suites.flatMap(({ results }) => results)
  const { passed, failed, unsupported } = countsOf({ results: all })
  return row(['total', '', all.length, passed, failed, unsupported], width)
}

function row([id = '', level = '', ...numbers]: readonly (string | number)[], width: number): string {
  const columns = numbers.map((number, i) => String(number).padStart((HEADINGS[i + 2] ?? '').length + 2))
  return `${String(id).padEnd(width)}  ${String(level).padEnd(6)}${columns.join('')}\n`
}

/**
 * What failed, with its reasons, and how many cases are missing. Cases that failed for the same reasons are listed
 * together. Empty if the command passed.
 *
 * @param isWhole - Whether all of them are listed, however many.
 */
export function failureList(suites: readonly SuiteResult[], isWhole: boolean): string {
  const limits = isWhole
    ? { failures: Infinity, names: Infinity }
    : { failures: MOST_FAILURES, names: MOST_NAMES }
  return suites.map((suite) => visible(failuresOf(suite, limits) + missingOf(suite))).join('')
}

function missingOf(suite: SuiteResult): string {
  const missing = suite.results.filter((result) => isMissing(suite, result)).length
  return missing === 0
    ? ''
    : `\n${suite.id}: ${missing} cases are unsupported, which every implementation needs\n`
}

function failuresOf(
  { id, results }: SuiteResult,
  limits: { readonly failures: number; readonly names: number },
): string {
  const namesByReasons = new Map<string, string[]>()
  for (const { name, outcome, reasons = [] } of results) {
    if (outcome !== 'failed') continue
    const text = reasons.map((reason) => `  ${reason}\n`).join('')
    namesByReasons.set(text, [...(namesByReasons.get(text) ?? []), name])
  }
  const groups = [...namesByReasons]
  const shown = groups
    .slice(0, limits.failures)
    .map(([reasons, names]) => `\n${id}: ${listed(names, limits.names)}\n${reasons}`)
  const more = groups.slice(limits.failures).reduce((sum, [, names]) => sum + names.length, 0)
  return shown.join('') + (more > 0 ? `\n${id}: ${more} more; list them with --all\n` : '')
}

function listed(names: readonly string[], most: number): string {
  const more = names.length - most
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
