/** The command line of the runner. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

/** Where mutants are drawn by default. */
const DEFAULT_FOLDERS = ['events', 'sse', 'thoughts', 'validation', 'emitter', 'event-stream', 'core']

/** What a run does. */
export interface RunOptions {
  /** The folders to draw from, in equal shares, such as `src/sse`. */
  readonly folders: readonly string[]
  /** The seed of the draw. */
  readonly seed: number
  /** How many mutants are drawn, besides those that do not compile. */
  readonly count: number
  /** Minutes after which no further mutant is tested. */
  readonly minutes: number
  /** How many copies of the project are used at a time. */
  readonly workers: number
  /** Whether survivors are tested with every test that imports their file too. */
  readonly related: boolean
}

/**
 * Parses the arguments of the command.
 *
 * @throws TypeError if a number is not one.
 */
export function parseOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      count: { type: 'string' },
      minutes: { type: 'string' },
      workers: { type: 'string' },
      related: { type: 'boolean' },
    },
  })
  const number = (name: 'seed' | 'count' | 'minutes' | 'workers', fallback: number): number => {
    const value = Number(values[name] ?? fallback)
    if (value > 0) return value
    throw new TypeError(`"--${name}" must be a number > 0, got ${values[name]}.`)
  }
  const folders = positionals.map((each) => each.replace(/\/+$/, ''))
  return {
    folders: folders.length > 0 ? folders : DEFAULT_FOLDERS.map((name) => `src/${name}`),
    seed: number('seed', 1 + Math.floor(Math.random() * (2 ** 31 - 1))),
    count: number('count', 400),
    minutes: number('minutes', 45),
    workers: number('workers', availableParallelism()),
    related: values.related ?? false,
  }
}
