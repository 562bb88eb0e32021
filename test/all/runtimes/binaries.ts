/** The binaries of the runtimes that are installed beside this file. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from '../lab.ts'
import { Skipped } from '../step.ts'

/** Where a runtime is, below `node_modules`. */
export const binaries: Readonly<Record<'bun' | 'deno' | 'node22' | 'workerd', RegExp>> = {
  bun: /^(?:@oven\/bun-.*\/bin\/bun|bun\/bin\/bun\.exe)$/,
  deno: /^@deno\/.*\/deno$/,
  node22: /^node22-.*\/bin\/node$/,
  workerd: /^@cloudflare\/workerd-.*\/bin\/workerd$/,
}

/** The binary of a runtime, from the platform packages that are installed beside this file. */
export function installed({ root }: Lab, binary: RegExp): string {
  const modules = join(root, 'test/all/runtimes/node_modules')
  const names = existsSync(modules) ? readdirSync(modules) : []
  const packages = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )
  const candidates = packages.flatMap((name) =>
    // The install script of bun, where it runs, moves the binary into the package itself.
    ['bin/node', 'bin/bun', 'bin/bun.exe', 'bin/workerd', 'deno'].map((file) => `${name}/${file}`),
  )
  const found = candidates.find((path) => binary.test(path) && existsSync(join(modules, path)))
  if (found === undefined) {
    throw new Skipped('it is not installed: run `npm install` in test/all/runtimes')
  }
  return join(modules, found)
}
