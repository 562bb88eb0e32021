/** The live example in browsers: connections that break, servers that die, and nobody sees a difference. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { redisLog } from 'turnstream/redis'
import {
  type EventLog,
  emptyView,
  foldEvents,
  follow,
  parseEventId,
  readFilter,
  type View,
} from 'turnstream/streams'
import type { Lab } from '../lab.ts'
import { clients } from '../redis/clients.ts'
import { startRedis } from '../redis/server.ts'
import type { Step } from '../step.ts'
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts'
import { startLive } from './processes.ts'

/** The ways the page can read a stream. */
const ways = ['event-source', 'fetch'] as const

export const liveSteps: readonly Step[] = [
  {
    name: 'live: a browser whose connection breaks mid-message, beside one whose does not',
    run: twoBrowsers,
  },
  { name: 'live: a client continues at a second server when the first dies mid-message', run: twoServers },
  {
    name: 'live: a turn whose server dies is ended by another one, also after a restart of Redis',
    run: lostServer,
  },
]

/** One server, the log in its memory. */
async function twoBrowsers(lab: Lab): Promise<string> {
  const browser = await lab.browser()
  const server = await startLive(lab.root, ['--delay', '20', '--heartbeat', '30'])
  const results: string[] = []
  try {
    for (const way of ways) {
      const id = await ask(server.url)
      const proxy = await cuttingProxy({ target: server.url, cutIn: [3, 9, 4] })
      const [dropped, steady] = [await browser.newPage(), await browser.newPage()]
      try {
        await Promise.all([
          dropped.goto(`${proxy.url}#${id}/${way}`),
          steady.goto(`${server.url}#${id}/event-source`),
        ])
        const [resumed, whole] = await Promise.all([received(dropped), received(steady)])
        deepStrictEqual(resumed, whole, `what the two browsers show, ${way}`)
        deepStrictEqual(await shown(dropped), await shown(steady), `the two pages, ${way}`)
        deepStrictEqual(whole.diagnostics.length, 0, 'what was wrong with the events')
        results.push(`${way} came back ${resumptions(proxy, 3)} times`)
      } finally {
        proxy.close()
        await Promise.all([dropped.close(), steady.close()])
      }
    }
  } finally {
    await server.kill()
  }
  return `${results.join(', ')}; the views are equal`
}

/** Two servers on one Redis: one writes, the other is read from until it dies. */
async function twoServers(lab: Lab): Promise<string> {
  const browser = await lab.browser()
  const engine = await startRedis(lab.temporary)
  const { client, close } = await (clients.ioredis as (typeof clients)[string])(engine.port)
  try {
    for (const way of ways) {
      const args = ['--redis', engine.url, '--delay', '20']
      const [first, second] = [await startLive(lab.root, args), await startLive(lab.root, args)]
      const id = await ask(second.url)
      const proxy = await cuttingProxy({
        target: first.url,
        cutIn: [20],
        onCut: async () => {
          await first.kill()
          return second.url
        },
      })
      const page = await browser.newPage()
      try {
        await page.goto(`${proxy.url}#${id}/${way}`)
        const view = await received(page)
        const log = await redisLog({ client, stream: `turn/${id}`, create: false })
        deepStrictEqual(view, await folded(log), `what the client has, and what the log amounts to, ${way}`)
        deepStrictEqual(view.diagnostics.length, 0, 'what was wrong with the events')
        resumptions(proxy, 1)
      } finally {
        proxy.close()
        await page.close()
        await Promise.all([first.kill(), second.kill()])
      }
    }
  } finally {
    close()
    await engine.kill()
  }
  return `by ${ways.join(' and by ')}, nothing is lost`
}

/** A server dies while it runs a turn, another one serves the readers of it. */
async function lostServer(lab: Lab): Promise<string> {
  const engine = await startRedis(lab.temporary)
  const args = ['--redis', engine.url, '--delay', '200', '--lease', '1000']
  const survivor = await startLive(lab.root, args)
  try {
    for (const restart of [false, true]) {
      const writer = await startLive(lab.root, args)
      const id = await ask(writer.url)
      const response = await fetch(new URL(`turns/${id}`, survivor.url))
      let text = ''
      for await (const bytes of response.body ?? []) {
        if (text === '') await writer.kill()
        text += new TextDecoder().decode(bytes)
        if (text.includes('"status":"failed"')) break
      }
      ok(text.includes('its lease expired'), 'the reason is stated')
      if (restart) continue
      await engine.kill()
      await engine.start('none')
    }
  } finally {
    await survivor.kill()
    await engine.kill()
  }
  return 'the readers of both turns see them end'
}

/** Begins a turn; its id. */
async function ask(url: string): Promise<string> {
  const response = await fetch(new URL('turns', url), { method: 'POST' })
  return ((await response.json()) as { id: string }).id
}

/** What a page has folded when it has received everything. */
async function received(page: Page): Promise<View> {
  await page.waitForSelector('#status:text("completed, all received")')
  return page.evaluate(() => (globalThis as unknown as { view: View }).view)
}

function shown(page: Page): Promise<string[]> {
  return page.locator('#parts > *').allTextContents()
}

/** What a user who saw everything at once would have. */
async function folded(log: EventLog): Promise<View> {
  let view = emptyView
  for await (const part of follow(log, undefined, { filter: readFilter({ audience: 'user' }) })) {
    ok(part.type === 'batch', 'the whole log')
    view = foldEvents(view, part.events)
  }
  return JSON.parse(JSON.stringify(view)) as View
}

/** How often the client has come back, each time saying where it stands. */
function resumptions({ cuts, lastEventIds }: CuttingProxy, expected: number): number {
  const [first, ...later] = lastEventIds
  deepStrictEqual(cuts, expected, 'how many connections were cut')
  deepStrictEqual(first, undefined, 'the Last-Event-ID of the first connection')
  // A body that breaks off may take along what its reader has not looked at: it is behind then, or
  // still at the beginning, where there is no id to send.
  const places = later.map((id) => (id === undefined ? -1 : parseEventId(id)?.seq))
  ok(places.length >= expected, `${expected} times the client comes back: ${later}`)
  ok(
    places.every((seq, i) => seq !== undefined && seq >= (places[i - 1] ?? -1)),
    `each time from where it stands: ${later}`,
  )
  ok((places.at(-1) ?? -1) > 0, `in the end from the middle of the stream: ${later}`)
  return later.length
}
