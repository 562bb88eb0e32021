/** Clients of other SDKs read what `toA2a` writes: a small server, and programs that ask it for every stream. */
import { deepStrictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { wrapJsonRpc } from 'turnstream/a2a'
import { eventStreamHeaders } from 'turnstream/sse'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { formatItem } from '../../dialects/a2a/notation.ts'
import { reportEvents } from '../../dialects/a2a/peers.ts'
import { runToA2a, splitStreams } from '../../dialects/a2a/support.ts'
import { eventsOfTask, legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { command } from '../command.ts'
import { stepSeed } from '../step.ts'
import { sorted } from './agent-client.ts'

/** The number of random tasks. */
const RANDOM = 60

type Json = Readonly<Record<string, unknown>>

/** How a program is started with the URL of an agent and the number of its streams. */
export interface ClientProgram {
  readonly file: string
  readonly args: readonly string[]
  /** The version of what it prints. Defaults to that of the streams. Of another, only what the notation shows is compared. */
  readonly prints?: A2aVersion
}

/** The mark of the end of a stream, which only 0.3 has. */
const FINAL = /^(S [\w-]+)!/

/** Sends all streams to a client. Throws when it does not receive an item as it was sent. */
export async function sendTo(
  version: A2aVersion,
  { file, args, prints = version }: ClientProgram,
): Promise<string> {
  const seed = stepSeed()
  const streams = streamsIn(version, seed)
  const server = await serve(version, streams)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const env = { PYTHONDONTWRITEBYTECODE: '1' }
    const out = await command(file, [...args, url, String(streams.length)], { cwd: '.', env })
    const lines = out.trim().split('\n')
    const comparable = (of: A2aVersion, item: unknown): unknown =>
      prints === version ? normalized(item) : formatItem(of, sorted(item)).replace(FINAL, '$1')
    for (const [i, items] of streams.entries()) {
      const received = JSON.parse(lines[i] ?? '{}') as { items?: unknown[]; error?: string }
      try {
        deepStrictEqual(received.error, undefined)
        deepStrictEqual(
          received.items?.map((item) => comparable(prints, item)),
          items.map((item) => comparable(version, item)),
        )
      } catch (error) {
        throw new Error(`Seed ${seed}, stream ${i}: ${(error as Error).message}`)
      }
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return `${streams.length} streams received as they were sent`
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** An item without what a client that writes it again may spell otherwise: flags that are not set, and instants. */
function normalized(value: unknown): unknown {
  if (typeof value === 'string') return INSTANT.test(value) ? new Date(value).toISOString() : value
  if (Array.isArray(value)) return value.map(normalized)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => inner !== false || (key !== 'append' && key !== 'lastChunk'),
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, normalized(inner)]))
}

/** Streams of tasks with and without the extension, each as the answer to one request. */
function streamsIn(version: A2aVersion, seed: number): unknown[][] {
  const ids = { taskId: 'task-1', contextId: 'context-1' }
  const random = fc.sample(legalStreams({ subtasks: false }), { numRuns: runs(RANDOM), seed })
  const tasks = [
    reportEvents(ids),
    emptyLastChunk(ids),
    ...random.map((events) => eventsOfTask(events, 'task-1')),
  ]
  return tasks.flatMap((events, i) => {
    const closeText = i % 3 === 0 ? 'snapshot' : 'empty-part'
    const { out } = runToA2a(events, { version, closeText, extension: i % 2 === 1 })
    return splitStreams(JSON.parse(JSON.stringify(out)) as unknown[])
  })
}

/** A file whose last chunk has no bytes: clients of the Go SDK refuse a file part without any. */
function emptyLastChunk(ids: { taskId: string; contextId: string }): ContextAnyEvent[] {
  const stamp = { ...ids, timestamp: '2026-03-04T05:06:07Z' }
  const file = { ...stamp, kind: 'file-write', artifactId: 'image.png', encoding: 'base64' } as const
  return [
    { ...stamp, kind: 'task-created', initiator: 'user' },
    { ...file, name: 'image.png', mimeType: 'image/png', data: 'iVBORw0KGgo=', index: 0, complete: false },
    { ...file, data: '', index: 1, complete: true },
    { ...stamp, kind: 'task-complete' },
  ]
}

/** A server that answers a message with the stream of the number in its text. */
async function serve(version: A2aVersion, streams: readonly (readonly unknown[])[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(card(version, `http://127.0.0.1:${port}/`)))
      return
    }
    const { id, params } = JSON.parse(await text(request)) as {
      id: string
      params: { message: { parts: { text: string }[] } }
    }
    response.writeHead(200, eventStreamHeaders)
    for (const item of streams[Number(params.message.parts[0]?.text)] ?? []) {
      response.write(`data: ${onOneLine(wrapJsonRpc(id, item))}\n\n`)
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** JSON without what clients that use httpx take for the end of a line. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function card(version: A2aVersion, url: string): Json {
  return {
    name: 'Writer',
    description: 'Sends prepared streams',
    version: '1',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'send', name: 'Send', description: 'Sends a stream', tags: ['test'] }],
    ...(version === '0.3'
      ? { url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' }
      : { supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
  }
}
