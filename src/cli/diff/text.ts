/** Differences as text. */

import type { Difference, Entry } from '../../inspect/diff/compare.ts'
import type { FieldChange } from '../../inspect/diff/field-changes.ts'
import { describeEvent } from '../../inspect/report/describe.ts'
import { SHORT, shortened, valueText } from '../../inspect/report/text.ts'
import { printable } from '../escape.ts'
import { counted } from '../recording/units.ts'
import type { Style } from '../style.ts'

/** So much that both texts begin with is shown before what differs. */
const BEFORE = 20

/** An event that differs: its lines in both recordings, then what it is, or its fields. */
export function differenceLines({ a, b, changes }: Difference, style: Style): string {
  const [mark, color] =
    b === undefined ? ['-', style.red] : a === undefined ? ['+', style.green] : ['~', style.yellow]
  const { event } = (a ?? b) as Entry
  const places = style.dim(`${placeOf(a)} ${placeOf(b)}`)
  const about = changes.length === 0 ? printable(describeEvent(event)) : ''
  const heading = `${places} ${color(`${mark} ${event.kind}`)} ${about}`
  return `${heading.trimEnd()}\n${changes.map((change) => changeLines(change, style)).join('')}`
}

function placeOf(entry: Entry | undefined): string {
  return String(entry?.line ?? '').padStart(6)
}

function changeLines({ path, a, b }: FieldChange, style: Style): string {
  const from = typeof a === 'string' && typeof b === 'string' ? Math.max(0, common(a, b) - BEFORE) : 0
  const line = (mark: string, value: unknown): string => {
    if (value === undefined) return ''
    const text =
      typeof value === 'string' && from > 0 ? `…${shortened(value.slice(from), SHORT)}` : valueText(value)
    return `${' '.repeat(16)}${mark} ${printable(path)}: ${printable(text)}\n`
  }
  return style.red(line('-', a)) + style.green(line('+', b))
}

/** How much two texts have in common at their beginnings. */
function common(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** How many events there are of each difference. */
export function summaryLine(differences: readonly Difference[], count: number): string {
  const only = (side: 'a' | 'b'): number =>
    differences.filter((each) => each[side] !== undefined && each.changes.length === 0).length
  const [onlyA, onlyB] = [only('a'), only('b')]
  const changed = differences.length - onlyA - onlyB
  return `${counted(count - onlyA - changed, 'equal event')}, ${changed} changed, ${onlyA} only in the first, ${onlyB} only in the second\n`
}
