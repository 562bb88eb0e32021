/** Reading the arguments of a command. */
import { parseArgs } from 'node:util'
import { suggestion } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** One option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean'
  /** Whether it may be repeated. */
  readonly multiple?: boolean
  /** Its other name, of one letter. Omitted: it has none. */
  readonly short?: string
  /** What its value is called in the help. Omitted for a boolean option. */
  readonly value?: string
  /** What it does, for the help. */
  readonly about: string
}

/** The options of a command, by name. */
export type OptionTable = Readonly<Record<string, Option>>

/** The arguments of a command. */
export interface Arguments {
  /** The values of the options that were given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  /** The arguments that are no options, before `--`. */
  readonly operands: readonly string[]
  /** Everything after `--`, unread. */
  readonly rest: readonly string[]
}

/** Every command has these. */
export const commonOptions: OptionTable = {
  help: { type: 'boolean', short: 'h', about: 'Show this help' },
}

/**
 * Parses the arguments of a command.
 *
 * @throws UsageError for an unknown option, or one whose value is missing.
 */
export function parseArguments(args: readonly string[], table: OptionTable): Arguments {
  const at = args.indexOf('--')
  const [own, rest] = at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)]
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { type, multiple = false, short }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({ args: [...own], options, allowPositionals: true })
    return { options: values as Arguments['options'], operands: positionals, rest }
  } catch (error) {
    throw new UsageError(reasonOf(error as NodeJS.ErrnoException, own, table))
  }
}

function reasonOf(
  { code, message }: NodeJS.ErrnoException,
  args: readonly string[],
  table: OptionTable,
): string {
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && message.includes('ambiguous')) {
    const option = /'(--[^']+)'/.exec(message)?.[1] ?? 'the option'
    return `Expected ${option}=VALUE for a value that begins with a hyphen.`
  }
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${message.split('\n', 1)[0]?.replace(/\.$/, '')}.`
  const names = Object.keys(table).map((name) => `--${name}`)
  const short = Object.values(table).flatMap((option) => option.short ?? [])
  const isKnown = (arg: string): boolean =>
    arg.startsWith('--') ? names.includes(arg.replace(/=.*/s, '')) : short.includes(arg.charAt(1))
  const unknown = args.find((arg) => /^--?\w/.test(arg) && !isKnown(arg))
  const given = unknown?.replace(/=.*/, '') ?? ''
  return `Unknown option ${given}.${suggestion(given, names)}`
}
