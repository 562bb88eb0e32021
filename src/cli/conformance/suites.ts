/** The suites of the conformance kit, read from their files. */
import { readFile } from 'node:fs/promises'

/** How much an implementation needs a suite, in order. */
export const levels = ['must', 'should', 'may'] as const

/** How much an implementation needs a suite. */
export type Level = (typeof levels)[number]

/** One suite in `manifest.json`. */
export interface SuiteEntry {
  readonly id: string
  readonly level: Level
  readonly about: string
  /** Relative to the folder of the kit. */
  readonly files: readonly string[]
  /** Number of cases. */
  readonly cases: number
  /** The digest of the files, one after the other. */
  readonly sha256: string
}

/** One case of a suite. */
export interface Case {
  readonly name: string
  readonly input: unknown
  readonly expected: unknown
}

/** The suites of the kit in a folder, in the order of reports. */
export async function readManifest(folder: URL): Promise<readonly SuiteEntry[]> {
  const text = await readFile(new URL('manifest.json', folder), 'utf8')
  return (JSON.parse(text) as { suites: readonly SuiteEntry[] }).suites
}

/** The cases of a suite. */
export async function readCases({ files }: SuiteEntry, folder: URL): Promise<Case[]> {
  const cases: Case[] = []
  for (const file of files) {
    const text = await readFile(new URL(file, folder), 'utf8')
    for (const line of text.split('\n')) if (line !== '') cases.push(JSON.parse(line) as Case)
  }
  return cases
}
