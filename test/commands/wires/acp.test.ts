// Proves that the ACP SDK accepts the permissions that are requested, and that its responses are read as commands.
import { agent, client, ndJsonStream, type RequestPermissionOutcome } from '@agentclientprotocol/sdk'
import fc from 'fast-check'
import { run } from 'turnstream'
import { commandsFromAcpPermission, toAcpPermission } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../../src/commands/ledger/read.ts'
import { anyone } from '../../support/anyone.ts'
import { json } from '../../support/zod-arbitrary.ts'

const options = { now: () => 0, newId: () => 'id' }

function asked() {
  const ledger = run(commandLedger(anyone))
  const toolCall = { id: 'c', function: { name: 'book', arguments: '{"n":1}' } }
  const context = { contextId: 'ctx-1', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  const ask = { kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: 'Book?' } as const
  ledger.push({ type: 'event', event: { ...context, ...ask, metadata: { toolCall } } })
  const [request] = openRequests(ledger.state)
  if (request === undefined) throw new Error('Expected an open request.')
  return { request, ledger }
}

/** Requests a permission over a pair of streams, from a client that answers so. */
async function requested(params: object, outcome: RequestPermissionOutcome): Promise<unknown> {
  const [toClient, toAgent] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  client({ name: 'editor' })
    .onRequest('session/request_permission', () => ({ outcome }))
    .connect(ndJsonStream(toAgent.writable, toClient.readable))
  const connection = agent({ name: 'agent' }).connect(ndJsonStream(toClient.writable, toAgent.readable))
  try {
    return await connection.client.request('session/request_permission', params as never)
  } finally {
    connection.close()
  }
}

describe('a permission of ACP', () => {
  it.each<[outcome: RequestPermissionOutcome, status: string, call: boolean]>([
    [{ outcome: 'selected', optionId: 'allow' }, 'accepted', true],
    [{ outcome: 'selected', optionId: 'reject' }, 'accepted', false],
    [{ outcome: 'cancelled' }, 'accepted', false],
  ])(
    'that the client answers with %j is a command that the ledger accepts',
    async (outcome, status, hasCall) => {
      const { request, ledger } = asked()
      const permission = toAcpPermission(request)
      expect(permission.toolCall).toEqual({ toolCallId: 'c', title: 'Book?', rawInput: { n: 1 } })
      const response = await requested(permission, outcome)
      const read = commandsFromAcpPermission(response, { request, options: permission.options }, options)
      expect(read.diagnostics).toEqual([])
      const [command] = read.commands
      const sender = { role: 'user', id: 'u' } as const
      const outputs = ledger.push({ type: 'command', command, sender, at: '2026-01-01T00:00:01Z' })
      expect(outputs).toContainEqual(
        expect.objectContaining({ receipt: expect.objectContaining({ status }) as unknown }),
      )
      const answer = outputs.find(({ type }) => type === 'answer')
      expect(answer !== undefined && 'answer' in answer && answer.answer.call !== undefined).toBe(hasCall)
    },
  )

  it('for ever is one for this call, and reported', () => {
    const asks = { ...asked(), options: [{ optionId: 'a', kind: 'allow_always' }] }
    const read = commandsFromAcpPermission({ outcome: { outcome: 'selected', optionId: 'a' } }, asks, options)
    expect(read.commands).toMatchObject([
      { kind: 'input.respond', responses: [{ inputId: 'i', outcome: 'answered' }] },
    ])
    expect(read.diagnostics).toMatchObject([{ code: 'lossy:optionId' }])
  })

  it('of any other form is reported', () => {
    const asks = { ...asked(), options: [{ optionId: 'a', kind: 'allow_once' }] }
    fc.assert(
      fc.property(json, (value) => {
        const { commands, diagnostics } = commandsFromAcpPermission(value, asks, options)
        expect([commands.length, diagnostics.map(({ code }) => code)]).toEqual([0, ['invalid-event']])
      }),
    )
  })
})
