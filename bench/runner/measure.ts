/** Running a group in a process of its own, on one version of Node. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Row } from '../support/row.ts'
import type { Node } from './node.ts'

const rowsFolder = fileURLToPath(new URL('../rows', import.meta.url))

/** Bundles a group without the packages it imports, into the project where they are installed. */
export async function bundleGroup(name: string, folder: string): Promise<string> {
  const contents = `import { bench } from './${name}.ts'
console.log(JSON.stringify(await bench({ rounds: Number(process.argv[2]), scale: 1 })))`
  const outfile = join(folder, `${name}.mjs`)
  await build({
    stdin: { contents, resolveDir: rowsFolder },
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    // Not the paths of the project's own, which lead to the sources.
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  return outfile
}

/** @throws Error if the process fails; its error is on standard error. */
export async function measure(file: string, { path, major }: Node, rounds: number): Promise<Row[]> {
  const child = spawn(path, ['--expose-gc', file, `${rounds}`], {
    cwd: join(file, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const output = await text(child.stdout)
  if ((await exit) !== 0) throw new Error(`It failed on Node ${major}.`)
  return JSON.parse(output)
}
