/** The published examples as data, for every test that wants real events. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Dialect } from '../../scripts/schemas/dialect.ts'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { examplePaths, SCHEMAS } from '../../scripts/schemas/files.ts'

/** A document that decodes. */
export interface Example {
  /** Path within `schemas/`, for the names of tests. */
  readonly path: string
  /** The folder it lies in: its kind with `-` for `:`, or `unknown-kind`, `unknown-field`. */
  readonly group: string
  readonly value: unknown
  readonly text: string
}

/** A document that does not, and what is said about it. */
export interface InvalidExample {
  readonly path: string
  readonly why: string
  readonly value: unknown
  readonly issue: { readonly code: string; readonly path: string }
}

/** The versions there are of a vocabulary: `<name>/<version>`. */
export function versionsOf(dialect: string): string[] {
  return readdirSync(SCHEMAS + dialect).map((version) => `${dialect}/${version}`)
}

/** The valid examples of a version, such as `events/1.0`. */
export function examplesOf(folder: string): Example[] {
  return examplePaths(folder, 'examples').map((path) => {
    const text = readFileSync(`${SCHEMAS}${folder}/${path}`, 'utf8')
    return { path: `${folder}/${path}`, group: path.split('/')[1] ?? '', value: JSON.parse(text), text }
  })
}

/** The invalid examples of a version. */
export function invalidExamplesOf(folder: string): InvalidExample[] {
  return examplePaths(folder, 'invalid').map((path) => {
    const text = readFileSync(`${SCHEMAS}${folder}/${path}`, 'utf8')
    return { ...(JSON.parse(text) as Omit<InvalidExample, 'path'>), path: `${folder}/${path}` }
  })
}

/** The versions whose examples the present code must read: all of the majors it speaks. */
export const folders: readonly string[] = dialects.flatMap(({ name, version }) =>
  versionsOf(name).filter((folder) => majorOf(folder) === majorOf(`${name}/${version}`)),
)

function majorOf(folder: string): string {
  return folder.split('.')[0] ?? folder
}

/** The dialect whose code reads the examples of a folder. */
export function dialectOf(folder: string): Dialect {
  const found = dialects.find(({ name, version }) => majorOf(`${name}/${version}`) === majorOf(folder))
  if (found === undefined) throw new Error(`No vocabulary reads ${folder}.`)
  return found
}

/** Which schemas accept a document. */
export interface Verdicts {
  readonly normative: boolean
  readonly open: boolean
  readonly draft07: boolean
}

/** Which schemas accept a document of a status. */
export function verdictsOn(status: 'known' | 'unknown' | 'invalid'): Verdicts {
  const known = status === 'known'
  return { normative: known, open: status !== 'invalid', draft07: known }
}
