/** The command `turnstream convert`. */
import { randomUUID } from 'node:crypto'
import type { Command } from '../command.ts'
import { inputOf } from '../recording/input.ts'
import { choiceIn, colorOptions, dialectIn, fromOption, styleIn } from '../recording/options.ts'
import { Output } from '../recording/output.ts'
import { readEvents } from '../recording/read-events.ts'
import { UsageError } from '../usage-error.ts'
import { Losses } from './losses.ts'
import { encoderOf, type Target, targets, writerOf } from './writers.ts'

/** What is reported of an event whose recording states no time. */
const NO_TIME = 'Expected a time in the recording, got none; 1970-01-01T00:00:00Z was inferred.'

export const convert: Command = {
  usage: '<file> --to FORMAT [options]',
  about:
    'Converts a recording to another format and writes the stream to standard output. What is lost or inferred is a table on standard error.',
  examples: [
    ['run.sse --to ag-ui', 'Any format to AG-UI'],
    ['chunks.jsonl --from openai-chat --to ai-sdk --sse', 'As Server-Sent Events, as useChat reads them'],
    ['run.sse --to core | turnstream fold -', 'Into another command'],
    ['run.sse --to a2a --strict', 'Fails if anything is lost'],
  ],
  options: {
    ...fromOption,
    to: { type: 'string', value: 'FORMAT', about: `The format to write: ${targets.join(', ')}` },
    sse: { type: 'boolean', about: 'Write Server-Sent Events instead of JSON Lines' },
    version: {
      type: 'string',
      value: 'V',
      about: 'Of the format: 1.0 (default) or 0.3 of a2a, v1 (default) or v2 of frames',
    },
    extension: { type: 'boolean', about: 'Carry what the format has no field for: a2a, ag-ui, ai-sdk' },
    audience: {
      type: 'string',
      value: 'WHO',
      about: 'Who will read it: user (default), coordinator, parent, observer or operator (default of core)',
    },
    strict: { type: 'boolean', about: 'Exit with 1 if anything is lost' },
    ...colorOptions,
  },
  notes: ['Exit codes: 0 if it was converted, 1 with --strict if anything was lost, 2 if it cannot be read.'],
  async run(args, terminal) {
    const from = dialectIn(args, 'from')
    const to = dialectIn(args, 'to', targets)
    if (to === undefined) throw new UsageError(`Expected --to ${targets.join(', ')}.`)
    const audience =
      args.options.audience === undefined && to === 'core'
        ? 'operator'
        : choiceIn(args, 'audience', ['user', 'coordinator', 'parent', 'observer', 'operator'])
    const { version, extension } = args.options
    if (version !== undefined && to !== 'a2a' && to !== 'frames') {
      throw new UsageError(`Expected --version with --to a2a or frames, got --to ${to}.`)
    }
    const writer = await writerOf(to as Target, {
      viewer: { audience },
      extension: extension === true,
      ...(typeof version === 'string' && { version }),
      newId: randomUUID,
    })
    const input = await inputOf(args)
    const encode = encoderOf(to as Target, args.options.sse === true)
    const losses = new Losses()
    const output = new Output(terminal)
    const hasTimes = to !== 'ai-sdk' && to !== 'agent-event'
    const write = ({ out, diagnostics = [] }: ReturnType<typeof writer.push>, line: number): void => {
      for (const value of out) output.add(encode.value(value))
      for (const { code, message } of diagnostics) addLoss(code, message, line)
    }
    const addLoss = (code: string, message: string, line: number): void => {
      losses.add(code, message, line)
      if (args.options.strict === true && losses.hasLoss) terminal.endEarlyWith?.(1)
    }
    let last = 1
    await readEvents(input, terminal, {
      from,
      onEvent: (event, line, isTimed) => {
        last = line
        if (hasTimes && !isTimed) losses.add('inferred:timestamp', NO_TIME, line)
        write(writer.push(event), line)
      },
      onLoss: ({ code, message, line }) => addLoss(code, message, line),
      onChunk: () => output.continue(),
    })
    write(writer.end(), last)
    output.add(encode.end)
    await output.flush()
    terminal.err(
      losses.table(
        styleIn(args, {
          ...terminal,
          isColored: terminal.isInteractive === true && terminal.isColored === true,
        }),
      ),
    )
    return args.options.strict === true && losses.hasLoss ? 1 : 0
  },
}
