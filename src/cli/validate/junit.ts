/** Findings as JUnit XML, for CI: a test case for each rule that is broken. */
import type { Finding } from '../../inspect/check/finding.ts'
import { xmlText } from '../escape.ts'
import { messageText, placeText } from '../recording/words.ts'
import { type Findings, omittedOf } from './findings.ts'

/** The report. Errors are failures; warnings and notes are output of a test case that passed. */
export function junitText(found: Findings): string {
  const { name, dialect, listed } = found
  const groups = new Map<string, Finding[]>()
  for (const finding of listed) {
    const id = finding.rule ?? finding.code ?? ''
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [finding])
    else group.push(finding)
  }
  const className = xmlText(dialect ?? 'unknown')
  const cases = [...groups].map(([id, group]) => testCase(className, id, group))
  if (cases.length === 0) cases.push(`<testcase classname="${className}" name="valid"/>\n`)
  const failures = [...groups.values()].filter(hasError).length
  const suite = `<testsuite name="${xmlText(name)}" tests="${cases.length}" failures="${failures}" errors="0">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="turnstream validate">\n${suite}\n${cases.join('')}${omittedText(omittedOf(found))}</testsuite>\n</testsuites>\n`
}

/** That findings are only counted, if there are any. */
function omittedText(count: number): string {
  return count === 0 ? '' : `<system-out>${count} more findings are not listed.</system-out>\n`
}

function hasError(group: readonly Finding[]): boolean {
  return group.some(({ severity }) => severity === 'error')
}

function testCase(className: string, id: string, group: readonly Finding[]): string {
  const lines = group
    .map((finding) => `line ${placeText(finding)}: ${finding.severity}: ${messageText(finding)}`)
    .join('\n')
  const start = `<testcase classname="${className}" name="${xmlText(id)}">`
  const [first] = group
  return hasError(group)
    ? `${start}<failure message="${xmlText(first === undefined ? '' : messageText(first))}">${xmlText(lines)}</failure></testcase>\n`
    : `${start}<system-out>${xmlText(lines)}</system-out></testcase>\n`
}
