/** What a command of the binary is. */
import type { Arguments, OptionTable } from './arguments.ts'
import type { Terminal } from './terminal.ts'

/** A command. */
export interface Command {
  /** How it is called, after its name. */
  readonly usage: string
  /** What it does, in one or two sentences. */
  readonly about: string
  /** Calls to copy, each with what it does. The name of the binary is added. */
  readonly examples: readonly (readonly [call: string, about: string])[]
  readonly options: OptionTable
  /** Further paragraphs of its help. Omitted if there are none. */
  readonly notes?: readonly string[]
  /**
   * Runs the command and resolves to its exit code.
   *
   * @throws UsageError for arguments that it cannot work with.
   */
  readonly run: (args: Arguments, terminal: Terminal) => Promise<number>
}

/** A command in the table of the binary. */
export interface CommandEntry {
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  readonly command: Command
}
