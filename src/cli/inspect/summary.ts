/** The end of `turnstream inspect`: tasks as a tree, sums, findings. */

import type { Report, TaskReport } from '../../inspect/report/report.ts'
import { printable } from '../escape.ts'
import { counted, duration, tokens } from '../recording/units.ts'
import type { Style } from '../style.ts'
import { findingGroups } from './finding-groups.ts'

/** More thoughts and calls of one task are only counted. */
const MAX_ITEMS = 20

/** What follows the timeline. */
export function summaryLines(report: Report, style: Style): string {
  const { tasks, totals } = report
  let text = ''
  if (tasks.length > 0) {
    text += `\n${style.bold('Tasks')}\n`
    for (const task of tasks.slice(0, MAX_ITEMS)) text += taskLines(task, '  ', '  ', style)
    if (totals.tasks > MAX_ITEMS && tasks.length > MAX_ITEMS) text += `  … ${totals.tasks - MAX_ITEMS} more\n`
  }
  text += `\n${style.bold('Totals')}\n  ${totalsOf(report)}\n`
  return text + findingGroups(report, style)
}

function totalsOf({ totals }: Report): string {
  const { values, toolCalls, thoughts, textLength, thoughtLength, durationMs, usage } = totals
  return [
    counted(values, 'value'),
    counted(totals.events, 'event'),
    counted(totals.tasks, 'task'),
    counted(toolCalls, 'tool call'),
    ...(thoughts > 0 ? [`${counted(thoughts, 'thought')} of ${counted(thoughtLength, 'character')}`] : []),
    `${counted(textLength, 'character')} of text`,
    ...(durationMs !== undefined ? [duration(durationMs)] : []),
    ...(usage !== undefined ? [tokens(usage)] : []),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function taskLines(task: TaskReport, first: string, rest: string, style: Style): string {
  const items = [
    ...task.thoughts.map(({ line, text }) => ({
      line,
      text: `thought ${style.dim(JSON.stringify(printable(text)))}\n`,
    })),
    ...task.tools.map((tool) => {
      const time = tool.durationMs === undefined ? '' : ` in ${duration(tool.durationMs)}`
      const name = `tool ${style.cyan(printable(tool.toolName))}`
      const status = colored(tool.status, style)
      return {
        line: tool.line,
        text: `${name} ${status}${time} ${printable(tool.arguments ?? '')}`.trimEnd().concat('\n'),
      }
    }),
  ].sort((a, b) => a.line - b.line)
  let text = `${first}${taskLine(task, style)}`
  const shown = items.slice(0, MAX_ITEMS)
  if (items.length > MAX_ITEMS) shown.push({ line: 0, text: `… ${items.length - MAX_ITEMS} more\n` })
  const children = task.children
  for (const [i, item] of shown.entries()) {
    const isLast = i === shown.length - 1 && children.length === 0
    text += `${rest}${isLast ? '└─' : '├─'} ${item.text}`
  }
  for (const [i, child] of children.entries()) {
    const isLast = i === children.length - 1
    text += taskLines(child, `${rest}${isLast ? '└─' : '├─'} `, `${rest}${isLast ? '   ' : '│  '}`, style)
  }
  return text
}

function taskLine(
  { taskId, name, status, durationMs, textLength, usage, error }: TaskReport,
  style: Style,
): string {
  const parts = [
    `${colored(status ?? 'no status', style)}${durationMs === undefined ? '' : ` in ${duration(durationMs)}`}`,
    ...(textLength > 0 ? [`${counted(textLength, 'character')} of text`] : []),
    tokens(usage),
    ...(error !== undefined ? [style.red(printable(error))] : []),
  ].filter((part) => part !== '')
  const shown = name === undefined ? taskId : `${taskId} (${name})`
  return `${style.bold(printable(shown))} ${parts.join(', ')}\n`
}

function colored(status: string, style: Style): string {
  if (status === 'completed') return style.green(status)
  return status === 'failed' || status === 'canceled' ? style.red(status) : style.yellow(status)
}
