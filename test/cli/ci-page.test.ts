// Proves that each command of docs/ci.md works on servers of each protocol, and fails on a faulty one as the page shows.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { a2a } from '../../src/dialects/a2a/index.ts'
import { agUi } from '../../src/dialects/ag-ui/index.ts'
import { aiSdk } from '../../src/dialects/ai-sdk/index.ts'
import { agentHandler, memoryStore, toNodeListener } from '../../src/server/index.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'ci-page-'))
const servers: Server[] = []
afterAll(() => {
  rmSync(folder, { recursive: true })
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const page = readFileSync('docs/ci.md', 'utf8')
/** The calls of the page. */
const calls = [...page.matchAll(/npx (turnstream [^\n`]+)/g)].map(([, call = '']) => call)
/** The requests of the page, by the name of the protocol. */
const requests = new Map(
  [...page.matchAll(/^\| (\S+(?: SDK)?) \| `(\{.*\})` \|$/gm)].map(([, name = '', body = '']) => [
    name,
    body,
  ]),
)

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const card = {
  name: 'tides',
  description: 'Knows the tides.',
  version: '1',
  capabilities: { streaming: true },
  skills: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
}

/** An agent behind all protocols. */
const agent = (): Promise<string> =>
  listening(
    toNodeListener(
      agentHandler({
        store: memoryStore(),
        user: () => 'user-1',
        async *agent() {
          yield { kind: 'content-delta', delta: 'High water ' }
          yield { kind: 'content-delta', delta: 'is at 14:20.' }
        },
        protocols: { 'ag-ui': agUi(), chat: aiSdk(), a2a: a2a({ card: card as never }) },
      }),
    ),
  )

/** The path of each protocol behind the agent. */
const paths: Readonly<Record<string, string>> = {
  'AG-UI': '/agent/ag-ui',
  'AI SDK': '/agent/chat',
  A2A: '/agent/a2a',
}

/** Runs the calls of the page for a request to a server. Resolves to their exit codes, and what the first `validate` prints. */
async function runPage(
  url: string,
  request: string,
): Promise<{ codes: number[]; printed: string; err: string }> {
  const file = (name: string): string => join(folder, name)
  writeFileSync(file('request.json'), request)
  const codes: number[] = []
  let printed = ''
  let all = ''
  for (const call of calls) {
    const [command = '', to] = call.replace('http://localhost:3000/agent', url).split(' > ')
    const args = command
      .split(' ')
      .slice(1)
      .map((arg) =>
        arg.replace('@request.json', `@${file('request.json')}`).replace(/^run\.sse$/, file('run.sse')),
      )
    if (args[0] === 'viewer') args.push('--output', file('run.html'))
    const { code, out, err } = await run(...args)
    if (to !== undefined) writeFileSync(file(to), out)
    if (args[0] === 'validate' && printed === '') printed = out
    if (args[0] !== 'viewer') codes.push(code)
    all += err
  }
  return { codes, printed: printed.replaceAll(file('run.sse'), 'run.sse'), err: all }
}

describe('the commands of docs/ci.md', () => {
  it.each(Object.keys(paths))('find no fault in a server of %s', async (name) => {
    const { codes, err } = await runPage((await agent()) + paths[name], requests.get(name) ?? '')
    expect(err).toMatch(/^Recorded \d+ messages of http:\S+ in .+, \d+ bytes\.\n/)
    expect(codes).toEqual([0, 0, 0, 0, 0])
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('failures="0"')
    expect(JSON.parse(readFileSync(join(folder, 'report.sarif'), 'utf8')).runs[0].results).toEqual([])
  })

  it('find the fault that the page shows', async () => {
    const events = [
      { type: 'RUN_STARTED', threadId: 't1', runId: 'r1' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'Hello' },
      { type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' },
    ]
    const url = await listening((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    })
    const { codes, printed } = await runPage(url, requests.get('AG-UI') ?? '')
    expect(codes).toEqual([0, 1, 1, 1, 1])
    const [, shown] = /```text\n([\s\S]*?)```/.exec(page) ?? []
    expect(printed).toBe(shown)
  })
})
