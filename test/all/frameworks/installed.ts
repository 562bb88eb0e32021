/** Packages that are installed only for these checks. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Skipped } from '../step.ts'

// biome-ignore lint/suspicious/noExplicitAny: the packages are installed only for these checks
export type Untyped = any

/** @param folder - The folder beside this one in which the package is installed. */
export async function installed(name: string, folder = 'frameworks'): Promise<Untyped> {
  if (!existsSync(new URL(`../${folder}/node_modules`, import.meta.url)))
    throw new Skipped(`${folder} are missing: run \`npm install\` in test/all/${folder}`)
  const { resolve } = createRequire(new URL(`../${folder}/package.json`, import.meta.url))
  return import(String(pathToFileURL(resolve(name))))
}
