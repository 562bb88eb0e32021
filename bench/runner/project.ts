/** A temporary project with the packed package and the packages it is compared with. */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PackedProject, packProject } from '../../scripts/package-sizes.ts'
import packageJson from '../package.json' with { type: 'json' }

/** Packs what `npm run build` has built, and installs it with the exact versions of `bench/package.json`. */
export function installProject(): PackedProject {
  const project = packProject()
  const tarball = readdirSync(project.folder).find((file) => file.endsWith('.tgz'))
  rmSync(join(project.folder, 'node_modules'), { recursive: true })
  const dependencies = { ...packageJson.dependencies, turnstream: `file:./${tarball}` }
  writeFileSync(join(project.folder, 'package.json'), JSON.stringify({ ...packageJson, dependencies }))
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
    {
      cwd: project.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  return project
}
