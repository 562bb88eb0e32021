/** Writing the events of a recording, which may hold any number of tasks, in another format. */

import type { Dialect } from '../dialects.ts'
import { inTurn } from './in-turn.ts'
import { type EventWriter, machineWriter, type WriterMachine } from './machine-writer.ts'

/** The writer of a format, by its machine. In formats with one task at a time, the tasks of a user follow each other. */
export function eventWriter<State, Out>(format: Dialect, machine: WriterMachine<State, Out>): EventWriter {
  const open = (): EventWriter => machineWriter(machine)
  switch (format) {
    case 'ag-ui':
      return inTurn(open, 'always')
    case 'session':
      return inTurn(open, 'ended')
    case 'a2a':
    case 'ai-sdk':
    case 'agent-event':
    case 'openai-chat':
      return inTurn(open, 'never')
    default:
      return open()
  }
}
