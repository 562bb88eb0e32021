/**
 * `npm run gen`: writes everything that is derived, in order: checks and examples in the sources, JSON Schemas,
 * and the generated parts of README and docs. `--check` (`npm run gen:check`) writes nothing and fails when
 * any of it is stale. Stops at the first script that fails, whose message says what to add.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsx = fileURLToPath(new URL('../node_modules/.bin/tsx', import.meta.url))

for (const script of [
  'scripts/generate.ts',
  'scripts/schemas/write.ts',
  'scripts/overview.ts',
  'bench/plots.ts',
  'scripts/conformance/write.ts',
  'scripts/readme.ts',
]) {
  const { status } = spawnSync(tsx, [script, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
  if (status === 0) continue
  process.exitCode = 1
  // What comes later reads what this one did not write.
  if (!process.argv.includes('--check')) break
}
