/**
 * `npm run bench`: is the packed package as fast and as small as promised?
 *
 *     npm run bench                               everything, on Node 20 and 24
 *     npm run bench -- decode peers               these groups of runner/groups.ts
 *     npm run bench -- --node 24 decode           on Node 24 alone
 *     npm run bench -- --rounds 21 decode         more samples than 7
 *     npm run bench -- --write                    the tables into BENCHMARKS.md and the figures into bench/results.json, too
 *
 * The package is packed and installed in a temporary folder with its peers (`bench/package.json`), and each
 * group runs there in a process of its own. What counts are ratios to other work of the same run: contenders
 * alternate, and times are CPU times of the main thread. A group first checks that its contenders make the same
 * of the same input; the run fails if they do not. It does not fail for a budget that is not met.
 *
 * A new group is `bench/rows/<name>.ts`, which exports `bench`, a line in runner/groups.ts, and a part of
 * BENCHMARKS.md.
 */
import { cpus, loadavg } from 'node:os'
import { bench as sizes } from './rows/sizes.ts'
import { type Group, groups } from './runner/groups.ts'
import { bundleGroup, measure } from './runner/measure.ts'
import { findNode, type Node } from './runner/node.ts'
import { readOptions } from './runner/options.ts'
import { writePart } from './runner/page.ts'
import { installProject } from './runner/project.ts'
import { writeResult } from './runner/results.ts'
import { budgetsOf, type Column, tableOf } from './runner/table.ts'
import { clockName } from './support/race.ts'

const options = readOptions(process.argv.slice(2))
const nodes = options.nodes.map(findNode)
const versions = `Node ${nodes.map(({ version }) => version).join(' and ')}`
const date = new Date().toISOString().slice(0, 10)
const machine = `${date}, ${versions}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, ${clockName}, medians of ${options.rounds} rounds`

console.log(`${machine}\n`)
const project = installProject()
try {
  let budgets = 0
  const missed: string[] = []
  for (const group of options.groups) {
    try {
      const columns = await columnsOf(group, nodes)
      const text = `\`npm run bench -- ${group.name}\`: ${group.title}.\n\n${tableOf(columns)}`
      console.log(`${text}\n`)
      const promised = budgetsOf(columns)
      budgets += promised.count
      missed.push(...promised.missed.map((row) => `- ${group.name}: ${row}`))
      if (options.write) {
        writePart(group.name, text)
        writeResult(group.name, { title: group.title, measured: machine, columns })
      }
    } catch (error) {
      console.error(`${group.name}: ${String(error)}`)
      process.exitCode = 1
    }
  }
  const met = `${budgets - missed.length} of ${budgets} budgets are met.`
  const summary = missed.length === 0 ? met : `${met} Not met:\n\n${missed.join('\n')}`
  console.log(summary)
  const isWhole = options.groups.length === groups.length && process.exitCode === undefined
  if (options.write && isWhole) writePart('summary', `${machine}.\n\n${summary}`)
} finally {
  project.remove()
}

async function columnsOf({ name, needs }: Group, on: readonly Node[]): Promise<Column[]> {
  if (needs === 'once') return [{ title: 'measured', rows: await sizes(project) }]
  const file = await bundleGroup(name, project.folder)
  const columns: Column[] = []
  for (const node of on) {
    columns.push({ title: `Node ${node.major}`, rows: await measure(file, node, options.rounds) })
  }
  return columns
}
