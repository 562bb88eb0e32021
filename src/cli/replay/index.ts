/** The command `turnstream replay`. */
import { randomBytes } from 'node:crypto'
import type { Arguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { printable } from '../escape.ts'
import { runLocally } from '../local/local-server.ts'
import { inputOf } from '../recording/input.ts'
import { faultText, NO_VALUES } from '../recording/known.ts'
import { dialectIn, formatNote, fromOption, integerIn } from '../recording/options.ts'
import { counted } from '../recording/units.ts'
import { UsageError } from '../usage-error.ts'
import { readReplay } from './messages.ts'
import { replayServer } from './server.ts'

export const replay: Command = {
  usage: '<file> [options]',
  about:
    'Serves a recording as Server-Sent Events on 127.0.0.1, at the speed at which it was recorded. Each message has an id; a client that reconnects with Last-Event-ID continues after it.',
  examples: [
    ['run.sse --port 4000', 'At http://127.0.0.1:4000/, and at the path that it prints'],
    ['run.jsonl --speed 10', 'Ten times as fast'],
    ['run.sse --drop-after 5', 'Drop each connection after five messages, to try reconnecting'],
  ],
  options: {
    ...fromOption,
    port: { type: 'string', value: 'N', about: 'The port; a free one if omitted or 0' },
    speed: {
      type: 'string',
      value: 'N',
      about: 'How many times as fast as recorded, such as 10 or 0.5; max to wait never (default 1)',
    },
    interval: {
      type: 'string',
      value: 'MS',
      about: 'Between two messages of a recording without times (default 20)',
    },
    'drop-after': { type: 'string', value: 'N', about: 'Drop each connection after N messages' },
    once: { type: 'boolean', about: 'Exit when one client has received the end' },
  },
  notes: [
    formatNote,
    'The recording is held in memory. Only this machine can connect. Any path is the stream, for programs and for pages that this machine serves; a page opened from a file needs the printed path.',
    'A client whose Last-Event-ID is unknown starts from the first message.',
    'Exit codes: 0 when it is interrupted, 2 if the recording cannot be read or the port is taken.',
  ],
  async run(args, terminal) {
    const from = dialectIn(args, 'from')
    const port = integerIn(args, 'port', 0, 0, 65_535)
    const speed = speedIn(args)
    const interval = integerIn(args, 'interval', 0, 20)
    const dropAfter =
      args.options['drop-after'] === undefined ? undefined : integerIn(args, 'drop-after', 1, 1)
    const input = await inputOf(args)
    const messages = await readReplay(input.chunks, from, interval)
    if (messages.messages.length === 0) {
      const why = faultText(messages.firstFault)
      throw new UsageError(`${input.name}: Expected messages, got none.${why}${NO_VALUES}`)
    }
    if (messages.faults > 0)
      terminal.err(`Left out ${counted(messages.faults, 'fault')}; see turnstream validate.\n`)
    const secretPath = `/${randomBytes(16).toString('hex')}`
    const server = replayServer(messages, {
      secretPath,
      speed,
      ...(dropAfter !== undefined && { dropAfter }),
      onLog: (text) => {
        terminal.err(`${printable(text)}\n`)
        if (args.options.once === true && text.endsWith('sent to the end.')) running.stop(true)
      },
    })
    const running = runLocally(server, port, (address) => {
      terminal.out(`${address}${secretPath}\n`)
      terminal.err(
        `Serving ${counted(messages.messages.length, 'message')} of ${printable(input.name)}. Press Ctrl+C to stop.\n`,
      )
    })
    return running.done
  },
}

function speedIn({ options: { speed = '1' } }: Arguments): number {
  if (speed === 'max') return Number.POSITIVE_INFINITY
  const number = Number(speed)
  if (!(number > 0) || number > 1e6)
    throw new UsageError(`Expected --speed as a number above 0, or max, got ${String(speed)}.`)
  return number
}
