/**
 * `npm test`: everything that must hold before a change lands, in one run.
 *
 * Prints what each step prints, and as its last line how many checks passed and failed: the tests,
 * and one for every other step.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'agentwire-test-'))
const report = join(temporary, 'vitest.json')

/** Each step: what it is called, and what it runs. Tools are those of the lock file. */
const steps = [
  ['types', ['tsc', '--noEmit']],
  ['lint and format', ['biome', 'check', '.']],
  ['generated code is fresh', ['tsx', 'scripts/generate.ts', '--check']],
  ['JSON Schemas are fresh', ['tsx', 'scripts/schemas/write.ts', '--check']],
  ['build', ['tsup', '--silent']],
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
