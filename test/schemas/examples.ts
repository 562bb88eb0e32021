/** The published examples as data, for tests that need realistic events. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Dialect } from '../../scripts/schemas/dialect.ts'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { examplePaths, SCHEMAS } from '../../scripts/schemas/files.ts'

/** A document that decodes. */
export interface Example {
  /** Path within `schemas/`, for test titles. */
  readonly path: string
  /** The name of its folder: the kind with `-` for `:`, or `unknown-kind`, `unknown-field`. */
  readonly group: string
  readonly value: unknown
  readonly text: string
}

/** A document that does not decode, with the expected issue. */
export interface InvalidExample {
  readonly path: string
  readonly why: string
  readonly value: unknown
  readonly issue: { readonly code: string; readonly path: string }
}

/** The published versions: `<name>/<version>`. */
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

/** The versions whose examples the current code must decode: all of the supported majors. */
export const folders: readonly string[] = dialects.flatMap(({ name, version }) =>
  versionsOf(name).filter((folder) => majorOf(folder) === majorOf(`${name}/${version}`)),
)

function majorOf(folder: string): string {
  return folder.split('.')[0] ?? folder
}

/** The dialect whose code decodes the examples of a folder. */
export function dialectOf(folder: string): Dialect {
  const found = dialects.find(({ name, version }) => majorOf(`${name}/${version}`) === majorOf(folder))
  if (found === undefined) throw new Error(`No vocabulary reads ${folder}.`)
  return found
}

/** The schemas that accept a document. */
export interface Verdicts {
  readonly normative: boolean
  readonly open: boolean
  readonly draft07: boolean
}

/** The schemas that accept a document with a status. */
export function verdictsOn(status: 'known' | 'unknown' | 'invalid'): Verdicts {
  const known = status === 'known'
  return { normative: known, open: status !== 'invalid', draft07: known }
}
