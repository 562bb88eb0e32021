/** Mutants that no test can kill, because they behave like the original. */
import { readFileSync } from 'node:fs'
import type { Mutant } from './mutants.ts'

/** One entry of `equivalents.json`. */
export interface Equivalent {
  /** The path of the file. */
  readonly path: string
  /** The text of the line where the change starts, without the indentation. */
  readonly line: string
  /** The replaced text and what replaces it. */
  readonly before: string
  readonly after: string
  /** Why the mutant behaves like the original. */
  readonly reason: string
}

/** The declared mutants. */
export const equivalents: readonly Equivalent[] = JSON.parse(
  readFileSync(new URL('equivalents.json', import.meta.url), 'utf8'),
) as Equivalent[]

/** Whether an entry declares a mutant. */
export function declares(entry: Equivalent, mutant: Mutant): boolean {
  return (
    entry.path === mutant.path &&
    entry.line === mutant.lineText &&
    oneLine(entry.before) === oneLine(mutant.before) &&
    oneLine(entry.after) === oneLine(mutant.replacement)
  )
}

/** Text with every run of whitespace as one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
