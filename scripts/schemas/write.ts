/**
 * Part of `npm run gen`: writes the generated files under `schemas/`.
 *
 * `--check` fails when they are stale, or when a released version would change. `--release
 * <name>/<version>` lists a version as released.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Published, publish, readText, SCHEMAS, toText } from './files.ts'
import { digests, RELEASED_FILE, type Released, readReleased, releaseProblems } from './released.ts'

/** The files that differ from what the sources say. Released versions are not written any more. */
export function staleFiles(published: readonly Published[], released: Released): Map<string, string> {
  const stale = new Map<string, string>()
  for (const { folder, files } of published) {
    if (folder in released) continue
    for (const [name, text] of files) {
      if (readText(`${SCHEMAS}${folder}/${name}`) !== text) stale.set(`${folder}/${name}`, text)
    }
  }
  return stale
}

function main(): void {
  const released = readReleased()
  const at = process.argv.indexOf('--release')
  if (at !== -1) {
    const folder = process.argv[at + 1] ?? ''
    if (folder in released) throw new Error(`${folder} is released already.`)
    writeFileSync(RELEASED_FILE, toText({ ...released, [folder]: digests(folder) }))
    return
  }
  const published = publish()
  const stale = staleFiles(published, released)
  const problems = releaseProblems(published, released)
  if (process.argv.includes('--check')) {
    problems.push(...[...stale.keys()].map((path) => `schemas/${path} is stale: run \`npm run gen\`.`))
  } else {
    for (const { folder } of published) mkdirSync(SCHEMAS + folder, { recursive: true })
    for (const [path, text] of stale) writeFileSync(SCHEMAS + path, text)
  }
  if (problems.length === 0) return
  console.error(problems.join('\n'))
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
