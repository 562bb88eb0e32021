/** The suite of `npm test` in ways that it has no time for: slow tests, coverage, other languages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../build.ts'
import { command } from '../command.ts'
import { Skipped, type Step } from '../step.ts'

interface Report {
  readonly numPassedTests: number
}

/** Tests that wait for real time, or start many processes. */
const slowTests: Step = {
  name: 'suite: slow tests',
  async run({ root, temporary }) {
    const vitest = join(root, 'node_modules/.bin/vitest')
    const file = join(temporary, 'slow.json')
    await command(vitest, ['run', '--reporter=json', `--outputFile=${file}`], {
      cwd: root,
      env: { SLOW: '1' },
    })
    const report: Report = JSON.parse(readFileSync(file, 'utf8'))
    if (report.numPassedTests === 0) throw new Error('expected slow tests in test/**/*.slow.ts, found none')
    return `${report.numPassedTests} tests`
  },
}

/** Counting the lines makes the suite half as slow again. The threshold is that of vitest.config.ts. */
const coverage: Step = {
  name: 'suite: coverage',
  async run({ root, temporary }) {
    const vitest = join(root, 'node_modules/.bin/vitest')
    const folder = join(temporary, 'coverage')
    // The test of the viewer's page reads what is built.
    await build(root)
    // Sizes are those of the packed tarball, which this has nothing to do with.
    const args = [
      'run',
      '--coverage',
      '--coverage.reporter=json-summary',
      '--testTimeout=600000',
      '--exclude=test/package-size.test.ts',
    ]
    // More cases reach no other lines.
    const env = { FC_RUNS: '0' }
    await command(vitest, [...args, `--coverage.reportsDirectory=${folder}`, '--reporter=dot'], {
      cwd: root,
      env,
    })
    const { total } = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'))
    return `${total.lines.pct} % of the lines, ${total.branches.pct} % of the branches`
  },
}

/** What teams in other languages get from the published schemas. */
const languages: readonly Step[] = ['python', 'go', 'rust', 'java', 'kotlin', 'jsonschema'].map(
  (language) => ({
    name: `language: ${language}`,
    async run({ root }) {
      await build(root)
      const out = await command(process.execPath, ['scripts/test-languages.mjs', language], { cwd: root })
      const [, passed, skipped] = /^(\d+) passed, 0 failed, (\d+) skipped$/m.exec(out) ?? []
      const missing = out.match(/^.*NOT RUN, .*$/gm)?.join('; ')
      if (passed === undefined) throw new Error(`Expected a count of checks, got ${out.slice(-200)}`)
      if (skipped !== '0') throw new Skipped(missing ?? `${skipped} of its checks`)
      return `${passed} checks`
    },
  }),
)

export const suiteSteps: readonly Step[] = [slowTests, coverage, ...languages]
