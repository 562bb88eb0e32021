/** The page of `turnstream dev` in Chromium: beside a server without CORS, whose connections break. */
import { deepStrictEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createStream } from 'turnstream/streams'
import { exampleRecording } from '../../../scripts/example-recording.ts'
import type { Lab } from '../lab.ts'
import { watchFaults } from './checks.ts'
import { liveServer } from './live-server.ts'

export async function dev(lab: Lab): Promise<string> {
  const lines = exampleRecording().trim().split('\n')
  const stream = createStream({ stream: 'context/live', epoch: 'e1' })
  const append = async (from: number, to?: number): Promise<void> => {
    for (const line of lines.slice(from, to)) await stream.append(JSON.parse(line))
  }
  const server = await liveServer(async (response, lastEventId) => {
    response.removeHeader('access-control-allow-origin')
    const { status, headers, body } = stream.respond(lastEventId, { viewer: { audience: 'user' } })
    response.writeHead(status, headers)
    for await (const bytes of body ?? []) response.write(bytes)
    response.end()
  })
  const main = join(await lab.project(), 'node_modules/turnstream/dist/cli/main.js')
  const child = spawn(process.execPath, [main, 'dev', server.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const page = await (await lab.browser()).newPage()
  try {
    const [address] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      exit.then(() => Promise.reject(new Error('turnstream dev has exited.'))),
    ])) as [string]
    const faults = await watchFaults(page, address)
    const shows = (count: number): Promise<unknown> =>
      page.waitForFunction(
        (max) => document.getElementById('position')?.getAttribute('max') === String(max),
        count,
      )
    await append(0, 10)
    await page.goto(address)
    await shows(10)
    await server.cut()
    await append(10)
    await shows(lines.length)
    await stream.close()
    await page.waitForFunction(() => document.getElementById('progress')?.textContent === '')
    const isOfCut = new RegExp(`^request: ${address}stream$|^console: .*(?:net::ERR_|Failed to load)`)
    deepStrictEqual(
      (await faults()).filter((fault) => !isOfCut.test(fault)),
      [],
      'faults of the page',
    )
    return `${server.cursors.length} connections, ${lines.length} events`
  } finally {
    await page.close()
    child.kill('SIGINT')
    await exit
    server.close()
  }
}
