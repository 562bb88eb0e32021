/**
 * `npm run test:all [-- <part of a step's name>… | --part <n> | --list]`: what is too slow for `npm test`, or needs more
 * than Node: browsers, other runtimes and languages, long fuzz runs.
 *
 * Prints a line for each step. A step whose tool is missing is skipped, with the name of the tool. The last line counts them.
 * `--part <n>` runs every tenth step, from step `n` modulo 10 on: ten successive numbers run all of them. `--list` names the steps.
 * With `MAY_SKIP`, starts of steps' names separated by commas, a skipped step fails unless it is one of those:
 * `MAY_SKIP= npm run test:all` allows none.
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

const PARTS = 10

const chosen = chosenSteps(process.argv.slice(2))
const counts = { passed: 0, failed: 0, skipped: 0 }
const temporary = mkdtempSync(join(tmpdir(), 'turnstream-all-'))
const lab = openLab(root, temporary)

for (const { name, run } of chosen) {
  const start = performance.now()
  const report = (sign, text) =>
    console.log(`${sign} ${name}: ${text} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  try {
    report('✓', await run(lab))
    counts.passed++
  } catch (error) {
    if (error instanceof Skipped && maySkip(name)) {
      report('–', `skipped, ${error.message}`)
      counts.skipped++
    } else {
      report(
        '✗',
        error instanceof Skipped ? `must not be skipped: ${error.message}` : (error?.message ?? error),
      )
      counts.failed++
    }
  }
}

await lab.close()
rmSync(temporary, { recursive: true, force: true })
const { passed, failed, skipped } = counts
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
// A server that a step leaves open would keep the process alive.
process.exit(failed > 0 ? 1 : 0)

/** The steps that the arguments name. Ends the process if there are none. */
function chosenSteps([first, ...rest]) {
  if (first === '--list') return end(0)
  if (first === '--part') {
    const part = Number(rest[0])
    if (!Number.isInteger(part) || part < 0 || rest.length !== 1)
      return end(2, `Expected --part and a whole number, got ${rest.join(' ')}.`)
    return steps.filter((_, place) => place % PARTS === part % PARTS)
  }
  const names = first === undefined ? [''] : [first, ...rest]
  const found = steps.filter(({ name }) => names.some((part) => name.includes(part)))
  return found.length > 0 ? found : end(2, `No step is named ${names.join(', ')}.`)
}

function end(code, message) {
  if (message !== undefined) console.error(message)
  console.log(steps.map(({ name }) => name).join('\n'))
  process.exit(code)
}

/** Whether a step may be skipped: any by default. */
function maySkip(name) {
  const { MAY_SKIP: starts } = process.env
  return (
    starts === undefined || starts.split(',').some((start) => start !== '' && name.startsWith(start.trim()))
  )
}
