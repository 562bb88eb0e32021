/** Servers and clients on the official SDKs of both revisions of MCP: a tool asks, the user answers, the tool ends. */
import { deepStrictEqual } from 'node:assert/strict'
import { type FromMcp, fromMcp, type McpAnswer, toMcpInputResponses } from 'turnstream/mcp'
import * as z from 'zod'
import type { McpQuestion } from '../../../src/mcp/reading.ts'
import { bookedBerth, respond } from '../../support/booked-berth.ts'
import { installed, type Untyped } from '../frameworks/installed.ts'
import type { Step } from '../step.ts'

export const mcpSteps: readonly Step[] = [
  { name: 'MCP 2026-07-28: a tool asks by its result', run: asksByResult },
  { name: 'MCP 2025-11-25: a tool asks by a request', run: asksByRequest },
]

const message = 'Which day?'
const requestedSchema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
const page = { message: 'Log in.', url: 'https://login.example/' }
const inputSchema = z.object({ boat: z.string() })
const [harbour, agent] = ['harbour', 'agent'].map((name) => ({ name, version: '1.0.0' }))
const capabilities = { elicitation: { form: {}, url: {} } }
const call = { toolCallId: 'c', toolName: 'book_berth' }
const params = { name: call.toolName, arguments: { boat: 'Lark' } }

/** What each answer is for a server. */
const endings: readonly [answer: McpAnswer | undefined, result: object][] = [
  [
    { status: 'answered', value: { day: 'Monday' } },
    { action: 'accept', content: { day: 'Monday' } },
  ],
  [{ status: 'declined' }, { action: 'decline' }],
  [undefined, { action: 'cancel' }],
]

/** A result that fails unless the user accepts. */
function resultOf(answers: readonly Untyped[]): object {
  const text = JSON.stringify(answers.map(({ action, content }) => ({ action, content })))
  return { content: [{ type: 'text', text }], isError: answers.some(({ action }) => action !== 'accept') }
}

/** How a call ends of which `resultOf` is the result. */
function endOf(...answers: readonly { action?: string }[]): object {
  const [text, success] = [JSON.stringify(answers), answers.every(({ action }) => action === 'accept')]
  return { kind: 'tool-complete', ...call, success, ...(success ? { result: text } : { error: text }) }
}

function questionOf({ question, diagnostics }: FromMcp): McpQuestion {
  deepStrictEqual(diagnostics, [])
  if (question === undefined) throw new Error('Expected a question, got none.')
  return question
}

async function asksByResult(): Promise<string> {
  const client = await currentClient()
  const booked = await bookedBerth(client, (stream, request) =>
    respond(stream, request, { value: { day: 'Monday' } }),
  )
  const end = booked.find(({ kind }) => kind === 'tool-complete')
  const accepted = [endings[0]?.[1] ?? {}, { action: 'accept' }]
  deepStrictEqual({ ...end, ...call }, { ...end, ...endOf(...accepted) })
  for (const [answer, expected] of endings) {
    const map = { callOf: () => call }
    const question = questionOf(fromMcp({ result: await client.callTool(params, options) }, map))
    const [day, login] = question.requests.map(({ id }) => id)
    const answers = { [`${day}`]: answer, [`${login}`]: { outcome: 'denied' } as const }
    const retried = { ...params, ...toMcpInputResponses(question, answers).params }
    const { drafts, diagnostics } = fromMcp({ result: await client.callTool(retried, options) }, map)
    deepStrictEqual([drafts, diagnostics], [[endOf(expected, { action: 'decline' })], []])
  }
  await client.close()
  return 'accepted, declined and canceled'
}

const options = { allowInputRequired: true } as const

/** A client of a server that forgets everything between two calls: what it needs is in its state. */
async function currentClient(): Promise<Untyped> {
  const { Client, StreamableHTTPClientTransport } = await installed('@modelcontextprotocol/client', 'mcp')
  const sdk = await installed('@modelcontextprotocol/server', 'mcp')
  const { createMcpHandler, inputRequired, inputResponse, McpServer } = sdk
  const handler = createMcpHandler(() => {
    const server = new McpServer(harbour, { capabilities: {} })
    server.registerTool('book_berth', { inputSchema }, ({ boat }: { boat: string }, { mcpReq }: Untyped) => {
      const keys = ['day', 'login']
      if (mcpReq.requestState() === `For ${boat}`)
        return resultOf(keys.map((key) => inputResponse(mcpReq.inputResponses, key)))
      const day = inputRequired.elicit({ message, requestedSchema })
      const inputRequests = { day, login: inputRequired.elicitUrl(page) }
      return inputRequired({ inputRequests, requestState: `For ${boat}` })
    })
    return server
  })
  const fetch = (url: string, init: RequestInit): Promise<Response> => handler.fetch(new Request(url, init))
  const client = new Client(agent, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL('http://harbour.example/'), { fetch }))
  deepStrictEqual(client.getNegotiatedProtocolVersion(), '2026-07-28')
  return client
}

async function asksByRequest(): Promise<string> {
  const [{ Client }, { McpServer }, { InMemoryTransport }, { ElicitRequestSchema }] = await Promise.all(
    ['client/index.js', 'server/mcp.js', 'inMemory.js', 'types.js'].map((file) =>
      installed(`@modelcontextprotocol/sdk/${file}`, 'mcp'),
    ) as [Promise<Untyped>, Promise<Untyped>, Promise<Untyped>, Promise<Untyped>],
  )
  const server = new McpServer(harbour, { capabilities: {} })
  server.registerTool(
    'book_berth',
    { inputSchema: inputSchema.shape },
    async (_: unknown, extra: Untyped) => {
      const progress = { progressToken: extra._meta.progressToken, progress: 1, total: 2 }
      await extra.sendNotification({ method: 'notifications/progress', params: progress })
      return resultOf([
        await server.server.elicitInput({ message, requestedSchema }),
        await server.server.elicitInput({ mode: 'url', ...page, elicitationId: 'e' }),
      ])
    },
  )
  const client = new Client(agent, { capabilities })
  const map = { callOf: () => call, idPrefix: 'harbour/' }
  const read: FromMcp[] = []
  let answer: McpAnswer | undefined
  client.setRequestHandler(ElicitRequestSchema, (request: object, { requestId }: Untyped) => {
    const reading = fromMcp({ id: requestId, ...request }, map)
    read.push(reading)
    const question = questionOf(reading)
    const answers = Object.fromEntries(
      question.requests.map(({ id, type }) => [
        id,
        type === 'auth' ? { outcome: 'denied' as const } : answer,
      ]),
    )
    return toMcpInputResponses(question, answers).params.inputResponses?.[String(requestId)]
  })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  for (const [given, expected] of endings) {
    answer = given
    read.length = 0
    const onprogress = (progress: object): void => {
      read.push(fromMcp({ method: 'notifications/progress', params: { progressToken: 1, ...progress } }, map))
    }
    const result = await client.callTool(params, undefined, { onprogress })
    read.push(fromMcp({ result }, map))
    deepStrictEqual(
      read.flatMap(({ drafts }) => drafts.map(({ kind }) => kind)),
      ['tool-progress', 'input-required', 'auth-required', 'tool-complete'],
    )
    deepStrictEqual(read.at(-1), { drafts: [endOf(expected, { action: 'decline' })], diagnostics: [] })
  }
  await client.close()
  return 'accepted, declined and canceled'
}
