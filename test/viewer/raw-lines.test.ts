// Proves that an event is shown beside what came of it: its message, its line, or the lines of its JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleRecording } from '../../scripts/example-recording.ts'
import type { ContextAnyEvent } from '../../src/index.ts'
import { createStream } from '../../src/streams/index.ts'
import { readInto } from '../../src/viewer/model/reading.ts'
import { Recording } from '../../src/viewer/model/recording.ts'
import { connectLive, readLive } from '../../src/viewer/ui/live/index.ts'
import { State } from '../../src/viewer/ui/state.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { readWhole } from './read-whole.ts'

const texts = Object.keys(recordings).filter((file) => !file.endsWith('.eventstream'))
const rawsOf = (recording: Recording): string[] => recording.events.map((_, i) => recording.rawOf(i))

/** What the lines of a text belong to: the messages of SSE, or each line by itself. */
function unitAt(text: string, line: number): string {
  const lines = text.split('\n')
  if (!/^(?:data|id|event|:)/m.test(text)) return lines[line - 1] ?? ''
  return text.split('\n\n').find((_, i, all) => {
    const before = all.slice(0, i).join('\n\n').split('\n').length + (i > 0 ? 1 : 0)
    const first = i === 0 ? 1 : before + 1
    return line >= first && line < first + (all[i] ?? '').split('\n').length
  }) as string
}

it.each(texts)('%s: however it is cut, and whatever its lines end with', async (file) => {
  const text = new TextDecoder().decode(readRecording(file)).replace(/\r\n?/g, '\n').trimEnd()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(new TextEncoder(), undefined),
      fc.array(fc.nat(), { maxLength: 5 }),
      async (end, encoder, cuts) => {
        const sent = text.replaceAll('\n', end)
        const whole = encoder?.encode(sent) ?? sent
        const recording = new Recording()
        const reading = readInto(recording, () => {})
        let from = 0
        for (const at of [...cuts.map((cut) => cut % whole.length).sort((a, b) => a - b), whole.length]) {
          await reading.push(whole.slice(from, at))
          from = at
        }
        await reading.end()
        expect(recording.events.length).toBeGreaterThan(0)
        expect(rawsOf(recording)).toEqual(recording.lines.map((line) => unitAt(text, line)))
      },
    ),
    { numRuns: 20 },
  )
})

const events = exampleRecording()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as ContextAnyEvent)

it('a list of JSON that takes several lines', async () => {
  const recording = await readWhole(JSON.stringify(events, null, 2))
  const raws = rawsOf(recording).map((raw) => JSON.parse(raw.replace(/(?:,|\n\])\s*$/, '')))
  expect(raws).toEqual(recording.events)
})

describe('nothing', () => {
  it('of a HAR file, whose lines are not those of its responses', async () => {
    const content = { mimeType: 'application/x-ndjson', text: exampleRecording() }
    const request = { method: 'GET', url: 'http://localhost/' }
    const text = JSON.stringify({ log: { entries: [{ request, response: { status: 200, content } }] } })
    const recording = await readWhole(text)
    expect(recording.events.length).toBeGreaterThan(0)
    expect(new Set(rawsOf(recording))).toEqual(new Set(['']))
  })

  it('of a binary event stream', async () => {
    const recording = new Recording()
    const reading = readInto(recording, () => {})
    await reading.push(readRecording('bedrock.eventstream'))
    await reading.end()
    expect(recording.events.length).toBeGreaterThan(0)
    expect(new Set(rawsOf(recording))).toEqual(new Set(['']))
  })
})

it('at most 200 lines, of a stream without blank lines', async () => {
  const recording = await readWhole(
    Array.from({ length: 9 }, () => events.map((event) => `data: ${JSON.stringify(event)}\n`).join('')).join(
      '',
    ),
  )
  expect(recording.events.length).toBeGreaterThan(600)
  const lengths = rawsOf(recording).map((raw) => raw.split('\n').length)
  expect(Math.max(...lengths)).toBe(200)
})

it('the messages of a live log, over connections that are lost', async () => {
  const stream = createStream({ stream: 'context/live', epoch: 'e1' })
  for (const event of events.slice(0, 30)) await stream.append(event)
  await stream.close()
  let connections = 0
  const server = createServer(async (request, response) => {
    const lastEventId = request.headers['last-event-id'] as string | undefined
    const { status, headers, body } = stream.respond(lastEventId, { viewer: { audience: 'operator' } })
    response.writeHead(status, headers)
    connections++
    let left = 5
    for await (const bytes of body ?? []) {
      response.write(bytes)
      if (connections < 3 && --left === 0) return response.socket?.end()
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const state = new State(() => {})
    const { signal } = new AbortController()
    const { port } = server.address() as AddressInfo
    await readLive(state, await connectLive(`http://127.0.0.1:${port}/`, '', signal), signal)
    const { recording } = state
    expect(recording.events).toHaveLength(30)
    for (const [i, raw] of rawsOf(recording).entries()) {
      expect(raw).toContain(JSON.stringify(recording.events[i]))
      expect(raw).toMatch(/^id: context\/live:e1:\d+:/m)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
