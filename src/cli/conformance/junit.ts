/** The report for CI: JUnit XML. */
import { xmlText } from '../escape.ts'
import { type CaseResult, isMissing, type SuiteResult } from './run-suite.ts'
import { countsOf } from './table.ts'

/** The results as JUnit XML. Unsupported cases are skipped, besides those that every implementation needs. */
export function junitReport(suites: readonly SuiteResult[]): string {
  const body = suites.map((suite) => {
    const { failed, unsupported } = countsOf(suite)
    const { id, results } = suite
    const missing = results.filter((each) => isMissing(suite, each)).length
    const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
    const attributes = `name="${xmlText(id)}" tests="${results.length}" failures="${failed + missing}" errors="0" skipped="${unsupported - missing}"`
    return `<testsuite ${attributes} time="${time}">\n${results.map((each) => testCase(suite, each)).join('')}</testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="turnstream conformance">\n${body.join('')}</testsuites>\n`
}

function testCase(suite: SuiteResult, result: CaseResult): string {
  const { name, outcome, reasons = ['The case is unsupported, and every implementation needs it.'] } = result
  const { durationMs } = result
  const start = `<testcase classname="${xmlText(suite.id)}" name="${xmlText(name)}" time="${seconds(durationMs)}"`
  if (outcome === 'passed') return `${start}/>\n`
  if (outcome === 'unsupported' && !isMissing(suite, result)) return `${start}><skipped/></testcase>\n`
  const [message = ''] = reasons
  return `${start}><failure message="${xmlText(message)}">${xmlText(reasons.join('\n'))}</failure></testcase>\n`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
