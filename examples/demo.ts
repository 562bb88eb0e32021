/**
 * `npm run demo [-- <recording> [--tags think,thought] [--live]]`
 *
 * Replays a recorded answer of a model server and prints what a client of the event stream receives. A
 * recording is an `.sse` file, or a file with one JSON chunk a line.
 */
import { parseArgs } from 'node:util'
import { createEmitter, type Diagnostic } from 'agentwire'
import { headOf, lineOf, paint, type Screen, type Style } from './print.ts'
import { readRecording } from './recording.ts'
import { type Replay, replay, shown } from './replay.ts'

const screen: Screen = {
  coloured: process.stdout.isTTY === true && !process.env.NO_COLOR,
  width: process.stdout.columns || 120,
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      tags: { type: 'string', default: 'thinking' },
      live: { type: 'boolean', default: false },
    },
  })
  const recording = readRecording(positionals[0] ?? new URL('recordings/chat.sse', import.meta.url))
  const emitter = createEmitter({ contextId: 'ctx-demo', taskId: 'task-1' })
  const thoughts = { tags: values.tags.split(','), live: values.live }
  const replayed = await replay(recording, { emitter, thoughts })

  for (const decoded of replayed.received) console.log(lineOf(decoded, screen))
  for (const line of summary(recording, replayed)) console.log(line)
}

function summary(recording: Uint8Array, { wire, received, diagnostics }: Replay): string[] {
  const { answer, thoughts, tools } = shown(received)
  const kinds = received.map((decoded) => (decoded.status === 'invalid' ? 'invalid' : decoded.event.kind))
  const bytesOut = new TextEncoder().encode(wire).length
  const contents = thoughts.map((thought) => `(${headOf(thought)}) ${thought.content}`)
  const called = tools.map((tool) => `${tool.toolName} ${JSON.stringify(tool.arguments)}`)
  return [
    '',
    `${title('Bytes')}     ${recording.length} from the model server, ${bytesOut} to the client`,
    `${title('Events')}    ${received.length}: ${counted(kinds)}`,
    `${title('Left out')}  ${counted(diagnostics.map(placeOf)) || 'nothing'}`,
    ...section('Thoughts', contents, '  ┊ ', ['dim', 'italic']),
    ...section('Tools', called, '  ', 'cyan'),
    ...section('Answer', answer === '' ? [] : [answer], '  ', 'reset'),
  ]
}

function title(text: string): string {
  return paint(screen, 'bold', text)
}

function section(name: string, texts: readonly string[], margin: string, style: Style): string[] {
  if (texts.length === 0) return []
  return ['', title(name), ...texts.map((text) => paint(screen, style, text.replace(/^/gm, margin)))]
}

/** Which part of the model's chunk was left out. */
function placeOf({ code, path }: Diagnostic): string {
  if (code !== 'left-out') return code
  return path === '' ? 'messages other than chat.completion.chunk' : `${path}`
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(counts, ([name, count]) => `${name} ×${count}`).join(', ')
}

// The reader of the output may close the pipe early, as `head` does.
process.stdout.on('error', () => process.exit())
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
