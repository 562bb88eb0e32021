/** Proves that the example server streams events as they come, and stops when its client disconnects. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ContextAnyEvent, readEvents } from 'turnstream'
import { afterEach, expect, test } from 'vitest'
import { readRecording } from '../../examples/recording.ts'
import { exampleServer } from '../../examples/server.ts'

const recording = readRecording(new URL('../../examples/recordings/chat.sse', import.meta.url))
let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function started(delay: number, log: (line: string) => void = () => {}): Promise<string> {
  server = await exampleServer({ recording, delay, log })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('streams a whole turn, uncached and unbuffered', async () => {
  const response = await fetch(`${await started(0)}/events`)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  const events: ContextAnyEvent[] = []
  for await (const event of readEvents(response)) events.push(event)
  expect(events[0]?.kind).toBe('task-created')
  expect(events.at(-1)).toMatchObject({ kind: 'task-status', status: 'completed' })
})

test('sends each event when it comes, and stops when the client disconnects', async () => {
  const hour = 3_600_000
  let log: (line: string) => void = () => {}
  const line = new Promise<string>((resolve) => {
    log = resolve
  })
  for await (const event of readEvents(await fetch(`${await started(hour, (text) => log(text))}/events`))) {
    expect(event.kind).toBe('task-created')
    break
  }
  expect(await line).toBe('client disconnected after 1 events')
})

test('serves the page, and the library for it', async () => {
  const url = await started(0)
  expect(await (await fetch(url)).text()).toContain('new EventSource')
  const library = await fetch(`${url}/turnstream.js`)
  expect(library.headers.get('content-type')).toMatch('text/javascript')
  expect(await library.text()).toMatch(/export\s*\{\w+ as readEvents\}/)
  expect((await fetch(`${url}/nothing`)).status).toBe(404)
})
