/**
 * Released versions never change. `schemas/released.json` lists each with the SHA-256 of its files, which
 * are compared with the generated files.
 */
import { readdirSync, statSync } from 'node:fs'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { type Change, changes, type Level, levelOf } from './compat.ts'
import { type Published, readText, SCHEMAS, sha256 } from './files.ts'

/** `<name>/<version>` → path within it → sha256. */
export type Released = Readonly<Record<string, Readonly<Record<string, string>>>>

export const RELEASED_FILE: string = `${SCHEMAS}released.json`

export function readReleased(): Released {
  return JSON.parse(readText(RELEASED_FILE) ?? '{}') as Released
}

/** The current versions that are not marked as released: their files may still change. */
export function unreleased(published: readonly Pick<Published, 'folder'>[], released: Released): string[] {
  return published.map(({ folder }) => folder).filter((folder) => !Object.hasOwn(released, folder))
}

/** The sha256 of every file of a version. */
export function digests(folder: string): Record<string, string> {
  const root = `${SCHEMAS}${folder}/`
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(root + path).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
  return Object.fromEntries(paths.map((path) => [path, sha256(readText(root + path) ?? '')]))
}

/** The files of a released version that changed. Empty if none did. */
export function tampered(
  listed: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): string[] {
  const paths = new Set([...Object.keys(listed), ...Object.keys(actual)])
  return [...paths].flatMap((path) => {
    if (listed[path] === actual[path]) return []
    if (actual[path] === undefined) return [`${path} was removed`]
    return [listed[path] === undefined ? `${path} was added` : `${path} was changed`]
  })
}

/** The highest level of change that a version step allows. */
export function allowedLevel(before: string, after: string): Level {
  const [was, is] = [before.split('.'), after.split('.')]
  if (was[0] !== is[0]) return 'major'
  return was[1] === is[1] ? 'patch' : 'minor'
}

/** The problems that block publishing the sources. Empty if there are none. */
export function releaseProblems(published: readonly Published[], released: Released): string[] {
  const problems = Object.entries(released).flatMap(([folder, listed]) =>
    tampered(listed, digests(folder)).map((what) => `${folder} is released: ${what}.`),
  )
  for (const { dialect, normative } of published) {
    for (const folder of Object.keys(released)) {
      const [name, version] = folder.split('/')
      if (name !== dialect.name || version === undefined || !isNumbered(version, dialect.version)) continue
      const text = readText(`${SCHEMAS}${folder}/events.schema.json`)
      if (text === undefined) continue
      const list = changes(JSON.parse(text) as JsonSchema, normative)
      const allowed = allowedLevel(version, dialect.version)
      problems.push(...excess(list, allowed).map((what) => `Since ${folder}, ${what}`))
    }
  }
  return problems
}

/** Versions are compared if they are numbers, and a released one only with later ones. */
function isNumbered(before: string, after: string): boolean {
  const [was, is] = [before, after].map((version) => version.split('.').map(Number))
  if (was === undefined || is === undefined || [...was, ...is].some(Number.isNaN)) return before === after
  return (was[0] ?? 0) < (is[0] ?? 0) || (was[0] === is[0] && (was[1] ?? 0) <= (is[1] ?? 0))
}

/** Describes the changes beyond the allowed level. */
export function excess(list: readonly Change[], allowed: Level): string[] {
  if (allowed === 'major') return []
  const level = levelOf(list)
  if (level === undefined || level === 'patch' || level === allowed) return []
  const needed = level === 'major' ? 'the next major version' : 'the next minor version'
  return list
    .filter((change) => change.level === level)
    .map(({ path, message }) => `${path} ${message}: requires ${needed}.`)
}
