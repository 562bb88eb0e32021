/**
 * `npm run gen`: writes everything that is derived, in order: checks and examples in the sources, JSON Schemas,
 * and the generated parts of README and docs. `--check` (`npm run gen:check`) writes nothing and fails when
 * any of it is stale. Stops at the first script that fails, whose message says what to add.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsx = fileURLToPath(new URL('../node_modules/.bin/tsx', import.meta.url))

const scripts = [
  'scripts/generate.ts',
  'scripts/schemas/write.ts',
  'scripts/overview.ts',
  'bench/plots.ts',
  'scripts/conformance/write.ts',
  'scripts/readme.ts',
]

if (process.argv.includes('--check')) await checkAll()
else writeAll()

/** Checks in one process, which loads the compiler once. */
async function checkAll(): Promise<void> {
  process.chdir(root)
  for (const script of scripts) {
    // Each runs if it is what the process was started with.
    process.argv[1] = fileURLToPath(new URL(`../${script}`, import.meta.url))
    await import(`../${script}`)
  }
}

/** Writes in a process each: what comes later imports what those before have written. */
function writeAll(): void {
  for (const script of scripts) {
    const { status } = spawnSync(tsx, [script], { cwd: root, stdio: 'inherit' })
    if (status === 0) continue
    process.exitCode = 1
    // What comes later reads what this one did not write.
    return
  }
}
