/** The commands of the binary. Each is loaded when it is called, so that the others do not delay it. */
import type { CommandEntry } from './command.ts'

export const commands: readonly CommandEntry[] = [
  {
    name: 'conformance',
    summary: 'Run the conformance suites against a program in any language',
    load: async () => (await import('./conformance/index.ts')).conformance,
  },
]
