/**
 * `npm test`: every check that must pass before a change lands.
 *
 * Steps of one stage run at the same time, a stage after the one before. Prints the output of each step when it ends,
 * with its time, and as the last line how many checks passed, failed and were skipped: the tests, and one for each other step.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'turnstream-test-'))
const report = join(temporary, 'vitest.json')

// What an earlier build left behind must not be packed, nor imported.
for (const folder of ['dist', 'transpiled']) rmSync(join(root, folder), { recursive: true, force: true })

const TESTS = 'tests'

/** Steps by name, in stages. Tools are those of the lock file. */
const stages = [
  // What is built is read by tests, and packed; what is transpiled is what tests import.
  {
    build: ['npm', 'run', '--silent', 'build'],
    transpile: ['node', 'node_modules/typescript-7/bin/tsc', '--project', 'tsconfig.transpiled.json'],
  },
  {
    [TESTS]: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    types: ['npm', 'run', '--silent', 'typecheck'],
    'lint and format': ['biome', 'check', '.'],
    'generated files up to date': ['tsx', 'scripts/gen.ts', '--check'],
    'packed tarball': ['tsx', 'scripts/check-package.ts'],
  },
]

let passed = 0
let failed = 0
let skipped = 0
for (const stage of stages) await Promise.all(Object.entries(stage).map(runStep))

/** Runs a step, prints what it printed and how long it took, and counts it. */
async function runStep([name, [tool, ...args]]) {
  const start = performance.now()
  const { status, output } = await run(tool, args)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`\n── ${name} (${seconds} s)\n${output.trim()}`)
  if (status !== 0) console.error(`✗ ${name}`)
  if (name === TESTS) countTests(status === 0)
  else if (status === 0) passed++
  else failed++
}

/** Runs a command. Resolves to its exit code and what it printed. */
function run(tool, args) {
  const command = { node: process.execPath, npm: 'npm' }[tool] ?? join(root, 'node_modules/.bin', tool)
  return new Promise((resolve) => {
    let output = ''
    const env = { ...process.env, TRANSPILED: '1' }
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.once('error', ({ message }) => resolve({ status: 1, output: message }))
    child.once('close', (status) => resolve({ status, output }))
  })
}

/** Counts the single tests. A run that fails without a failing test counts as one. */
function countTests(isGood) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    passed += numPassedTests
    skipped += numPendingTests
    failed += isGood ? 0 : Math.max(1, numFailedTests)
  } catch {
    failed++
  }
}

rmSync(temporary, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1
