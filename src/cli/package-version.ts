/** The version of the package. */
import { readFile } from 'node:fs/promises'
import { packageFolder } from './package-folder.ts'

/** The version in `package.json`. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('package.json', packageFolder), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
