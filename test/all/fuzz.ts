/** The properties of what reads untrusted text, and of streams, over many more cases than `npm test` has time for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.ts'
import { command } from './command.ts'
import type { Lab } from './lab.ts'
import { Skipped, type Step } from './step.ts'

/** Cases for each property, by folder. A case of `test/streams` is a whole stream, or several. */
const cases: Readonly<Record<string, number>> = {
  'test/sse': 20_000,
  'test/thoughts': 20_000,
  'test/commands': 3_000,
  'test/dialects/shared': 10_000,
  'test/streams': 3_000,
}

/** New cases in each run. `npm test` repeats the same ones. */
const FC_SEED = process.env.FC_SEED ?? 'random'

/** The files of a folder whose text matches. */
function testFiles(root: string, folder: string, text: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((file) => text.test(readFileSync(join(root, file), 'utf8')))
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/**
 * Runs the tests of some files whose name contains a text, and resolves with their number. Fails for
 * a file that has none: vitest itself passes when a filter skips every test.
 */
async function runNamed(
  { root, temporary }: Lab,
  name: string,
  files: readonly string[],
  runs: string,
): Promise<number> {
  const output = join(temporary, 'named.json')
  const vitest = join(root, 'node_modules/.bin/vitest')
  const args = [
    'run',
    '--testTimeout=36000000',
    // The failed law, its case and its seed.
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${output}`,
    '-t',
    name,
    ...files,
  ]
  await command(vitest, args, { cwd: root, env: { FC_RUNS: runs, FC_SEED } })
  const report: VitestReport = JSON.parse(readFileSync(output, 'utf8'))
  const passed = report.testResults.map(({ name: file, assertionResults }) => ({
    file,
    count: assertionResults.filter(({ status }) => status === 'passed').length,
  }))
  const idle = passed.filter(({ count }) => count === 0).map(({ file }) => file)
  if (idle.length > 0 || passed.length !== files.length) {
    throw new Error(
      `no test is named ${name} in ${idle.join(', ')}; ${passed.length} of ${files.length} files ran`,
    )
  }
  return passed.reduce((sum, { count }) => sum + count, 0)
}

/** The law of every reader of another protocol: nothing is lost silently, and its output is legal. */
const readerStep: Step = {
  name: 'fuzz: the law of readers',
  async run(lab) {
    const files = testFiles(lab.root, 'test/dialects', /expectReaderLaw/)
    const runs = process.env.FC_RUNS ?? '100000'
    const laws = await runNamed(lab, 'reader', files, runs)
    return `${files.length} test files, ${laws} laws of readers, ${runs} generated streams each`
  },
}

/** The law of the ledger: each request is answered at most once, whatever clients send and whenever processes crash. */
const ledgerStep: Step = {
  name: 'fuzz: the law of the ledger',
  async run(lab) {
    const runs = process.env.FC_RUNS ?? '100000'
    const laws = await runNamed(lab, 'at most once', ['test/commands/ledger-law.test.ts'], runs)
    return `${laws} laws, ${runs} interleavings each of answers, repeats, expiries, cancellations and crashes`
  },
}

/** The laws of ids that two tasks use: nothing is refused falsely, nothing is mixed, and no call starts that was not approved. */
const collidingStep: Step = {
  name: 'fuzz: two tasks with the same ids',
  async run(lab) {
    const runs = process.env.FC_RUNS ?? '10000'
    const files = ['test/commands/colliding-ids.test.ts', 'test/server/gate.test.ts']
    const laws = await runNamed(lab, 'two tasks with the same ids', files, runs)
    return `${laws} laws, ${runs} random streams of two tasks each`
  },
}

/** The law of revisions: a stream, its compaction and its snapshot fold to the same view. */
const revisionStep: Step = {
  name: 'fuzz: the law of revisions',
  async run(lab) {
    const runs = process.env.FC_RUNS ?? '100000'
    const laws = await runNamed(lab, 'revisions anywhere', ['test/streams/view/revisions.test.ts'], runs)
    return `${laws} laws, ${runs} generated streams each`
  },
}

/** The laws of the writers of each format, with the peers' own verifiers: what is written is legal, whole and reported. */
const faultSteps: readonly Step[] = [
  'frames',
  'session',
  'openai',
  'agent-event',
  'AI SDK',
  'AG-UI',
  'A2A',
  'ACP',
].map((format) => ({
  name: `fuzz: faulty streams, ${format}`,
  async run(lab) {
    const runs = process.env.FC_RUNS ?? '100000'
    await runNamed(lab, `faulty streams: ${format}`, ['test/dialects/engine/faulty-streams.test.ts'], runs)
    return `${runs} generated streams, spread over the variants of the format`
  },
}))

const propertySteps: readonly Step[] = Object.entries(cases).map(([folder, normal]) => ({
  name: `fuzz: ${folder}`,
  async run({ root }) {
    const files = testFiles(root, folder, /support\/(?:runs|law)\.ts'/)
    if (files.length === 0) throw new Skipped(`no property in ${folder} reads FC_RUNS`)
    const FC_RUNS = process.env.FC_RUNS ?? String(normal)
    const vitest = join(root, 'node_modules/.bin/vitest')
    await command(vitest, ['run', '--testTimeout=1800000', ...files], {
      cwd: root,
      env: { FC_RUNS, FC_SEED },
    })
    return `${files.length} test files, at least ${FC_RUNS} cases for each property that reads FC_RUNS`
  },
}))

/**
 * How many parts the files of `npm test` have for a seed that is a number: drawing them all takes longer than a run of CI may.
 * The seeds of four runs of this step in CI, ten commits apart, draw all of them.
 */
const SHARDS = 4
const shard =
  FC_SEED === 'random' ? [] : [`--shard=${(Math.floor(Number(FC_SEED) / 10) % SHARDS) + 1}/${SHARDS}`]

/** Everything that `npm test` runs, on other cases and as many as each test names. */
const drawStep: Step = {
  name: 'fuzz: all properties, drawn anew',
  async run({ root, temporary }) {
    const vitest = join(root, 'node_modules/.bin/vitest')
    const report = join(temporary, 'drawn.json')
    // The test of the viewer's page reads what is built.
    await build(root)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
    await command(vitest, ['run', '--testTimeout=1800000', ...shard, ...reporters], {
      cwd: root,
      env: { FC_SEED, FC_SCALE: '1', FC_RUNS: '0' },
    })
    const { numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number }
    return `${numPassedTests} tests, seed: ${FC_SEED}${shard.map((part) => `, ${part.slice(2)}`).join('')}`
  },
}

export const fuzzSteps: readonly Step[] = [
  ...propertySteps,
  drawStep,
  readerStep,
  ...faultSteps,
  ledgerStep,
  collidingStep,
  revisionStep,
]
