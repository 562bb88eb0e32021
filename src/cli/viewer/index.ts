/** The command `turnstream viewer`. */
import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { utf16Of } from '../../inspect/recording/byte-text.ts'
import { isValue, recordingReader } from '../../inspect/recording/reader.ts'
import { recordingInspector } from '../../inspect/report/inspector.ts'
import { embedRecording } from '../../viewer/embed.ts'
import type { Arguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { visible } from '../escape.ts'
import { inputOf } from '../recording/input.ts'
import { requireKnown } from '../recording/known.ts'
import { UsageError } from '../usage-error.ts'
import { writePrivate } from '../write-file.ts'
import { builtPage } from './page.ts'

/** Pages that are larger do not open in browsers. */
const MAX_BYTES = 256 * 1024 * 1024

export const viewer: Command = {
  usage: '<file> | --empty [options]',
  about: 'Opens a recording in the viewer: one HTML file that needs no server, with the recording inside.',
  examples: [
    ['run.sse', 'In the browser'],
    ['run.sse --output run.html', 'Only write the file, to send it to someone'],
    ['--empty', 'Without a recording: open one in the page'],
  ],
  options: {
    empty: { type: 'boolean', about: 'Open the viewer without a recording' },
    output: { type: 'string', value: 'FILE', about: 'Write the HTML to this file, and open nothing' },
  },
  notes: ['Exit codes: 0, or 2 if the recording cannot be read or the file cannot be written.'],
  async run(args, terminal) {
    const html = args.options.empty === true ? await emptyPage(args) : await filledPage(args)
    const { output } = args.options
    const file =
      typeof output === 'string' ? output : join(await mkdtemp(join(tmpdir(), 'turnstream-')), 'viewer.html')
    await writePrivate(file, html)
    terminal.out(`${visible(file)}\n`)
    if (typeof output !== 'string' && !(await opened(file))) {
      terminal.err('No browser could be started. Open the file yourself.\n')
    }
    return 0
  },
}

async function emptyPage({ operands, rest }: Arguments): Promise<string> {
  const [file] = [...operands, ...rest]
  if (file !== undefined) throw new UsageError(`Expected no file with --empty, got ${file}.`)
  return builtPage()
}

/** The viewer with the recording that the arguments name. */
async function filledPage(args: Arguments): Promise<string> {
  const input = await inputOf(args)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input.chunks) {
    size += chunk.length
    if (size > MAX_BYTES) {
      throw new UsageError(
        `Expected a recording of at most ${MAX_BYTES / 2 ** 20} MiB, got a longer one. Use turnstream inspect.`,
      )
    }
    chunks.push(chunk)
  }
  await requireFormat(input.name, chunks)
  const text = textOf(Buffer.concat(chunks))
  return embedRecording(await builtPage(), { name: basename(input.name), text })
}

/** Requires that the viewer recognizes a recording, as it does itself: as soon as it can. */
async function requireFormat(name: string, chunks: readonly Uint8Array[]): Promise<void> {
  let isKnown = false
  const inspector = recordingInspector({
    findings: 'mapping',
    onDetection: ({ dialect }) => {
      isKnown = dialect !== undefined
    },
  })
  for (const chunk of chunks) {
    await inspector.push(chunk)
    if (isKnown) return
  }
  requireKnown(name, await inspector.end())
}

/** The text of a recording: that of a binary one is its values. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] !== 0) return new TextDecoder(utf16Of(bytes)).decode(bytes)
  const reader = recordingReader()
  const values = [...reader.push(bytes), ...reader.end()].filter(isValue)
  return values.map(({ value }) => `${JSON.stringify(value)}\n`).join('')
}

/** Opens a file in the browser. Resolves to whether that worked. */
function opened(file: string): Promise<boolean> {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [file]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', file]]
        : ['xdg-open', [file]]
  return new Promise((resolve) => {
    const child = spawn(command as string, args as string[], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
