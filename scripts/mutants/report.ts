/** What the runner prints. */
import { oneLine } from './equivalents.ts'
import type { Mutant } from './mutants.ts'

/** What became of a mutant. `refused`: it does not compile. */
export type Status = 'killed' | 'timeout' | 'survived' | 'equivalent' | 'refused'

/** A mutant and what became of it. */
export interface Verdict {
  readonly mutant: Mutant
  readonly status: Status
}

/** One line about a mutant: where, which operator, before and after. */
export function describeMutant({ path, line, operator, before, replacement }: Mutant): string {
  return `${path}:${line} [${operator}] ${shorten(before)} → ${shorten(replacement) || 'nothing'}`
}

function shorten(text: string): string {
  const line = oneLine(text)
  return line.length <= 120 ? line : `${line.slice(0, 80)} … ${line.slice(-38)}`
}

/** The survivors by file, and a table with the kill rate of each folder. */
export function report(verdicts: readonly Verdict[]): string {
  const survivors = verdicts.filter(({ status }) => status === 'survived').map(({ mutant }) => mutant)
  survivors.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
  const folders = [...new Set(verdicts.map(({ mutant }) => mutant.folder))]
  return [
    survivors.length === 0 ? 'No mutant survived.' : 'Survived:',
    ...survivors.map((mutant) => `  ${describeMutant(mutant)}`),
    '',
    row('folder', ['killed', 'timeout', 'survived', 'equivalent', 'refused', 'rate']),
    ...folders.map((folder) =>
      rowOf(
        folder,
        verdicts.filter((each) => each.mutant.folder === folder),
      ),
    ),
    rowOf('all', verdicts),
  ].join('\n')
}

function rowOf(name: string, verdicts: readonly Verdict[]): string {
  const count = (status: Status): number => verdicts.filter((each) => each.status === status).length
  const dead = count('killed') + count('timeout')
  const all = dead + count('survived')
  const rate = all === 0 ? '-' : `${((100 * dead) / all).toFixed(1)} %`
  const statuses: readonly Status[] = ['killed', 'timeout', 'survived', 'equivalent', 'refused']
  return row(name, [...statuses.map((status) => `${count(status)}`), rate])
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(20) + cells.map((cell) => cell.padStart(11)).join('')
}
