/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util'
import { type Group, groups } from './groups.ts'

export interface Options {
  readonly groups: readonly Group[]
  /** Major versions of Node. */
  readonly nodes: readonly string[]
  readonly rounds: number
  /** Whether the tables of BENCHMARKS.md are replaced. */
  readonly write: boolean
}

/** @throws TypeError for an unknown group or option. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      node: { type: 'string', multiple: true, default: ['20', '24'] },
      rounds: { type: 'string', default: '7' },
      write: { type: 'boolean', default: false },
    },
  })
  const names = groups.map(({ name }) => name)
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`Unknown group ${JSON.stringify(unknown)}: expected one of ${names.join(', ')}.`)
  const rounds = Number(values.rounds)
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new TypeError(`"--rounds" must be an integer >= 1, got ${JSON.stringify(values.rounds)}.`)
  return {
    groups: groups.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    nodes: values.node,
    rounds,
    write: values.write,
  }
}
