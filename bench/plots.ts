/** Draws the plots of the benchmark page from bench/results.json. `--check` writes nothing. */

import { type Colors, writePictures } from '../scripts/pictures.ts'
import { type Result, readResults } from './runner/results.ts'
import type { Budget, Unit } from './support/row.ts'

/** Groups with a plot on the page, and the unit of the rows that are drawn. */
const plots: Readonly<Record<string, Unit>> = {
  peers: '×',
  imports: 'ms',
  thoughts: 'ns',
  fold: 'µs',
  mappers: 'µs',
  sizes: 'KiB',
}

const WIDTH = 880
const LABEL = 400
const BAR = 11
const ROW_GAP = 14
const TOP = 34
/** Room for the figure beside the longest bar. */
const FIGURE = 70

/** One label, a bar for each version of Node, and the budget as a line across them. */
interface PlotRow {
  readonly label: string
  readonly figures: readonly number[]
  readonly budget?: Budget
}

function rowsOf({ columns }: Result, unit: Unit): PlotRow[] {
  const first = columns[0]?.rows ?? []
  return first.flatMap(({ what, unit: own, budget }, at) => {
    if (own !== unit) return []
    const figures = columns.map(({ rows }) => rows[at]?.figure ?? 0)
    return [{ label: what.replaceAll('`', ''), figures, ...(budget && { budget }) }]
  })
}

function plot(result: Result, unit: Unit, { text, muted, line, accent, second }: Colors): string {
  const rows = rowsOf(result, unit)
  const series = result.columns.map(({ title }) => title)
  // A contender that is ten times slower than the next would flatten all others: its bar is cut, its figure stands.
  const longest = scaleOf(rows.flatMap(({ figures }) => figures))
  const scale = (WIDTH - LABEL - FIGURE) / longest
  const rowHeight = series.length * BAR + ROW_GAP
  const bodies = rows.map(({ label, figures, budget }, at) => {
    const y = TOP + at * rowHeight
    const bars = figures.map((figure, n) => {
      const width = Math.max(1, Math.min(figure, longest) * scale)
      const top = y + n * BAR
      return `<rect x="${LABEL}" y="${top}" width="${width.toFixed(1)}" height="${BAR - 1}" fill="${n === 0 ? second : accent}"/>
  <text x="${(LABEL + width + 5).toFixed(1)}" y="${top + 9}" class="figure">${amount(figure)}${unit === '×' ? '×' : ` ${unit}`}</text>`
    })
    const limit = budget && budget.limit <= longest ? LABEL + budget.limit * scale : undefined
    const mark =
      limit === undefined
        ? ''
        : `\n  <path d="M${limit.toFixed(1)} ${y - 3} V${y + figures.length * BAR + 2}"/>`
    return `<text x="${LABEL - 8}" y="${y + (figures.length * BAR) / 2 + 4}" class="label">${escaped(shortened(label))}</text>
  ${bars.join('\n  ')}${mark}`
  })
  const legend = series.map(
    (title, n) =>
      `<rect x="${LABEL + n * 90}" y="8" width="10" height="10" fill="${n === 0 ? second : accent}"/>
  <text x="${LABEL + 15 + n * 90}" y="17" class="figure">${escaped(title)}</text>`,
  )
  const title = escaped(result.title.replaceAll('`', ''))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${TOP + rows.length * rowHeight}" role="img" aria-labelledby="title">
  <title id="title">${title}, in ${unit === '×' ? 'multiples' : unit}. The figures stand in the table below.</title>
  <style>
    text { font-family: system-ui, sans-serif }
    .label { font-size: 12px; fill: ${text}; text-anchor: end }
    .figure { font-size: 10px; fill: ${muted}; font-variant-numeric: tabular-nums }
    path { stroke: ${line}; stroke-width: 1.5; stroke-dasharray: 3 2 }
  </style>
  ${[...legend, ...bodies].join('\n  ')}
</svg>
`
}

/** The longest bar: the largest figure, unless it is more than four times the one at nine tenths. */
function scaleOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const largest = sorted.at(-1) ?? 1
  const usual = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? largest
  return Math.min(largest, usual * 4) || 1
}

function amount(figure: number): string {
  return figure.toFixed(figure < 20 ? 2 : figure < 100 ? 1 : 0)
}

function shortened(label: string): string {
  // The end distinguishes rows, such as their sizes.
  return label.length <= 62 ? label : `${label.slice(0, 44)}… ${label.slice(-16).trimStart()}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

for (const [name, result] of Object.entries(readResults())) {
  const unit = plots[name]
  if (unit !== undefined) writePictures(`plots/${name}`, (colors) => plot(result, unit, colors))
}
