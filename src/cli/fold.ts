/** The command `turnstream fold`. */
import { createViewStore } from '../streams/view/fold/view-store.ts'
import type { Command } from './command.ts'
import { jsonText } from './escape.ts'
import { inputOf } from './recording/input.ts'
import { dialectIn, formatNote, fromOption } from './recording/options.ts'
import { readAll } from './recording/read-events.ts'

export const fold: Command = {
  usage: '<file> [options]',
  about: 'Prints the view that a recording leads to, as JSON: what a user interface shows at its end.',
  examples: [
    ['run.sse', 'The view of a recording of any format'],
    ["run.jsonl --compact | jq '.tasks[0].parts'", 'Into another program'],
  ],
  options: {
    ...fromOption,
    compact: { type: 'boolean', about: 'Print the JSON on one line' },
  },
  notes: [
    formatNote,
    'The view holds all texts, so memory grows with the recording.',
    'Exit codes: 0 if the recording was read, 2 if it was not.',
  ],
  async run(args, terminal) {
    const from = dialectIn(args, 'from')
    const input = await inputOf(args)
    const store = createViewStore()
    await readAll(input, terminal, {
      from,
      onEvent: (event) => store.push([event]),
    })
    terminal.out(`${jsonText(store.getSnapshot(), args.options.compact === true ? 0 : 2)}\n`)
    return 0
  },
}
