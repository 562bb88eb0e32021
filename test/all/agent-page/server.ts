/**
 * The example with a store in SQLite, all protocols and the tool of a recording, in a process that is killed.
 * Arguments: the file of the database, the port, and the folder with the scripts of other pages.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import OpenAI from 'openai'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { agentLoop, chatFormat } from 'turnstream/agents'
import { aiSdk } from 'turnstream/ai-sdk'
import { type Agent, agentHandler } from 'turnstream/server'
import { sqlite, sqlStore, tables } from 'turnstream/sql'
import { pageServer } from '../../../examples/agent/page-server.ts'
import { tools, userOf } from '../../../examples/agent/shop.ts'
import type { SqliteClient } from '../../../src/sql/drivers/sqlite.ts'

const [, , file = '', port, folder = ''] = process.argv
// Types of Node 20 have none.
const { DatabaseSync } = (await import('node:sqlite' as string)) as {
  DatabaseSync: new (path: string) => SqliteClient
}
const client = new DatabaseSync(file)
client.exec(tables('sqlite').join(';\n'))
const store = sqlStore({ database: sqlite(client), needsApproval: () => true, leaseMs: 1000 })
const openai = new OpenAI()
const agent: Agent = (task) =>
  agentLoop(task, {
    format: chatFormat,
    tools: { ...tools, get_forecast: ({ city }) => ({ city, celsius: 21 }) },
    model: (messages, signal) =>
      openai.chat.completions.create({ model: 'none', messages, stream: true }, { signal }),
  })
const url = `http://localhost:${port}/agent/a2a`
const card = {
  ...{ name: 'Shop', description: 'Pays for what it is asked.', version: '1.0.0', skills: [] },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  capabilities: { streaming: true },
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
}
const protocols = { chat: aiSdk(), 'ag-ui': agUi(), a2a: a2a({ card }) }
const native = await pageServer(
  agentHandler({ store, user: userOf, agent, protocols, onError: console.error }),
)

const server = createServer(async (request, response) => {
  const [, page] = /^\/pages\/([\w-]+)$/.exec(request.url ?? '') ?? []
  const [, script] = /^\/pages\/([\w-]+\.js)$/.exec(request.url ?? '') ?? []
  if (page !== undefined) {
    const html = `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/pages/${page}.js"></script>`
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
  } else if (script !== undefined) {
    response.setHeader('content-type', 'text/javascript').end(await readFile(join(folder, script)))
  } else native.emit('request', request, response)
})
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
