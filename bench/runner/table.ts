/** The rows of a group as a table, with a column for each version of Node. */
import { markdownTable } from '../../scripts/markdown.ts'
import { isMet, type Row } from '../support/row.ts'

/** The rows of a group, all of one version of Node, or of any. */
export interface Column {
  readonly title: string
  readonly rows: readonly Row[]
}

export function tableOf(columns: readonly Column[]): string {
  const head = ['what', 'budget', ...columns.map(({ title }) => title), 'met']
  const first = columns[0]?.rows ?? []
  return markdownTable(
    head,
    first.map((row, at) => {
      const cells = columns.map(({ title, rows }) => ({ title, row: rows[at] ?? row }))
      return [
        row.what,
        budgetOf(cells.map(({ row }) => row)),
        ...cells.map(({ row }) => cellOf(row)),
        metOf(cells),
      ]
    }),
  )
}

function cellOf({ figure, unit, detail }: Row): string {
  return amount(figure, unit) + (detail === undefined ? '' : ` (${detail})`)
}

function amount(figure: number, unit: Row['unit']): string {
  const digits = figure < 20 ? 2 : figure < 100 ? 1 : 0
  return unit === '×' ? `${figure.toFixed(digits)}×` : `${figure.toFixed(digits)} ${unit}`
}

/** The budget, or one for each column if they differ. */
function budgetOf(rows: readonly Row[]): string {
  const texts = rows.map(({ budget, unit }) => {
    if (budget === undefined) return ''
    return `${budget.bound} ${Number(budget.limit.toFixed(1)) === budget.limit ? budget.limit : budget.limit.toFixed(2)}${unit === '×' ? '×' : ` ${unit}`}`
  })
  return [...new Set(texts)].join(', ')
}

function metOf(cells: readonly { readonly title: string; readonly row: Row }[]): string {
  if (cells.every(({ row }) => row.budget === undefined)) return ''
  const missed = cells.filter(({ row }) => !isMet(row))
  if (missed.length === 0) return 'yes'
  return missed.length === cells.length ? '**no**' : `**no**, ${missed.map(({ title }) => title).join(', ')}`
}

/** Rows with a budget, and how many of them are met on every version. */
export function countMet(columns: readonly Column[]): { readonly met: number; readonly all: number } {
  const promised = (columns[0]?.rows ?? []).flatMap((row, at) => (row.budget === undefined ? [] : [at]))
  const met = promised.filter((at) => columns.every(({ rows }) => rows[at] !== undefined && isMet(rows[at])))
  return { met: met.length, all: promised.length }
}
