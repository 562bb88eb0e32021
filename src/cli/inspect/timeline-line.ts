/** The timeline of `turnstream inspect`: one line for each entry. */

import type { Detection } from '../../inspect/detect/detect.ts'
import { dialectTitles } from '../../inspect/dialects.ts'
import type { HarEntry } from '../../inspect/recording/recorded.ts'
import type { TimelineEntry } from '../../inspect/report/timeline.ts'
import { printable } from '../escape.ts'
import type { Style } from '../style.ts'

/** What the recording is. */
export function heading(name: string, detection: Detection, isGiven: boolean, style: Style): string {
  const { dialect, runnerUp, isCertain } = detection
  if (dialect === undefined) return `${style.bold(printable(name))}: unknown format\n`
  const doubt = runnerUp === undefined ? 'probably' : `or ${runnerUp}?`
  const how = isGiven || isCertain ? '' : `, ${doubt}`
  return `${style.bold(printable(name))}: ${dialectTitles[dialect]} (${dialect}${how})\n\n`
}

/** The entry of a HAR file whose events follow. */
export function entryHeading(
  { number, line, request }: HarEntry,
  { dialect }: Detection,
  style: Style,
): string {
  const format = dialect === undefined ? 'unknown format' : `${dialectTitles[dialect]} (${dialect})`
  const name = request === '' ? '' : ` ${printable(request)}`
  return `${style.bold(`Entry ${number}`)} line ${line}${name}: ${format}\n`
}

/** The line of the file; in a HAR file the entry and the line of its body. */
function placeOf({ line, entry, bodyLine }: TimelineEntry): string {
  return entry === undefined ? String(line) : `${entry}:${bodyLine ?? 1}`
}

/** One line: where, when, what. Deeper tasks are indented; a task that is not that of the line before is named. */
export function timelineLine(entry: TimelineEntry, before: TimelineEntry | undefined, style: Style): string {
  const { taskId, atMs, kind, count, depth, text } = entry
  const time = atMs === undefined ? '' : `${`+${(atMs / 1000).toFixed(3)}`.padStart(9)} `
  const name = count === 1 ? kind : `${kind} ×${count}`
  const indent = '  '.repeat(Math.min(depth, 8))
  const place = style.dim(`${placeOf(entry).padStart(5)} ${time}`)
  const task = before === undefined || before.taskId === taskId ? '' : style.dim(` [${printable(taskId)}]`)
  return `${place} ${indent}${colored(kind, name.padEnd(22), style)} ${printable(text)}${task}`
    .trimEnd()
    .concat('\n')
}

function colored(kind: string, name: string, style: Style): string {
  if (kind.startsWith('tool-')) return style.cyan(name)
  if (kind.startsWith('task-error')) return style.red(name)
  if (kind.startsWith('task-') || kind.startsWith('subtask-')) return style.bold(name)
  return kind.startsWith('thought-') || kind.startsWith('internal:') ? style.dim(name) : name
}
