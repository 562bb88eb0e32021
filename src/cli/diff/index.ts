/** The command `turnstream diff`. */

import { addEntry, compare, type Entry } from '../../inspect/diff/compare.ts'
import type { Arguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { printable } from '../escape.ts'
import { inputOf } from '../recording/input.ts'
import { colorOptions, dialectIn, formatNote, fromOption, styleIn } from '../recording/options.ts'
import { readAll } from '../recording/read-events.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { differenceLines, summaryLine } from './text.ts'

export const diff: Command = {
  usage: '<file> <file> [options]',
  about:
    'Shows which events of two recordings differ. Times, ids that stand for each other, and how texts are cut into deltas are no difference.',
  examples: [
    ['before.sse after.sse', 'Two runs of an agent'],
    ['run.sse golden.jsonl', 'Also in different formats, in CI: the exit code is 1 if they differ'],
  ],
  options: { ...fromOption, ...colorOptions },
  notes: [
    formatNote,
    'The events of both recordings are held in memory.',
    'Exit codes: 0 if no event differs, 1 if one does, 2 if a recording was not read, or not all of it.',
  ],
  async run(args, terminal) {
    const files = [...args.operands, ...args.rest]
    if (files.length !== 2) {
      throw new UsageError(`Expected two files, got ${files.length === 0 ? 'none' : files.join(', ')}.`)
    }
    if (files.every((file) => file === '-'))
      throw new UsageError('Expected standard input once, as it can be read once, got it twice.')
    const [nameA = '', nameB = ''] = files
    const [a, b] = [await readEntries(args, nameA, terminal), await readEntries(args, nameB, terminal)]
    const differences = compare(a.entries, b.entries)
    const style = styleIn(args, terminal)
    if (differences.length > 0) terminal.out(`${printable(`- ${nameA} + ${nameB}`)}\n`)
    for (const difference of differences) terminal.out(differenceLines(difference, style))
    terminal.out(summaryLine(differences, a.entries.length))
    if (!a.isWhole || !b.isWhole) return 2
    return differences.length === 0 ? 0 : 1
  },
}

async function readEntries(
  args: Arguments,
  file: string,
  terminal: Terminal,
): Promise<{ entries: Entry[]; isWhole: boolean }> {
  const entries: Entry[] = []
  const isWhole = await readAll(await inputOf({ operands: [file], rest: [] }), terminal, {
    from: dialectIn(args, 'from'),
    onEvent: (event, line) => addEntry(entries, event, line),
  })
  return { entries, isWhole }
}
