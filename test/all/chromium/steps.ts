/** A browser's own reader of SSE against ours, and the example page in a browser. */

import { deepStrictEqual } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { createEmitter, run } from 'turnstream'
import { type SseMessage, sseDecoder } from 'turnstream/sse'
import { thoughtEvents } from 'turnstream/thoughts'
import { readerOf } from '../../../examples/readers.ts'
import { readRecording } from '../../../examples/recording.ts'
import { replay, shown } from '../../../examples/replay.ts'
import { runs } from '../../support/runs.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { type StreamServer, serveStreams } from './stream-server.ts'
import { difficultStreams, encodedStreams, type Stream } from './streams.ts'

/** What a reader makes of a stream. */
interface Reading {
  readonly messages: readonly SseMessage[]
  readonly lastEventId: string
  readonly retry?: number | undefined
}

/** The functions of `page.mjs`. */
interface PageFunctions {
  readByEventSource(url: string, names: readonly string[]): Promise<SseMessage[]>
  readByDecoder(url: string): Promise<Reading>
  reconnect(url: string): Promise<void>
}

/** As many streams are read at once; a browser opens no more than six connections to a server. */
const AT_ONCE = 3

export const chromiumSteps: readonly Step[] = [
  {
    name: 'Chromium: EventSource = sseDecoder in the browser = sseDecoder in Node = what was encoded',
    run: (lab) => compare(lab, encodedStreams(20251106, runs(150))),
  },
  {
    name: 'Chromium: EventSource = sseDecoder in the browser = sseDecoder in Node, on difficult streams',
    run: (lab) => compare(lab, difficultStreams),
  },
  { name: 'Chromium: Last-Event-ID on reconnection = lastEventId of the state', run: compareResuming },
  { name: 'Chromium: the example page', run: examplePage },
]

/** Reads all streams in all three ways. */
async function compare(lab: Lab, streams: readonly Stream[]): Promise<string> {
  let messages = 0
  await inPage(lab, streams, async (page, { url }) => {
    await each(streams, async (stream, index) => {
      const here = readHere(stream)
      const address = `${url}/stream/${index}`
      const [byEventSource, byDecoder] = await page.evaluate(
        async ([at, names]) => {
          const { readByEventSource, readByDecoder } = globalThis as unknown as PageFunctions
          return Promise.all([readByEventSource(at, names), readByDecoder(at)])
        },
        [address, namesIn(stream)] as const,
      )
      equal(byEventSource, here.messages, `EventSource and sseDecoder in Node: ${stream.name}`)
      equal(byDecoder, here, `sseDecoder in the browser and in Node: ${stream.name}`)
      if (stream.encoded) equal(here.messages, stream.encoded, `decoded and encoded: ${stream.name}`)
      messages += here.messages.length
    })
  })
  if (messages === 0) throw new Error('No stream had a message.')
  return `${streams.length} streams, ${messages} messages`
}

async function compareResuming(lab: Lab): Promise<string> {
  const streams = difficultStreams
    .filter(({ name }) => /\bids?\b/.test(name))
    // So that the browser reconnects at once.
    .map(({ name, pieces }) => ({ name, pieces: [new TextEncoder().encode('retry: 1\n\n'), ...pieces] }))
  await inPage(lab, streams, async (page, { url, resumed }) => {
    await each(streams, async (stream, index) => {
      await page.evaluate(
        (at) => (globalThis as unknown as PageFunctions).reconnect(at),
        `${url}/resume/${index}`,
      )
      equal(resumed.get(index), readHere(stream).lastEventId, `Last-Event-ID: ${stream.name}`)
    })
  })
  return `${streams.length} streams`
}

/** Opens a page that has the functions of `page.mjs`, from the server of the streams. */
async function inPage(
  lab: Lab,
  streams: readonly Stream[],
  action: (page: Page, server: StreamServer) => Promise<void>,
): Promise<void> {
  const browser = await lab.browser()
  const file = join(await lab.project(), 'chromium/page.mjs')
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: 'iife', write: false })
  const server = await serveStreams(streams)
  const page = await browser.newPage()
  try {
    await page.goto(server.url)
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
    await action(page, server)
  } finally {
    await page.close()
    server.close()
  }
}

/** Does `action` for each item, a few at a time. */
async function each<T>(
  items: readonly T[],
  action: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) await action(item, index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

function readHere({ pieces }: Stream): Reading {
  const decoder = run(sseDecoder())
  const messages = pieces.flatMap((piece) => decoder.push(piece))
  decoder.end()
  const { lastEventId, retry } = decoder.state
  return retry === undefined ? { messages, lastEventId } : { messages, lastEventId, retry }
}

/** Every text that might be an event name of the stream, by a rougher reading than the rules. */
function namesIn({ pieces }: Stream): string[] {
  const text = new TextDecoder().decode(Buffer.concat(pieces))
  const values = text.split(/[\r\n]/).flatMap((line) => /event:(.*)/s.exec(line)?.[1] ?? [])
  return values.flatMap((value) => [value, value.replace(/^ /, '')])
}

/** Compares as JSON has it: a value that left a page has no absent fields. */
function equal(actual: unknown, expected: unknown, what: string): void {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
  try {
    deepStrictEqual(plain(actual), plain(expected))
  } catch (error) {
    throw new Error(`${what}\n${error instanceof Error ? error.message : error}`)
  }
}

async function examplePage(lab: Lab): Promise<string> {
  const recording = readRecording(join(lab.root, 'examples/recordings/chat.sse'))
  const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  const reader = readerOf('openai', { thoughts: thoughtEvents({ live: true }), calls: 'start' })
  const { answer, thoughts, tools } = shown((await replay(recording, { emitter, reader })).received)
  const browser = await lab.browser()
  const { url, child } = await startExample(lab.root)
  try {
    for (const mode of ['#event-source', '#fetch']) {
      const page = await browser.newPage()
      await page.goto(url + mode)
      await page.waitForSelector('#status:text("completed")')
      equal(await page.locator('#text').textContent(), answer, `the text on the page, ${mode}`)
      equal(
        await page.locator('#thoughts .thought').allTextContents(),
        thoughts.map(({ content }) => content),
        `the thoughts on the page, ${mode}`,
      )
      for (const { toolName } of tools) {
        if (!(await page.locator('#tools').textContent())?.includes(toolName)) {
          throw new Error(`${toolName} is not on the page, ${mode}`)
        }
      }
      await page.close()
    }
  } finally {
    child.kill()
  }
  return `${answer.length} characters of text, ${thoughts.length} thoughts, ${tools.length} tool, read in two ways`
}

/** Starts the server as its users do, on a free port. */
async function startExample(root: string): Promise<{ url: string; child: ChildProcess }> {
  const args = ['--import', 'tsx', 'examples/server.ts', '--port', '0', '--delay', '0']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('The example server did not start.')
    }),
  ])
  return { url, child }
}
