/** Findings for people. */
import type { Finding } from '../../inspect/check/finding.ts'
import type { Detection } from '../../inspect/detect/detect.ts'
import { dialectTitles } from '../../inspect/dialects.ts'
import type { Report } from '../../inspect/report/report.ts'
import { valueText } from '../../inspect/report/text.ts'
import { printable } from '../escape.ts'
import { severityLabel } from '../inspect/finding-groups.ts'
import { counted } from '../recording/units.ts'
import { placeText } from '../recording/words.ts'
import type { Style } from '../style.ts'
import type { Findings } from './findings.ts'

/** One finding: where, how severe, which rule, and what was expected. */
export function findingLine(name: string, finding: Finding, style: Style): string {
  const { severity, rule, code = '', message, path } = finding
  const where = `${printable(name)}:${placeText(finding)}${positionText(finding)}`
  const field = path === undefined ? '' : ` ${path}`
  return `${where} ${severityLabel(severity, style).trimEnd()} ${style.bold(printable(rule ?? code))}${printable(field)}\n  ${printable(message)}\n${details(finding, style)}`
}

/** The number of the event, as the viewer numbers them; that of the value if it is read as none. Both from 1. */
function positionText({ eventIndex, valueIndex }: Finding): string {
  if (eventIndex !== undefined) return `, event ${eventIndex + 1}`
  return valueIndex === undefined ? '' : `, value ${valueIndex + 1}`
}

/** The values, if the message does not have them. */
function details({ message, expected, actual }: Finding, style: Style): string {
  const shown = [
    ['expected', expected],
    ['got', actual],
  ].flatMap(([label, value]) => {
    const text = valueText(value)
    return text === '' || message.includes(text) ? [] : [`${String(label)} ${printable(text)}`]
  })
  return shown.length === 0 ? '' : `  ${style.dim(shown.join(', '))}\n`
}

/** The last line. */
export function totalsLine(
  { name, counts }: Findings,
  report: Report,
  detection: Detection,
  style: Style,
): string {
  const { dialect, totals } = report
  const { error, warn, info } = counts
  const format = dialect === null ? 'unknown format' : dialectTitles[dialect]
  const doubt = detection.runnerUp === undefined ? '' : ` (or ${detection.runnerUp}?)`
  const sum = `${counted(error, 'error')}, ${counted(warn, 'warning')}, ${counted(info, 'note')}`
  const colored = error > 0 ? style.red(sum) : warn > 0 ? style.yellow(sum) : style.green(sum)
  return `${printable(name)}: ${format}${doubt}, ${counted(totals.values, 'value')}: ${colored}\n`
}
