/** Packages that are installed beside this file. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Skipped } from '../step.ts'

// biome-ignore lint/suspicious/noExplicitAny: the packages are installed only for this check
export type Untyped = any

export async function installed(name: string): Promise<Untyped> {
  const modules = new URL('node_modules', import.meta.url)
  if (!existsSync(modules))
    throw new Skipped('frameworks are missing: run `npm install` in test/all/frameworks')
  return import(String(pathToFileURL(createRequire(import.meta.url).resolve(name))))
}
