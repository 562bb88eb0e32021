/** The report for CI: JUnit XML. */
import type { CaseResult, SuiteResult } from './run-suite.ts'
import { countsOf } from './table.ts'

/** The results as JUnit XML. Unsupported cases are skipped. */
export function junitReport(suites: readonly SuiteResult[]): string {
  const body = suites.map((suite) => {
    const { failed, unsupported } = countsOf(suite)
    const { id, results } = suite
    const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
    const attributes = `name="${escaped(id)}" tests="${results.length}" failures="${failed}" skipped="${unsupported}"`
    return `<testsuite ${attributes} time="${time}">\n${results.map((each) => testCase(id, each)).join('')}</testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="agentwire conformance">\n${body.join('')}</testsuites>\n`
}

function testCase(suite: string, { name, outcome, reasons = [], durationMs }: CaseResult): string {
  const start = `<testcase classname="${escaped(suite)}" name="${escaped(name)}" time="${seconds(durationMs)}"`
  if (outcome === 'passed') return `${start}/>\n`
  if (outcome === 'unsupported') return `${start}><skipped/></testcase>\n`
  const [message = ''] = reasons
  return `${start}><failure message="${escaped(message)}">${escaped(reasons.join('\n'))}</failure></testcase>\n`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Text in XML 1.0, which cannot hold most control characters, nor halves of surrogate pairs. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what XML cannot hold.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
      .replace(/[<>&"\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`)
  )
}
