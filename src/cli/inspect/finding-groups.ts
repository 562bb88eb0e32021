/** Findings by rule or code. */

import type { Finding, Severity } from '../../inspect/check/finding.ts'
import type { Report } from '../../inspect/report/report.ts'
import { printable } from '../escape.ts'
import { counted } from '../recording/units.ts'
import { messageText, placeText } from '../recording/words.ts'
import type { Style } from '../style.ts'

const order: readonly Severity[] = ['error', 'warn', 'info']
/** More lines of one group are not listed. */
const MAX_LINES = 5

/** One line for each rule or code: how often, where, and the first message. Empty without findings. */
export function findingGroups({ diagnostics, totals }: Report, style: Style): string {
  if (diagnostics.length === 0) return ''
  const { error, warn, info } = totals.findings
  const counts = `${counted(error, 'error')}, ${counted(warn, 'warning')}, ${counted(info, 'note')}`
  return `\n${style.bold('Diagnostics')} ${counts}\n${groupLines(diagnostics, totals.rules, style)}`
}

/**
 * The lines alone.
 *
 * @param counts - How often each rule or code was found, also where it is not listed.
 */
export function groupLines(
  findings: readonly Finding[],
  counts: Readonly<Record<string, number>>,
  style: Style,
): string {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = `${finding.severity} ${nameOf(finding)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  const sorted = [...groups.values()].sort((a, b) => rank(a) - rank(b))
  return sorted.map((group) => groupLine(group, counts, style)).join('')
}

function rank([first]: readonly Finding[]): number {
  return first === undefined ? 0 : order.indexOf(first.severity)
}

function groupLine(
  group: readonly Finding[],
  counts: Readonly<Record<string, number>>,
  style: Style,
): string {
  const [first] = group
  if (first === undefined) return ''
  const name = nameOf(first)
  const count = Math.max(group.length, counts[name] ?? 0)
  const lines = [...new Set(group.map(placeText))]
  const more = lines.length > MAX_LINES ? ', …' : ''
  const places = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_LINES).join(', ')}${more}`
  const label = `${severityLabel(first.severity, style)} ${style.bold(printable(name))}`
  const times = count === 1 ? '' : ` ×${count}`
  return `  ${label}${times} ${style.dim(places)}\n        ${printable(messageText(first))}\n`
}

function nameOf({ rule, code }: Finding): string {
  return rule ?? code ?? ''
}

/** A severity in five columns. */
export function severityLabel(severity: Severity, style: Style): string {
  if (severity === 'error') return style.red('error')
  return severity === 'warn' ? style.yellow('warn ') : style.dim('info ')
}
