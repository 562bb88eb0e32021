/** The live example in browsers: connections that break, servers that die, and nobody sees a difference. */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { type EventLog, emptyView, foldEvent, parseEventId, readFilter, type View } from 'agentwire/streams'
import type { Page } from 'playwright-core'
import { logsInRedis } from '../../../examples/live/logs.ts'
import { connectRedis, openRedisLog } from '../../../examples/live/redis-log.ts'
import { expectOneOrder, expectSameAsMemoryLog, expectToWake } from '../../support/event-log-law.ts'
import { runs } from '../../support/runs.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts'
import { startLive, startRedis } from './processes.ts'

/** The ways the page can read a stream. */
const ways = ['event-source', 'fetch'] as const

export const liveSteps: readonly Step[] = [
  {
    name: 'live: a browser whose connection breaks mid-message, beside one whose does not',
    run: twoBrowsers,
  },
  { name: 'live: a client continues at a second server when the first dies mid-message', run: twoServers },
  { name: 'live: the log in Redis keeps the promises of an EventLog', run: redisLog },
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
        deepStrictEqual(whole.problemCount, 0, 'what was wrong with the events')
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
  const redis = await connectRedis(engine.url)
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
        const log = await logsInRedis(redis).find(id)
        ok(log !== undefined, 'the log is in Redis')
        deepStrictEqual(view, await folded(log), `what the client has, and what the log amounts to, ${way}`)
        deepStrictEqual(view.problemCount, 0, 'what was wrong with the events')
        resumptions(proxy, 1)
      } finally {
        proxy.close()
        await page.close()
        await Promise.all([first.kill(), second.kill()])
      }
    }
  } finally {
    redis.destroy()
    await engine.kill()
  }
  return `by ${ways.join(' and by ')}, nothing is lost`
}

async function redisLog(lab: Lab): Promise<string> {
  const engine = await startRedis(lab.temporary)
  // Two connections, as two processes have them.
  const connections = [await connectRedis(engine.url), await connectRedis(engine.url)] as const
  let opened = 0
  const open = (stream: string): Promise<EventLog> =>
    openRedisLog(connections[opened++ % 2 === 0 ? 0 : 1], stream)
  const numRuns = runs(200)
  try {
    await expectSameAsMemoryLog(open, numRuns)
    await expectToWake(open)
    await expectOneOrder(open, 8)
  } finally {
    for (const redis of connections) redis.destroy()
    await engine.kill()
  }
  return `${numRuns} ways of using it go as with the log in memory`
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
  const part = await log.read(undefined, { filter: readFilter({ audience: 'user' }) })
  ok(part.type === 'batch' && part.closed === true, 'the whole log, in one batch')
  return JSON.parse(JSON.stringify(part.events.reduce(foldEvent, emptyView))) as View
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
