/** The folder and the version of the package. */

import { readFile } from 'node:fs/promises'

/** The folder of `package.json`: two above this file, in `src` and in `dist` alike, where all commands are in one folder. */
export const packageFolder: URL = new URL('../../', import.meta.url)

/** The version in `package.json`. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('package.json', packageFolder), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
