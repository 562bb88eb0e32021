/**
 * `npm run mutants`: changes the sources in small ways and lists the changes that no test notices.
 *
 *     npm run mutants -- [src/sse …] [--seed 7] [--count 400] [--minutes 45] [--workers 2] [--related]
 *
 * Each mutant is tested in a copy of the project with the tests that mirror its folder; with `--related`,
 * survivors are tested with all tests that import their file. Mutants that behave like the original are listed in
 * `scripts/mutants/equivalents.json`.
 */
import { fileURLToPath } from 'node:url'
import { parseOptions } from './mutants/options.ts'
import { report } from './mutants/report.ts'
import { draw, mirroredTests, testMutants, timeTests } from './mutants/run.ts'
import { createWorkspace, type Workspace } from './mutants/workspace.ts'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const options = parseOptions(process.argv.slice(2))
console.log(`Seed ${options.seed}: repeat with \`npm run mutants -- --seed ${options.seed}\`.`)

const drawn = draw(root, options)
console.log(`${drawn.mutants.length} mutants of ${options.folders.join(', ')}.`)

let isInterrupted = false
const workspaces: Workspace[] = []
const removeAll = (): void => {
  for (const workspace of workspaces) workspace.remove()
}
process.on('exit', removeAll)
process.on('SIGINT', () => {
  isInterrupted = true
  console.log('Interrupted.')
})
process.on('SIGTERM', () => process.exit(1))

for (let i = 0; i < options.workers; i++) workspaces.push(createWorkspace(root))
const [first] = workspaces
if (first !== undefined) {
  const folders = new Set(drawn.mutants.map(({ path }) => mirroredTests(root, path)))
  const times = timeTests(first, [...folders])
  const deadline = Date.now() + options.minutes * 60_000
  const isOver = (): boolean => isInterrupted || Date.now() > deadline
  const verdicts = await testMutants(root, drawn, workspaces, times, options, isOver)
  const missing = drawn.mutants.length - verdicts.length
  console.log(`\n${report([...drawn.verdicts, ...verdicts])}`)
  if (missing > 0) console.log(`${missing} mutants were not tested.`)
}
