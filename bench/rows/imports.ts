/** Cold start: CPU time of the first import in a process. */
import { measureInChild } from '../support/child.ts'
import { median } from '../support/race.ts'
import { atMost, type Budget, type Effort, type Row } from '../support/row.ts'

const modules: Readonly<Record<string, Budget | undefined>> = {
  agentwire: atMost(15),
  'agentwire/sse': undefined,
  'agentwire/thoughts': undefined,
  'agentwire/streams': undefined,
  'agentwire/zod': undefined,
  'agentwire/a2a': undefined,
  'agentwire/frames': undefined,
  'agentwire/agent-event': undefined,
  'agentwire/session': undefined,
  'eventsource-parser': undefined,
  '@ag-ui/client': undefined,
  ai: undefined,
  zod: undefined,
}

export async function bench({ rounds }: Effort): Promise<Row[]> {
  const names = Object.keys(modules)
  const samples = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < Math.ceil(rounds / 2); round++) {
    for (const name of names) samples.get(name)?.push(importMs(name))
  }
  return names.map((name) => {
    const budget = modules[name]
    const what = `\`import('${name}')\``
    return { what, figure: median(samples.get(name) ?? []), unit: 'ms', ...(budget && { budget }) }
  })
}

function importMs(name: string): number {
  return measureInChild(`
    const before = process.cpuUsage()
    await import('${name}')
    const { user, system } = process.cpuUsage(before)
    report((user + system) / 1000)
  `)
}
