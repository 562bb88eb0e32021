/**
 * `npm run bench`: is it as fast and as small as promised?
 *
 *     npm run bench -- --only sse          one group, or several: --only sse --only encode
 *     npm run bench -- --rounds 3          fewer samples (default 7)
 *     npm run --silent bench -- --json     figures for programs, on standard output
 *
 * What counts are ratios to other work measured in the same run; the times themselves are the
 * machine's. Each group runs in a process of its own, bundled as the product is, so that neither heap
 * nor compiled code of one disturbs another. Before it measures, a group checks that all of its
 * contenders make the same of the same input; the run fails when they do not. It does not fail for a
 * budget that is not met: that is a matter of the machine, too.
 *
 * A new group is a file and a line: export `bench(rounds: number): Promise<Row[]>` from
 * `bench/<name>.ts`, built on `race` of harness.ts, and name it in `groups`. A new entry point of the
 * package is a line in sizes.ts.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { type Budget, clockName, type Row } from './harness.ts'

interface Group {
  readonly name: string
  /** Whether it is measured once more where code must not be made from strings, as under a strict CSP. */
  readonly alsoWithoutEval?: boolean
}

const groups: readonly Group[] = [
  { name: 'sse', alsoWithoutEval: true },
  { name: 'validate', alsoWithoutEval: true },
  { name: 'peers' },
  { name: 'encode' },
  { name: 'thoughts' },
  { name: 'streams' },
  { name: 'fold' },
  { name: 'frames' },
  { name: 'session' },
  { name: 'a2a' },
  { name: 'sizes' },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const WITHOUT_EVAL = '--disallow-code-generation-from-strings'

interface Options {
  readonly only: readonly string[]
  readonly rounds: number
  readonly json: boolean
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '7' },
      json: { type: 'boolean', default: false },
    },
  })
  const names = groups.map(({ name }) => name)
  const strange = values.only.find((name) => !names.includes(name))
  if (strange !== undefined) throw new TypeError(`--only ${strange}: give one of ${names.join(', ')}.`)
  const rounds = Number(values.rounds)
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new TypeError(`"--rounds" must be an integer >= 1, got ${JSON.stringify(values.rounds)}.`)
  return { ...values, rounds }
}

/** Bundles a group with the product, and leaves other packages where they are installed. */
async function bundle(name: string, outfile: string): Promise<void> {
  const contents = `import { bench } from './${name}.ts'
console.log(JSON.stringify(await bench(Number(process.argv[2]))))`
  await build({
    stdin: { contents, resolveDir: join(root, 'bench') },
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    logLevel: 'silent',
  })
}

/** Runs a bundled group in a process of its own. */
async function measure(file: string, rounds: number, flags: readonly string[]): Promise<Row[]> {
  const child = spawn(process.execPath, ['--expose-gc', ...flags, file, `${rounds}`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const output = await text(child.stdout)
  if ((await exit) !== 0) throw new Error('It failed; see above.')
  return JSON.parse(output)
}

async function measureGroup(
  { name, alsoWithoutEval }: Group,
  rounds: number,
  folder: string,
): Promise<Row[]> {
  const file = join(folder, `${name}.mjs`)
  await bundle(name, file)
  const rows = await measure(file, rounds, [])
  if (alsoWithoutEval !== true) return rows
  const again = await measure(file, rounds, [WITHOUT_EVAL])
  return [...rows, ...again.map((row) => ({ ...row, what: `${row.what}, without eval` }))]
}

function isMet({ figure, bound, limit }: Budget): boolean {
  return bound === 'at most' ? figure <= limit : figure >= limit
}

function lineOf({ what, measured, ratio, budget }: Row): string {
  const times = (figure: number): string => `${figure.toFixed(figure < 20 ? 2 : 0)}×`
  const promise = budget && `${budget.bound === 'at most' ? '≤' : '≥'} ${budget.limit}${unitOf(budget)}`
  const comparison = ratio && `${times(ratio.typical)} (best ${times(ratio.best)}) ${ratio.against}`
  const verdict = budget && (isMet(budget) ? 'yes' : '**no**')
  return `| ${[what, promise, measured, comparison, verdict].map((cell) => cell ?? '').join(' | ')} |`
}

function unitOf({ unit }: Budget): string {
  return unit === 'x' ? '×' : ` ${unit}`
}

async function main(): Promise<void> {
  const { only, rounds, json } = readOptions()
  const machine = {
    node: process.version,
    cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    clock: clockName,
    load: Number(loadavg()[0]?.toFixed(2)),
  }
  const print = json ? () => {} : console.log
  print(
    `Node ${machine.node}, ${machine.cpu}, load ${machine.load}; ${clockName}, median of ${rounds} rounds\n`,
  )
  print('| What | Budget | Measured | Ratio | Met |')
  print('|---|---|---|---|---|')

  // Inside the project, so that the other packages are found.
  const folder = mkdtempSync(join(root, 'node_modules', '.agentwire-bench-'))
  const rows: (Row & { group: string; met?: boolean })[] = []
  try {
    for (const group of groups) {
      if (only.length > 0 && !only.includes(group.name)) continue
      try {
        for (const row of await measureGroup(group, rounds, folder)) {
          rows.push({ group: group.name, ...row, ...(row.budget && { met: isMet(row.budget) }) })
          print(lineOf(row))
        }
      } catch (error) {
        console.error(`${group.name}: ${error instanceof Error ? error.message : String(error)}`)
        process.exitCode = 1
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (json) console.log(JSON.stringify({ ...machine, rounds, rows }, null, 2))
}

await main()
