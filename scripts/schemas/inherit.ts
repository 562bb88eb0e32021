/** Each minor version of the event vocabulary inherits the examples and the invalid cases of the one before. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'

const EVENTS = 'schemas/events'
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The files that the current version lacks and the previous minor version has: path → text. */
export function filesToInherit(version: string = PROTOCOL_VERSION): Map<string, string> {
  const previous = previousMinor(version)
  if (previous === undefined) return new Map()
  const inherited = readdirSync(`${root}${EVENTS}/${previous}`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^(examples|invalid)\/.*\.json$/.test(path))
    .filter((path) => !existsSync(`${root}${EVENTS}/${version}/${path}`))
  return new Map(
    inherited.map((path) => [
      `${EVENTS}/${version}/${path}`,
      readFileSync(`${root}${EVENTS}/${previous}/${path}`, 'utf8'),
    ]),
  )
}

/** The latest published version with the same major version and a smaller minor version. */
function previousMinor(version: string): string | undefined {
  const [major, minor = 0] = version.split('.').map(Number)
  const minors = readdirSync(root + EVENTS)
    .map((folder) => folder.split('.').map(Number))
    .flatMap(([itsMajor, itsMinor = 0]) => (itsMajor === major && itsMinor < minor ? [itsMinor] : []))
  return minors.length === 0 ? undefined : `${major}.${Math.max(...minors)}`
}
