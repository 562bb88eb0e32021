/**
 * Part of `npm run gen`: writes the generated files under `schemas/`.
 *
 * `--check` fails if they are out of date, or if a released version would change. `--release` marks the versions of
 * the sources as released.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exampleSets, type Published, publish, readText, SCHEMAS, toText } from './files.ts'
import {
  digests,
  RELEASED_FILE,
  type Released,
  readReleased,
  releaseProblems,
  unreleased,
} from './released.ts'
import { viewFolder, viewSchema, viewSchemaPath } from './view.ts'

/** The files that differ from the sources. Released versions are no longer written. */
export function staleFiles(published: readonly Published[], released: Released): Map<string, string> {
  const stale = new Map<string, string>()
  for (const { folder, files } of published) {
    if (folder in released) continue
    for (const [name, text] of files) {
      if (readText(`${SCHEMAS}${folder}/${name}`) !== text) stale.set(`${folder}/${name}`, text)
    }
  }
  const events = published.find(({ dialect }) => dialect.name === 'events')
  if (events !== undefined && !(viewFolder in released)) {
    const view = `${JSON.stringify(viewSchema(events.normative))}\n`
    if (readText(SCHEMAS + viewSchemaPath) !== view) stale.set(viewSchemaPath, view)
  }
  for (const [path, text] of exampleSets()) if (readText(SCHEMAS + path) !== text) stale.set(path, text)
  return stale
}

function main(): void {
  const released = readReleased()
  const published = publish()
  if (process.argv.includes('--release')) {
    const marked = unreleased(published, released).map((folder) => [folder, digests(folder)] as const)
    if (marked.length > 0)
      writeFileSync(RELEASED_FILE, toText({ ...released, ...Object.fromEntries(marked) }))
    return
  }
  const stale = staleFiles(published, released)
  const problems = releaseProblems(published, released)
  if (process.argv.includes('--check')) {
    problems.push(...[...stale.keys()].map((path) => `schemas/${path} is stale: run \`npm run gen\`.`))
  } else {
    for (const [path, text] of stale) {
      mkdirSync(dirname(SCHEMAS + path), { recursive: true })
      writeFileSync(SCHEMAS + path, text)
    }
  }
  if (problems.length === 0) return
  console.error(problems.join('\n'))
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
