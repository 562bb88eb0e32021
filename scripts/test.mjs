/**
 * `npm test`: every check that must pass before a change lands, in one run.
 *
 * Prints the output of each step, and as its last line how many checks passed and failed: the tests, and
 * one for each other step.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'agentwire-test-'))
const report = join(temporary, 'vitest.json')

// What an earlier build left behind must not be packed.
rmSync(join(root, 'dist'), { recursive: true, force: true })

/** Each step: its name and its command. Tools are those of the lock file. */
const steps = [
  ['types', ['tsc', '--noEmit']],
  ['lint and format', ['biome', 'check', '.']],
  ['generated files up to date', ['tsx', 'scripts/gen.ts', '--check']],
  ['build', ['tsup', '--silent']],
  ['viewer', ['tsx', 'scripts/viewer.ts']],
  [
    'tests',
    ['vitest', 'run', '--coverage', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ],
  ['packed tarball', ['node', 'scripts/check-package.mjs']],
]

let passed = 0
let failed = 0
for (const [name, [tool, ...args]] of steps) {
  console.log(`\n── ${name}`)
  const command = tool === 'node' ? process.execPath : join(root, 'node_modules/.bin', tool)
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  const isGood = status === 0
  if (error) console.error(error.message)
  if (!isGood) console.error(`✗ ${name}`)
  if (name === 'tests') count(isGood)
  else if (isGood) passed++
  else failed++
}

/** Counts the single tests. A run that fails without a failing test counts as one. */
function count(isGood) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    passed += numPassedTests
    failed += isGood ? 0 : Math.max(1, numFailedTests)
  } catch {
    failed++
  }
}

rmSync(temporary, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
