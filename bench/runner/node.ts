/** Versions of Node: this one, or others from npm. */
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'

export interface Node {
  readonly major: string
  readonly path: string
  /** The whole version, such as `24.9.0`. */
  readonly version: string
}

/** The newest version of a major one that npm has, unless this process runs on that major version. */
export function findNode(major: string): Node {
  const path = process.versions.node.startsWith(`${major}.`) ? process.execPath : installed(major)
  return {
    major,
    path,
    version: execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(),
  }
}

function installed(major: string): string {
  const args = ['--yes', `--package=node@${major}`, '--', 'node', '-p', 'process.execPath']
  const output = execFileSync('npx', args, {
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return output.trim()
}
