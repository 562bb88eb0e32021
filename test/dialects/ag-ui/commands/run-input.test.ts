// Proves that what the client of AG-UI posts is read as the commands that it means, and that no body makes it throw.
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { run } from 'turnstream'
import { type Command, decodeCommand } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../../../src/commands/ledger/read.ts'
import { commandsFromRunAgentInput } from '../../../../src/dialects/ag-ui/commands/index.ts'
import { anyone } from '../../../support/anyone.ts'
import { expectSentences } from '../../../support/mapper-laws.ts'
import { runs } from '../../../support/runs.ts'
import { json } from '../../../support/zod-arbitrary.ts'

const { HttpAgent, buildResumeArray } = createRequire(import.meta.url)(
  '@ag-ui/client',
) as typeof import('@ag-ui/client')

const options = { now: () => 0, newId: () => 'id' }
const interrupts = [
  { id: 'i', reason: 'tool_call', toolCallId: 'c' },
  { id: 'j', reason: 'input_required' },
]

/** An agent whose first run is interrupted; the bodies that it posts. */
function client() {
  const bodies: unknown[] = []
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init.body)) as { threadId: string; runId: string }
    bodies.push(body)
    const ids = { threadId: body.threadId, runId: body.runId }
    const outcome = bodies.length === 1 ? { type: 'interrupt', interrupts } : { type: 'success' }
    const events = [
      { type: 'RUN_STARTED', ...ids },
      {
        type: 'TOOL_CALL_START',
        toolCallId: `c${bodies.length}`,
        toolCallName: 'where',
        parentMessageId: `m${bodies.length}`,
      },
      { type: 'TOOL_CALL_END', toolCallId: `c${bodies.length}` },
      { type: 'RUN_FINISHED', ...ids, outcome },
    ]
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  const agent = new HttpAgent({ url: 'http://agent.example', threadId: 'ctx-1', fetch: fetch as never })
  return { agent, bodies }
}

/** The open requests of a server that has asked the same. */
function asked() {
  const ledger = run(commandLedger(anyone))
  const context = { contextId: 'ctx-1', taskId: 'run-1', timestamp: '2026-01-01T00:00:00Z' }
  const toolCall = { id: 'c', function: { name: 'book', arguments: '{"n":1}' } }
  const ask = { ...context, kind: 'input-required', prompt: '?' } as const
  ledger.push({
    type: 'event',
    event: { ...ask, inputId: 'i', inputType: 'tool-execution', metadata: { toolCall } },
  })
  ledger.push({ type: 'event', event: { ...ask, inputId: 'j', inputType: 'custom' } })
  return openRequests(ledger.state)
}

describe('commandsFromRunAgentInput', () => {
  it.each([
    ['resolved', ['input.respond'], ['dropped:message']],
    ['cancelled', ['input.respond', 'task.send'], []],
  ] as const)('reads a message with answers as new only after refusals: %s', (status, kinds, codes) => {
    const body = {
      ...{
        threadId: 'ctx-1',
        runId: 'run-2',
        messages: [{ id: 'm-user', role: 'user', content: 'Book it.' }],
      },
      resume: [{ interruptId: 'j', status, ...(status === 'resolved' && { payload: 1 }) }],
    }
    const { commands, diagnostics } = commandsFromRunAgentInput(body, { ...options, requests: asked() })
    expect(commands.map(({ kind }) => kind)).toEqual(kinds)
    expect(diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  it.each([
    ['resolved', 'completed'],
    ['cancelled', 'denied'],
  ])('reads an answer to a request for authentication: %s', (status, outcome) => {
    const request = { contextId: 'ctx-1', taskId: 'run-1', prompt: '?', requireUser: true } as const
    const resume = [{ interruptId: 'a', status }]
    const { commands } = commandsFromRunAgentInput(
      { threadId: 'ctx-1', runId: 'run-2', messages: [], resume },
      { ...options, requests: [{ ...request, type: 'auth', id: 'a' }] },
    )
    expect(commands).toMatchObject([
      { kind: 'auth.respond', commandId: 'run-2:resume:a', authId: 'a', outcome },
    ])
  })

  it('reads a first message', async () => {
    const { agent, bodies } = client()
    agent.addMessage({ id: 'm-user', role: 'user', content: 'Book it.' })
    agent.setState({ draft: 1 })
    await agent.runAgent({ runId: 'run-1' })
    const { commands, diagnostics } = commandsFromRunAgentInput(bodies[0], options)
    expect(diagnostics).toEqual([])
    expect(commands).toMatchObject([
      {
        ...{ kind: 'task.send', commandId: 'run-1:send', contextId: 'ctx-1', input: 'Book it.' },
        metadata: { runId: 'run-1', messageId: 'm-user', state: { draft: 1 } },
      },
    ])
  })

  it('reads the answers to interrupts', async () => {
    const { agent, bodies } = client()
    agent.addMessage({ id: 'm-user', role: 'user', content: 'Book it.' })
    await agent.runAgent({ runId: 'run-1' })
    const resume = buildResumeArray(interrupts, {
      i: { status: 'resolved', payload: { approved: true, editedArgs: { n: 2 } } },
      j: { status: 'cancelled' },
    })
    await agent.runAgent({ runId: 'run-2', resume })
    const { commands } = commandsFromRunAgentInput(bodies[1], { ...options, requests: asked() })
    expect(commands.filter(({ kind }) => kind === 'input.respond')).toMatchObject([
      {
        commandId: 'run-2:resume:i',
        contextId: 'ctx-1',
        responses: [{ inputId: 'i', value: { arguments: { n: 2 } } }],
      },
      { commandId: 'run-2:resume:j', responses: [{ inputId: 'j', outcome: 'declined' }] },
    ])
  })

  it('reads the results of tools of the client, and only those of the last turn', async () => {
    const { agent, bodies } = client()
    agent.addMessage({ id: 'm-user', role: 'user', content: 'Where am I?' })
    await agent.runAgent({ runId: 'run-1' })
    const resume = buildResumeArray(interrupts, { i: { status: 'cancelled' }, j: { status: 'cancelled' } })
    agent.addMessage({ id: 'm-tool-1', role: 'tool', toolCallId: 'c1', content: '{"port":"Brest"}' })
    await agent.runAgent({ runId: 'run-2', resume })
    agent.addMessage({
      id: 'm-tool-2',
      role: 'tool',
      toolCallId: 'c2',
      content: 'no fix',
      error: 'No signal.',
    } as never)
    await agent.runAgent({ runId: 'run-3' })
    const read = (body: unknown): Command[] =>
      commandsFromRunAgentInput(body, options).commands.filter(({ kind }) => kind === 'tool.result')
    expect(read(bodies[1])).toMatchObject([
      { commandId: 'm-tool-1:result', toolCallId: 'c1', success: true, result: { port: 'Brest' } },
    ])
    expect(read(bodies[2])).toMatchObject([{ toolCallId: 'c2', success: false, error: 'No signal.' }])
  })

  it('reports a body that leads to no command, or is none', () => {
    const codes = (body: unknown): string[] =>
      commandsFromRunAgentInput(body, options).diagnostics.map(({ code }) => code)
    expect(codes({ threadId: 't', runId: 'r', messages: [] })).toEqual(['dropped:RunAgentInput'])
    expect(codes({ threadId: 't', runId: 'r', messages: [], resume: [{ interruptId: 7 }] })).toContain(
      'invalid-event',
    )
    for (const body of [null, 7, [], { threadId: 't' }])
      expect([...new Set(codes(body))]).toEqual(['invalid-event'])
  })

  it('gives valid commands and never throws', () => {
    const body = fc.record({
      ...{ threadId: fc.constant('t'), runId: fc.constant('r') },
      messages: fc.array(
        fc.oneof(
          json,
          fc.record({ role: fc.constantFrom('user', 'tool', 'assistant'), toolCallId: json, content: json }),
        ),
      ),
      resume: fc.array(
        fc.oneof(
          json,
          fc.record({ interruptId: json, status: fc.constantFrom('resolved', 'x'), payload: json }),
        ),
      ),
    })
    fc.assert(
      fc.property(fc.oneof(json, body), (value) => {
        const { commands, diagnostics } = commandsFromRunAgentInput(value, options)
        for (const command of commands) expect(decodeCommand(command).status).toBe('known')
        expect(commands.length + diagnostics.length).toBeGreaterThan(0)
        expectSentences([{ out: [], diagnostics }])
      }),
      { numRuns: runs(200) },
    )
  })
})
