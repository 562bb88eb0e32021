/**
 * `npm run demo [<provider>]`, `npm run demo -- <recording> [--provider anthropic] [--tags think,thought]`
 *
 * Replays a recorded answer of a model server and prints what a client of the event stream receives: `anthropic`,
 * `bedrock`, `cohere`, `gemini`, `interactions`, `ollama`, `openai`, `responses`, or a file. A recording is an `.sse` file, or a file
 * with one JSON chunk a line.
 */

import { parseArgs } from 'node:util'
import { createEmitter, type Diagnostic } from 'turnstream'
import { thoughtEvents } from 'turnstream/thoughts'
import { headOf, lineOf, paint, type Screen, type Style } from './print.ts'
import { readerOf, readers } from './readers.ts'
import { readRecording, recordingOf } from './recording.ts'
import { type Replay, replay, shown } from './replay.ts'

const screen: Screen = {
  coloured: process.stdout.isTTY === true && !process.env.NO_COLOR,
  width: process.stdout.columns || 120,
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      provider: { type: 'string' },
      tags: { type: 'string', default: 'thinking' },
    },
  })
  const [name = 'chat'] = positionals
  const isProvider = Object.hasOwn(readers, name)
  const recording = readRecording(isProvider || name === 'chat' ? recordingOf(name) : name)
  const provider = values.provider ?? (isProvider ? name : 'openai')
  const reader = readerOf(provider, {
    thoughts: thoughtEvents({ tags: values.tags.split(','), live: true }),
    calls: 'start',
  })
  const emitter = createEmitter({ contextId: 'ctx-demo', taskId: 'task-1' })
  const replayed = await replay(recording, { emitter, reader })

  for (const decoded of replayed.received) console.log(lineOf(decoded, screen))
  for (const line of summary(recording, replayed)) console.log(line)
}

function summary(recording: Uint8Array, { wire, received, diagnostics }: Replay): string[] {
  const { answer, thoughts, tools, usage } = shown(received)
  const kinds = received.map((decoded) => (decoded.status === 'invalid' ? 'invalid' : decoded.event.kind))
  const bytesOut = new TextEncoder().encode(wire).length
  const contents = thoughts.map((thought) => `(${headOf(thought)}) ${thought.content}`)
  const called = tools.map((tool) => `${tool.toolName} ${JSON.stringify(tool.arguments)}`)
  return [
    '',
    `${title('Bytes')}     ${recording.length} from the model server, ${bytesOut} to the client`,
    `${title('Events')}    ${received.length}: ${counted(kinds)}`,
    ...(usage === undefined
      ? []
      : [`${title('Tokens')}    ${usage.inputTokens} in, ${usage.outputTokens} out`]),
    `${title('Reports')}   ${counted(diagnostics.map(placeOf)) || 'none'}`,
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

/** What is reported, and where in the chunk. */
function placeOf({ code, path }: Diagnostic): string {
  return path === undefined ? code : `${code} at ${path}`
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
