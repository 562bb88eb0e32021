/** `bench/results.json`: the last figures of each group, from which the plots of the site are drawn. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Column } from './table.ts'

/** What one run measured of a group. */
export interface Result {
  readonly title: string
  /** When, where and how it was measured. */
  readonly measured: string
  readonly columns: readonly Column[]
}

const path = fileURLToPath(new URL('../results.json', import.meta.url))

/** The results of all groups that were measured, by name. */
export function readResults(): Readonly<Record<string, Result>> {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** Replaces the result of one group. */
export function writeResult(name: string, result: Result): void {
  writeFileSync(path, `${JSON.stringify({ ...readResults(), [name]: result }, null, 2)}\n`)
}
