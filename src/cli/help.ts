/** The help of the binary and of its commands, in 80 columns, examples first. */
import { commonOptions, type Option } from './arguments.ts'
import type { Command, CommandEntry } from './command.ts'

const COLUMNS = 80

/** The help of the binary. */
export function generalHelp(commands: readonly CommandEntry[]): string {
  return sections([
    ['Usage', ['  turnstream <command> [options]', '  turnstream <command> --help']],
    ['Commands', rows(commands.map(({ name, summary }) => [name, summary]))],
    [
      'Options',
      rows([
        ['--version', 'Show the version'],
        ['--help', 'Show this help'],
      ]),
    ],
  ])
}

/** The help of one command. */
export function commandHelp(name: string, { usage, about, examples, options, notes = [] }: Command): string {
  const all = Object.entries({ ...options, ...commonOptions })
  return sections([
    [
      'Examples',
      examples.flatMap(([call, what]) => [...wrapped(what, '  # '), `  turnstream ${name} ${call}`]),
    ],
    ['Usage', [`  turnstream ${name} ${usage}`, '', ...wrapped(about, '  ')]],
    ['Options', rows(all.map(([option, each]) => [spelled(option, each), each.about]))],
    ...(notes.length === 0 ? [] : [['Notes', notes.flatMap((note) => wrapped(note, '  '))] as const]),
  ])
}

function spelled(name: string, { short, value }: Option): string {
  const names = short === undefined || name === 'help' ? `--${name}` : `-${short}, --${name}`
  return value === undefined ? names : `${names} ${value}`
}

function sections(all: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  return all.map(([title, lines]) => `${title}:\n${lines.join('\n')}\n`).join('\n')
}

/** Two columns, the second wrapped. */
function rows(all: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...all.map(([left]) => left.length)) + 4
  return all.flatMap(([left, right]) => {
    const [first = '', ...more] = wrapped(right, ' '.repeat(width))
    return [`  ${left}`.padEnd(width) + first.slice(width), ...more]
  })
}

/** A text in lines that begin with the same indent. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    if (line.length + word.length > COLUMNS && line.trim() !== '') {
      lines.push(line.trimEnd())
      line = ' '.repeat(indent.length)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}
