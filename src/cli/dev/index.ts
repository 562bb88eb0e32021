/** The command `turnstream dev`. */
import { randomBytes } from 'node:crypto'
import { embedRecording } from '../../viewer/embed.ts'
import type { Command } from '../command.ts'
import { printable } from '../escape.ts'
import { runLocally } from '../local/local-server.ts'
import { integerIn } from '../recording/options.ts'
import { requestOptions, shown, targetOf } from '../remote/target.ts'
import { builtPage } from '../viewer/page.ts'
import { devServer } from './server.ts'

export const dev: Command = {
  usage: '<url> [options]',
  about:
    'Serves the viewer on 127.0.0.1 beside a running server, and shows its stream live. The server needs no CORS.',
  examples: [
    ['http://localhost:3000/stream', 'Open the address that it prints'],
    ['http://localhost:3000/agent -d @request.json', 'An agent that takes a request by POST'],
  ],
  options: {
    ...requestOptions,
    port: { type: 'string', value: 'N', about: 'The port of the page; a free one if omitted or 0' },
  },
  notes: [
    'Each time the page is loaded, it sends the request again.',
    'Only this machine can connect, and only at the printed path: who knows it can send the request with its headers.',
    'Exit codes: 0 when it is interrupted, 2 if the port is taken or the call is wrong.',
  ],
  async run(args, terminal) {
    const port = integerIn(args, 'port', 0, 0, 65_535)
    const target = await targetOf(args)
    const name = shown(target.url)
    const page = embedRecording(await builtPage(), { name, url: 'stream' })
    const secretPath = `/${randomBytes(16).toString('hex')}`
    const onLog = (text: string): void => terminal.err(`${printable(text)}\n`)
    return runLocally(devServer({ page, target, secretPath, onLog }), port, (address) => {
      terminal.out(`${address}${secretPath}/\n`)
      terminal.err(`Shows ${printable(name)}. Press Ctrl+C to stop.\n`)
    }).done
  },
}
