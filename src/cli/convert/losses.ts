/** What a conversion loses, as a table. */
import { shortened } from '../../inspect/report/text.ts'
import { printable } from '../escape.ts'
import type { Style } from '../style.ts'

/** More codes are counted together: a hostile recording may cause any number of them. */
const MAX_CODES = 256
const OTHERS = 'other'
/** Longer codes are cut off: a recording may name its types as it likes. */
const LONGEST_CODE = 60

interface Entry {
  count: number
  readonly line: number
  readonly message: string
}

/** Counts diagnostics by code. */
export class Losses {
  readonly #entries = new Map<string, Entry>()
  /** Whether something of the recording is not in the result. Values that were inferred are no loss. */
  hasLoss = false

  add(full: string, message: string, line: number): void {
    const code = shortened(full, LONGEST_CODE)
    if (!code.startsWith('inferred:')) this.hasLoss = true
    const key = this.#entries.has(code) || this.#entries.size < MAX_CODES ? code : OTHERS
    const entry = this.#entries.get(key)
    if (entry === undefined) this.#entries.set(key, { count: 1, line, message: shortened(message) })
    else entry.count++
  }

  /** A row for each code: how often, the first line, the first message. Empty if there are none. */
  table({ bold, dim }: Style): string {
    if (this.#entries.size === 0) return ''
    const rows = [...this.#entries].sort(([, a], [, b]) => b.count - a.count)
    const width = Math.max(4, ...rows.map(([code]) => code.length))
    const row = (code: string, count: string, line: string, message: string): string =>
      `${code.padEnd(width)}  ${count.padStart(6)}  ${line.padStart(6)}  ${message}\n`
    const heading = bold(row('code', 'count', 'line', 'first message').trimEnd())
    const body = rows.map(([code, { count, line, message }]) =>
      row(printable(code), String(count), String(line), dim(printable(message))),
    )
    return `${heading}\n${body.join('')}`
  }
}
