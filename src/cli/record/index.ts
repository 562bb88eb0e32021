/** The command `turnstream record`. */
import { MAX_TIMEOUT_MS } from '../../core/timer.ts'
import type { Command } from '../command.ts'
import { printable, visible } from '../escape.ts'
import { untilInterrupted } from '../local/until-interrupted.ts'
import { integerIn } from '../recording/options.ts'
import { counted, duration } from '../recording/units.ts'
import { openTarget, requestOptions, shown, targetOf } from '../remote/target.ts'
import { openPrivate, type PrivateFile } from '../write-file.ts'
import { recordStream } from './recorder.ts'

const MAX_MIB = 256

export const record: Command = {
  usage: '<url> [options]',
  about:
    'Writes what a server sends, with the time at which it arrives: turnstream, AG-UI, AI SDK, A2A, OpenAI, and any other Server-Sent Events or JSON.',
  examples: [
    ['http://localhost:3000/stream --output run.sse', 'To its end, or Ctrl+C'],
    ['http://localhost:3000/agent -d @request.json -o run.sse', 'An agent that takes a request by POST'],
    ['http://localhost:3000/ -d @in.json | turnstream validate -', 'Checked at once'],
  ],
  options: {
    ...requestOptions,
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      about: 'Write to this file; to standard output if omitted',
    },
    for: { type: 'string', value: 'SECONDS', about: 'End after this time' },
    wait: { type: 'string', value: 'SECONDS', about: 'Wait so long for a server that does not listen yet' },
    'max-size': { type: 'string', value: 'MIB', about: `End at this size (default ${MAX_MIB})` },
  },
  notes: [
    'A stream with ids is resumed after a lost connection, unless the request has a body: it would start another run.',
    'The recording holds all that the server sends, but not the request. Only you can read the file.',
    'Exit codes: 0 if the stream ended, or the recording by Ctrl+C or a limit; 1 if the connection was lost for good, or nothing came; 2 if there was no stream.',
  ],
  async run(args, terminal) {
    const seconds =
      args.options.for === undefined ? undefined : integerIn(args, 'for', 1, 1, MAX_TIMEOUT_MS / 1000)
    const waitMs = integerIn(args, 'wait', 1, 0, MAX_TIMEOUT_MS / 1000) * 1000
    const maxBytes = integerIn(args, 'max-size', 1, MAX_MIB, 2 ** 20) * 2 ** 20
    const target = await targetOf(args)
    return untilInterrupted(seconds === undefined ? undefined : seconds * 1000, async (signal) => {
      const start = Date.now()
      const response = await openTarget(target, { signal, waitMs }).catch((error) => {
        if (!signal.aborted) throw error
      })
      if (response === undefined) {
        terminal.err(`Expected an answer of ${printable(shown(target.url))}, got none.\n`)
        return 2
      }
      const { output } = args.options
      let file: PrivateFile | undefined
      let waiting = ''
      try {
        const { messages, bytes, outcome } = await recordStream(response, {
          reconnect: target.isRepeatable ? (lastEventId) => target.connect(lastEventId, signal) : undefined,
          signal,
          now: Date.now,
          maxBytes,
          async write(text, messages) {
            if (typeof output === 'string') {
              waiting += text
              // What is there is kept until there is something to replace it with.
              if (messages === 0) return
              file ??= await openPrivate(output)
              await file.write(waiting)
              waiting = ''
              return
            }
            terminal.out(terminal.isScreen === true ? visible(text) : text)
            await terminal.drained?.()
          },
          onLog: (text) => terminal.err(`${printable(text)}\n`),
        })
        const what = `${counted(messages, 'message')} of ${shown(target.url)} in ${duration(Date.now() - start)}`
        terminal.err(`Recorded ${printable(what)}, ${counted(bytes, 'byte')}.\n`)
        const isEmpty = messages === 0 && outcome !== 'lost'
        if (isEmpty)
          terminal.err('Expected a message, got none. Check what the server expects in the request.\n')
        return outcome === 'lost' || isEmpty ? 1 : 0
      } finally {
        await file?.close()
      }
    })
  },
}
