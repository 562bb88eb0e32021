/** A page in a browser that approves, edits, denies and cancels a tool call, over two servers with one Redis. */
import { deepStrictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClient } from 'redis'
import { createCommand } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { openConversation } from '../../../examples/recipes/approval/agent.ts'
import { streamsApp } from '../../../examples/recipes/server/express.ts'
import { commandsApp } from '../../../examples/recipes/server/express-commands.ts'
import type { Lab } from '../lab.ts'
import { startRedis } from '../redis/server.ts'
import type { Step } from '../step.ts'
import { bundlePage } from './bundle-page.ts'

/** What the page shows in the end, by the button that was clicked. */
const outcomes = {
  approve: 'completed, input answered, ran {"seats":2}',
  edit: 'completed, input answered, ran {"seats":4}',
  deny: 'completed, input declined, ran null',
  cancel: 'canceled, input canceled, ran null',
}

export const approvalStep: Step = {
  name: 'recipes: a tool call is approved, edited, denied and canceled in Chromium, over two servers',
  async run(lab) {
    const redis = await startRedis(lab.temporary)
    const client = await createClient({ url: redis.url })
      .on('error', () => {})
      .connect()
    try {
      for (const [choice, expected] of Object.entries(outcomes)) {
        deepStrictEqual(await shown(lab, client as never, choice), expected, choice)
      }
      return `${Object.keys(outcomes).length} choices, each command delivered twice`
    } finally {
      client.destroy()
      await redis.kill()
    }
  },
}

async function shown(
  lab: Lab,
  client: Parameters<typeof redisStore>[0]['client'],
  choice: string,
): Promise<string> {
  const stores = [redisStore({ client }), redisStore({ client })] as const
  const [agent, other] = [
    await openConversation(stores[0], 'user-1', choice),
    await openConversation(stores[1], 'user-1', choice),
  ]
  const script = await bundlePage(join(lab.root, 'test/all/recipes/pages/approval.ts'), await lab.project())
  // The agent and the stream are of one server, the commands go to the other.
  const [streams, commands] = [streamsApp(() => agent), commandsApp(() => other)]
  const server = createServer((request, response) => {
    if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
    else if (request.method === 'POST') {
      request.headers['content-type'] = 'application/json'
      commands(request, response)
    } else if (request.url?.startsWith('/streams/')) streams(request, response)
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<body><script type="module" src="/page.js"></script>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = await (await lab.browser()).newPage()
  try {
    const send = createCommand({ kind: 'task.send', input: 'Book it.' })
    await agent.submit(send, { role: 'user', id: 'user-1' })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${choice}`)
    await page.click(`text=${choice}`)
    await page.waitForFunction(() =>
      /^(completed|canceled)/.test(document.querySelector('output')?.textContent ?? ''),
    )
    return (await page.textContent('output')) ?? ''
  } finally {
    await page.close()
    server.close()
    server.closeAllConnections()
    for (const store of stores) await store.close()
  }
}
