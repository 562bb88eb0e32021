/**
 * `npm run test:all [-- <part of a step's name>…]`: what is too slow for `npm test`, or needs more
 * than Node: browsers, other runtimes, long fuzz runs.
 *
 * Prints a line for each step. A step whose tool is missing is skipped, with the name of the tool.
 * The last line counts them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
register()
const { openLab } = await import('../test/all/lab.ts')
const { Skipped } = await import('../test/all/step.ts')
const { steps } = await import('../test/all/steps.ts')

const wanted = process.argv.slice(2)
const counts = { passed: 0, failed: 0, skipped: 0 }
const temporary = mkdtempSync(join(tmpdir(), 'agentwire-all-'))
const lab = openLab(root, temporary)

for (const { name, run } of steps) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue
  const start = performance.now()
  const report = (sign, text) =>
    console.log(`${sign} ${name}: ${text} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  try {
    report('✓', await run(lab))
    counts.passed++
  } catch (error) {
    if (error instanceof Skipped) {
      report('–', `skipped, ${error.message}`)
      counts.skipped++
    } else {
      report('✗', error instanceof Error ? error.message : error)
      counts.failed++
    }
  }
}

await lab.close()
rmSync(temporary, { recursive: true, force: true })
const { passed, failed, skipped } = counts
if (passed + failed + skipped === 0) {
  console.error(`No step has that name. Steps: ${steps.map(({ name }) => name).join(', ')}`)
  process.exitCode = 1
}
if (failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
