/**
 * Released versions never change. `schemas/released.json` lists each with the SHA-256 of its files, which
 * are compared with the generated files; and the rules and the cases of the wire, to which only further ones may come.
 */
import { readdirSync, statSync } from 'node:fs'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'
import { eventRules } from '../../src/streams/verify/rules/index.ts'
import { casesIn } from '../conformance/files.ts'
import { suites } from '../conformance/suites.ts'
import { type Change, changes, type Level, levelOf } from './compat.ts'
import { type Published, readText, SCHEMAS, sha256 } from './files.ts'
import { viewFolder } from './view.ts'

/** `<name>/<version>` → path within it → sha256. */
export type Released = Readonly<Record<string, Readonly<Record<string, string>>>>

export const RELEASED_FILE: string = `${SCHEMAS}released.json`

export function readReleased(): Released {
  return JSON.parse(readText(RELEASED_FILE) ?? '{}') as Released
}

/** The current versions that are not marked as released: they may still change. */
export function unreleased(published: readonly Pick<Published, 'folder'>[], released: Released): string[] {
  const folders = [...published.map(({ folder }) => folder), viewFolder, ...Object.keys(growing())]
  return folders.filter((folder) => !Object.hasOwn(released, folder))
}

/** The suites that show how a log is read over a connection. */
const WIRE = ['cursor', 'resume', 'sse', 'wire']

/** What a version freezes besides files, by name: the severities of its rules, and the cases of the wire. */
export function growing(): Released {
  const rules = eventRules.map(({ rule, id, severity }) => [rule, digestOf({ id, severity })])
  const cases = suites
    .filter(({ id }) => WIRE.includes(id))
    .flatMap(({ files }) => files)
    .flatMap((file) => casesIn(file).map(({ name, ...rest }) => [`${file}: ${name}`, digestOf(rest)]))
  return {
    [`rules/${PROTOCOL_VERSION}`]: Object.fromEntries(rules),
    [`wire/${PROTOCOL_VERSION}`]: Object.fromEntries(cases),
  }
}

function digestOf(value: object): string {
  return sha256(JSON.stringify(value))
}

/** The sha256 of all that a version freezes. */
export function digests(folder: string): Readonly<Record<string, string>> {
  const parts = growing()[folder]
  if (parts !== undefined) return parts
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
    changed(folder, listed).map((what) => `${folder} is released: ${what}.`),
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

/** What of a released version changed. The rules and cases of a major version stay what they are, and may become more. */
function changed(folder: string, listed: Readonly<Record<string, string>>): string[] {
  const [name, version = ''] = folder.split('/')
  const now = growing()[`${name}/${PROTOCOL_VERSION}`]
  if (now === undefined) return tampered(listed, digests(folder))
  if (allowedLevel(version, PROTOCOL_VERSION) === 'major') return []
  return tampered(
    listed,
    Object.fromEntries(Object.keys(listed).flatMap((each) => (now[each] ? [[each, now[each]]] : []))),
  )
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
