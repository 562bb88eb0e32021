/** The generated parts of BENCHMARKS.md, each between `<!-- bench <name> -->` and `<!-- /bench -->`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../../BENCHMARKS.md', import.meta.url))

/** Replaces one part. @throws Error if the page has no such part. */
export function writePart(name: string, text: string): void {
  const page = readFileSync(path, 'utf8')
  const start = `<!-- bench ${name} -->\n`
  const from = page.indexOf(start)
  const to = page.indexOf('<!-- /bench -->', from)
  if (from === -1 || to === -1) throw new Error(`BENCHMARKS.md has no part <!-- bench ${name} -->.`)
  writeFileSync(path, `${page.slice(0, from + start.length)}\n${text}\n\n${page.slice(to)}`)
}
