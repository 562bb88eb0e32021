/** Programs of this repository in one file each: the sources take seconds of processor time to start. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'
import { buildSync } from 'esbuild'

/** Two folders below the root, as the programs look for the package there. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}node_modules/.cache/`

const files = new Map<string, string>()

/** The path of a program, which is built when it is first asked for. */
export function compiled(source: URL): string {
  let file = files.get(source.href)
  if (file === undefined) {
    file = build(fileURLToPath(source))
    files.set(source.href, file)
  }
  return file
}

function build(source: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
    // Of `turnstream`, to the sources.
    tsconfig: `${root}tsconfig.json`,
  })
  mkdirSync(folder, { recursive: true })
  const file = `${folder}${relative(root, source).replace(/\W+/g, '-')}.mjs`
  // Other threads may build the same program.
  writeFileSync(`${file}.${threadId}`, outputFiles[0]?.contents ?? '')
  renameSync(`${file}.${threadId}`, file)
  return file
}
