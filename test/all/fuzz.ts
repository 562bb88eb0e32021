/** The properties of what reads untrusted text, and of streams, over many more cases than `npm test` has time for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './command.ts'
import { Skipped, type Step } from './step.ts'

/** Cases for each property, by folder. A case of `test/streams` is a whole stream, or several. */
const cases: Readonly<Record<string, number>> = {
  'test/sse': 20_000,
  'test/thoughts': 20_000,
  'test/streams': 3_000,
}

export const fuzzSteps: readonly Step[] = Object.entries(cases).map(([folder, normal]) => ({
  name: `fuzz: ${folder}`,
  async run({ root }) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file))
      .filter((file) => /support\/(?:runs|law)\.ts'/.test(readFileSync(join(root, file), 'utf8')))
    if (files.length === 0) throw new Skipped(`no property in ${folder} reads FC_RUNS`)
    const FC_RUNS = process.env.FC_RUNS ?? String(normal)
    const vitest = join(root, 'node_modules/.bin/vitest')
    await command(vitest, ['run', '--testTimeout=1800000', ...files], { cwd: root, env: { FC_RUNS } })
    return `${files.length} test files, at least ${FC_RUNS} cases for each property that reads FC_RUNS`
  },
}))
