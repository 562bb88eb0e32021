/** Running one command of the binary. */
import { commonOptions, parseArguments } from './arguments.ts'
import type { CommandEntry } from './command.ts'
import { commands } from './commands.ts'
import { visible } from './escape.ts'
import { commandHelp, generalHelp } from './help.ts'
import { suggestion } from './nearest.ts'
import { packageVersion } from './package.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The exit code of a command that could not do its work. */
const FAILED = 2

/**
 * Runs the binary and resolves to its exit code: 0 for success, 1 for findings, 2 for a call that it cannot carry out.
 *
 * @param args - The arguments after the name of the binary.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  if (name === 'help' && rest.length === 1) return runCli([...rest, '--help'], terminal)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(generalHelp(commands))
    return name === undefined ? FAILED : 0
  }
  if (name === '--version' || name === '-v') {
    terminal.out(`${await packageVersion()}\n`)
    return 0
  }
  const entry = commands.find((command) => command.name === name)
  if (entry === undefined) {
    const hint = suggestion(name, [...commands.map((command) => command.name), '--version', '--help'])
    terminal.err(
      `turnstream: Unknown ${name.startsWith('-') ? 'option' : 'command'} ${visible(name)}.${hint}\nRun "turnstream --help" for the commands.\n`,
    )
    return FAILED
  }
  return runCommand(entry, rest, terminal)
}

async function runCommand(
  { name, command }: CommandEntry,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const parsed = parseArguments(args, { ...command.options, ...commonOptions })
    if (parsed.options.help === true) {
      terminal.out(commandHelp(name, command))
      return 0
    }
    return await command.run(parsed, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.err(
      `turnstream ${name}: ${visible(error.message)}\nRun "turnstream ${name} --help" for examples.\n`,
    )
    return FAILED
  }
}
