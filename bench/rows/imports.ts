/** Cold start: CPU time of the first import in a process. */
import packageJson from '../../package.json' with { type: 'json' }
import { measureInChild } from '../support/child.ts'
import { median } from '../support/race.ts'
import { atMost, type Effort, type Row } from '../support/row.ts'

/** Every entry point, and peers. */
const names = [
  ...Object.keys(packageJson.exports)
    .filter((path) => !/[*]|json$|html$/.test(path))
    .map((path) => path.replace(/^\./, 'turnstream')),
  'eventsource-parser',
  '@ag-ui/client',
  'ai',
  'zod',
]

export async function bench({ rounds }: Effort): Promise<Row[]> {
  const samples = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < Math.ceil(rounds / 2); round++) {
    for (const name of names) samples.get(name)?.push(importMs(name))
  }
  return names.map((name) => ({
    what: `\`import('${name}')\``,
    figure: median(samples.get(name) ?? []),
    unit: 'ms',
    ...(name === 'turnstream' && { budget: atMost(15) }),
  }))
}

function importMs(name: string): number {
  return measureInChild(`
    const before = process.cpuUsage()
    await import('${name}')
    const { user, system } = process.cpuUsage(before)
    report((user + system) / 1000)
  `)
}
