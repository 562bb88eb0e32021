/** Where the conformance kit is: a package of its own, so that only those who test an implementation install it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFolder, packageVersion } from '../package.ts'
import { UsageError } from '../usage-error.ts'

const NAME = 'turnstream-conformance'
const MANIFEST = 'manifest.json'
/** The folder of the kit of other formats. */
const FORMATS = 'formats/'

/**
 * The folder of the kit.
 *
 * @param path - The folder that the user states. Omitted: the installed package, as the current folder finds it, and then as
 *   this package does; in a checkout, its `conformance`.
 * @throws UsageError when there is none.
 */
export function kitFolder(path?: string): URL {
  if (path !== undefined) {
    const folder = folderOf(path)
    if (isKit(folder)) return folder
    throw new UsageError(`Expected --kit to be a folder with ${MANIFEST}, got ${path}.`)
  }
  const own = new URL('conformance/', packageFolder)
  if (isKit(own)) return own
  for (const from of [folderOf('.'), packageFolder]) {
    try {
      return new URL('.', pathToFileURL(createRequire(new URL('x', from)).resolve(`${NAME}/${MANIFEST}`)))
    } catch {
      // Not installed there.
    }
  }
  throw new UsageError(
    `Expected the package ${NAME}, which has the cases, found none. Run "npm install --save-dev ${NAME}", or state its folder with --kit.`,
  )
}

/**
 * The folder of the suites: of events, or of other formats.
 *
 * @throws UsageError if the kit has none of other formats.
 */
export function suitesFolder(kit: URL, hasFormats: boolean): URL {
  const folder = hasFormats ? new URL(FORMATS, kit) : kit
  if (isKit(folder)) return folder
  throw new UsageError(`Expected ${FORMATS}${MANIFEST} in the kit, found none: it is of an older version.`)
}

/** A warning about a kit of another version than the package; `undefined` if both have the same. */
export async function versionWarning(folder: URL): Promise<string | undefined> {
  const [own, text] = await Promise.all([
    packageVersion(),
    readFile(new URL('package.json', folder), 'utf8').catch(() => '{}'),
  ])
  const { version = 'unknown' } = JSON.parse(text) as { version?: string }
  return version === own ? undefined : `The kit has version ${version}, turnstream has ${own}.`
}

function folderOf(path: string): URL {
  return pathToFileURL(resolve(path) + sep)
}

function isKit(folder: URL): boolean {
  return existsSync(new URL(MANIFEST, folder))
}
