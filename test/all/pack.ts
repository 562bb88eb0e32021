/** The library as a user gets it: built, packed, and unpacked into a project. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './command.ts'

/** Files of this folder that run in the project, where the library is found by its name. */
const VISITORS = [
  'runtimes/checks.mjs',
  'runtimes/smoke.mjs',
  'runtimes/smoke.cjs',
  'runtimes/worker.mjs',
  'chromium/page.mjs',
  'hostile/cost.mjs',
  'slow/server.mjs',
]

/**
 * Makes the project, and returns its folder. Builds into a folder of its own, so that nothing in the
 * checkout changes. Asks no registry: the dependency is copied from the checkout.
 */
export async function pack(root: string, temporary: string): Promise<string> {
  const staged = join(temporary, 'staged')
  const project = join(temporary, 'project')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  await command(join(root, 'node_modules/.bin/tsup'), ['--out-dir', join(staged, 'dist')], {
    cwd: root,
  })
  await command(join(root, 'node_modules/.bin/tsx'), ['scripts/build-types.ts', join(staged, 'dist')], {
    cwd: root,
  })
  const others = ['package.json', ...manifest.files.filter((file: string) => file !== 'dist')]
  for (const file of others) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(staged, file), { recursive: true })
  }
  await command('npm', ['pack', '--ignore-scripts', '--pack-destination', temporary], { cwd: staged })

  const installed = join(project, 'node_modules/turnstream')
  mkdirSync(installed, { recursive: true })
  const tarball = join(temporary, `turnstream-${manifest.version}.tgz`)
  await command('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed], { cwd: temporary })
  for (const name of Object.keys(manifest.dependencies)) {
    cpSync(join(root, 'node_modules', name), join(project, 'node_modules', name), { recursive: true })
  }
  for (const file of VISITORS) cpSync(join(root, 'test/all', file), join(project, file))
  const dependencies = { turnstream: manifest.version }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }))
  return project
}
