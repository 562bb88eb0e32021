/** The properties of what reads untrusted text, over many more cases than `npm test` has time for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './command.ts'
import { Skipped, type Step } from './step.ts'

export const fuzzSteps: readonly Step[] = ['test/sse', 'test/thoughts'].map((folder) => ({
  name: `fuzz: ${folder}`,
  async run({ root }) {
    const raised = readdirSync(join(root, folder)).filter((file) =>
      /support\/(?:runs|law)\.ts'/.test(readFileSync(join(root, folder, file), 'utf8')),
    )
    if (raised.length === 0) throw new Skipped(`no property in ${folder} reads FC_RUNS`)
    const FC_RUNS = process.env.FC_RUNS ?? '20000'
    const vitest = join(root, 'node_modules/.bin/vitest')
    const files = raised.filter((file) => file.endsWith('.test.ts')).map((file) => join(folder, file))
    await command(vitest, ['run', '--testTimeout=1800000', ...files], { cwd: root, env: { FC_RUNS } })
    return `${files.length} test files, at least ${FC_RUNS} cases for each property that reads FC_RUNS`
  },
}))
