// The pages of hosts: an agent is mounted in each framework, asks, and is answered from another page.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventDraft } from 'turnstream'
import { agentClient } from 'turnstream/client'
import { type AgentTask, agentHandler, memoryStore, type Store, toNodeListener } from 'turnstream/server'
import { sqlite, sqlStore } from 'turnstream/sql'
import { afterEach, expect, it, vi } from 'vitest'
import { agentApp as expressApp } from '../../examples/hosts/express.ts'
import { agentApp as fastifyApp } from '../../examples/hosts/fastify.ts'
import { agentApp as honoApp } from '../../examples/hosts/hono.ts'
import { keptAlive } from '../../examples/hosts/serverless.ts'
import { createSqlite } from '../support/sqlite-databases.ts'

type Options = Parameters<typeof agentHandler>[0]

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const hosts: Record<string, (options: Options) => Promise<string>> = {
  express: (options) => listen(createServer(expressApp(options))),
  async fastify(options) {
    const app = fastifyApp(options)
    opened.push(() => {
      app.server.closeAllConnections()
      return app.close()
    })
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
  hono: (options) => listen(createServer(toNodeListener(async (request) => honoApp(options).fetch(request)))),
}

async function* agent({ approve }: AgentTask): AsyncGenerator<EventDraft> {
  yield { kind: 'content-delta', delta: 'I will pay.' }
  const call = { toolCallId: 'call-1', toolName: 'pay', arguments: '{"amount":5}' }
  const [approval] = yield* approve([call])
  yield { kind: 'content-delta', delta: approval?.status === 'approved' ? ' Paid.' : ' Not paid.' }
}

it('every host is tried', () => {
  // Workers are tried by `npm run test:all -- host`, with the hosts that need no code but `fetch`.
  const tried = [...Object.keys(hosts), 'serverless', 'workers'].map((name) => `${name}.ts`)
  expect(readdirSync('examples/hosts').sort()).toEqual(tried)
})

it.each(Object.entries(hosts))('%s serves an agent', async (_, start) => {
  const store = memoryStore()
  opened.push(() => store.close())
  const url = `${await start({ store, user: () => 'ann', agent })}/agent`
  const [page, phone] = [agentClient(url), agentClient(url)]
  await page.send('lunch')
  for (const client of [page, phone]) opened.push(client.subscribe(() => {}))
  await vi.waitFor(() => expect(phone.getSnapshot().requests).toHaveLength(1))
  await phone.approve(phone.getSnapshot().requests[0] ?? '')
  await vi.waitFor(() => expect(page.getSnapshot().view.tasks[0]?.status).toBe('completed'))
  expect(JSON.stringify(page.getSnapshot().view.tasks[0]?.parts)).toContain('Paid.')
  expect((await fetch(`${url}/history?context=none`)).status).toBe(404)
})

it('a platform that is given the work of a request may stop the process after it: another one has the answer', async () => {
  const file = await createSqlite('WebAssembly')
  opened.push(file.end)
  const process = async (): Promise<Store> => {
    const store = sqlStore({ database: sqlite(await file.connect()) })
    opened.push(() => store.close())
    await store.createTables()
    return store
  }
  const works: Promise<unknown>[] = []
  let finish = (): void => {}
  const slow = async function* (): AsyncGenerator<EventDraft> {
    yield { kind: 'content-delta', delta: 'One' }
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    yield { kind: 'content-delta', delta: ' two' }
  }
  const serve = (store: Store): Promise<string> =>
    listen(createServer(toNodeListener(agentHandler({ store, user: () => 'ann', agent: slow }))))
  const first = await serve(keptAlive(await process(), (work) => works.push(work)))
  const other = await process()
  const page = agentClient(first)
  await page.send('count')
  expect(works).toHaveLength(1)
  const phone = agentClient(await serve(other))
  opened.push(phone.subscribe(() => {}))
  await vi.waitFor(() => expect(JSON.stringify(phone.getSnapshot().view)).toContain('One'))
  finish()
  await Promise.all(works)
  const stream = await other.open({ owner: 'ann', contextId: 'main' }, { create: false })
  const view = await stream?.view({ audience: 'user' })
  expect(view?.tasks.map(({ status }) => status)).toEqual(['completed'])
  expect(JSON.stringify(view)).toContain('One two')
})
