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

/** How many rows have a budget, and those of them that do not meet it on every version. */
export function budgetsOf(columns: readonly Column[]): {
  readonly count: number
  readonly missed: readonly string[]
} {
  const rows = (columns[0]?.rows ?? []).map((_, at) => columns.flatMap((column) => column.rows[at] ?? []))
  const promised = rows.filter(([first]) => first?.budget !== undefined)
  const missed = promised
    .filter((versions) => !versions.every(isMet))
    .map((versions) => {
      const figures = versions.map(({ figure, unit }) => amount(figure, unit)).join(', ')
      return `${versions[0]?.what}: ${figures} (${budgetOf(versions)})`
    })
  return { count: promised.length, missed }
}
