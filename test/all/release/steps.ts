/** A release, up to the last command: in a clone, so that the checkout keeps its changesets. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../build.ts'
import { command } from '../command.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'

export const releaseSteps: readonly Step[] = [
  { name: 'release: versions, changelog, frozen schemas and packages of a dry run', run: dryRun },
  { name: 'release: attw and TypeScript 6 find nothing in the packed package', run: linted },
]

/** What `npm test` leaves out of its check of the package, as it takes long. */
async function linted({ root }: Lab): Promise<string> {
  await build(root)
  const bin = (tool: string): string => join(root, 'node_modules/.bin', tool)
  await command(bin('tsx'), ['scripts/check-package.ts'], { cwd: root, env: { TSC: bin('tsc') } })
  return 'clean'
}

async function dryRun({ root, temporary }: Lab): Promise<string> {
  const clone = join(temporary, 'release')
  await command('git', ['clone', '--quiet', root, clone], { cwd: temporary })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const read = (path: string): string => readFileSync(join(clone, path), 'utf8')
  const versionIn = (path: string): string => (JSON.parse(read(path)) as { version: string }).version

  // As .github/workflows/release.yml does.
  await command('npm', ['run', '--silent', 'release:version'], { cwd: clone })
  const version = versionIn('package.json')
  if (versionIn('conformance/package.json') !== version) throw new Error('The kit has another version.')
  const left = readdirSync(join(clone, '.changeset')).filter(
    (name) => !/^(?:README\.md|config\.json)$/.test(name),
  )
  if (left.length > 0) throw new Error(`Changesets that no version has: ${left.join(', ')}`)
  if (!new RegExp(`^## \\[?${version.replaceAll('.', '\\.')}\\b`, 'm').test(read('CHANGELOG.md')))
    throw new Error(`CHANGELOG.md has no ${version}.`)
  if (!version.startsWith('1.')) throw new Error(`The next version is ${version}.`)
  // The first fails if a version is published that may still change, the second if `init` installs another one.
  const vitest = join(root, 'node_modules/.bin/vitest')
  await command(vitest, ['run', 'test/schemas/published.test.ts', 'test/cli/init.test.ts'], { cwd: clone })

  const packages = join(clone, 'packages')
  mkdirSync(packages)
  await command('npm', ['pack', '.', './conformance', '--pack-destination', packages], { cwd: clone })
  const published: string[] = []
  for (const tarball of readdirSync(packages).sort()) {
    const path = join(packages, tarball)
    const args = ['publish', path, '--dry-run', '--json', '--ignore-scripts', '--access', 'public']
    const output = await command('npm', args, { cwd: clone })
    const [, id = ''] = /"id": "(\S+)"/.exec(output) ?? []
    published.push(`${id}, ${/"entryCount": (\d+)/.exec(output)?.[1]} files`)
  }
  const expected = [`turnstream@${version}`, `turnstream-conformance@${version}`]
  const ids = published.map((line) => line.split(',')[0])
  if (expected.some((id) => !ids.includes(id))) throw new Error(`Expected ${expected}, got ${published}.`)
  return published.join('; ')
}
