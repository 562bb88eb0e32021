// Proves that a call which an AG-UI agent asks about starts once it is approved, and that answers have the ids of the agent.
import fc from 'fast-check'
import type { AgUiRunInput } from 'turnstream/ag-ui'
import { agUiAgent, chatAgent } from 'turnstream/agents'
import { describe, expect, it } from 'vitest'
import { type Response, ran, sse } from './serve.ts'

type Run = (input: AgUiRunInput, i: number) => readonly object[]

/** An agent whose runs are a script. */
function agentOf(script: Run) {
  const posted: AgUiRunInput[] = []
  const lost: string[] = []
  const agent = agUiAgent({
    onDiagnostic: ({ code }) => lost.push(code),
    post: (input) => {
      posted.push(JSON.parse(JSON.stringify(input)))
      const { threadId, runId } = input
      return sse({ type: 'RUN_STARTED', threadId, runId }, ...script(input, posted.length - 1))
    },
  })
  return { agent, posted, lost }
}

const finished = ({ threadId, runId }: AgUiRunInput, interrupts?: readonly object[]): object => ({
  ...{ type: 'RUN_FINISHED', threadId, runId },
  ...(interrupts !== undefined && { outcome: { type: 'interrupt', interrupts } }),
})
const called = (toolCallId: string, args = '{"amount":3}'): readonly object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'pay' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args },
  { type: 'TOOL_CALL_END', toolCallId },
]
const result = (toolCallId: string, content: string): object => ({
  ...{ type: 'TOOL_CALL_RESULT', messageId: `r-${toolCallId}`, toolCallId, content },
})
const interrupt = (id: string, more: object = {}): object => ({
  id,
  reason: 'tool_call',
  message: 'Pay?',
  ...more,
})

const asking: Run = (input, i) =>
  i === 0
    ? [...called('t'), finished(input, [interrupt('i', { toolCallId: 't' })])]
    : [result('t', input.resume?.[0]?.status === 'resolved' ? 'paid' : 'rejected'), finished(input)]

const chat = () => {
  let requests = 0
  const lost: string[] = []
  const agent = chatAgent({
    onDiagnostic: ({ code }) => lost.push(code),
    post: () =>
      requests++ > 0
        ? sse(
            { type: 'start' },
            { type: 'tool-output-available', toolCallId: 't', output: 'paid' },
            { type: 'finish' },
          )
        : sse(
            { type: 'start' },
            { type: 'tool-input-available', toolCallId: 't', toolName: 'pay', input: { amount: 3 } },
            { type: 'tool-approval-request', approvalId: 'i', toolCallId: 't' },
            { type: 'finish' },
          ),
  })
  return { agent, lost }
}

const stores = { 'needsApproval names it': { needsApproval: () => true }, 'nothing needs approval': {} }

describe.each(Object.entries(stores))('a call that the agent asks about, if %s', (_, options) => {
  it.each([
    ['AG-UI', () => agentOf(asking)],
    ['AI SDK', chat],
  ])('starts once it is approved, and nothing is lost: %s', async (_, peer) => {
    const { agent, lost } = peer()
    const { events, task, errors } = await ran(agent, undefined, options)
    expect(lost).toEqual([])
    const kinds = events.map(({ kind }) => kind).filter((kind) => /^(input|tool)-(?!arguments)/.test(kind))
    expect(kinds).toEqual(['input-required', 'input-received', 'tool-start', 'tool-complete'])
    expect([task?.status, errors]).toEqual(['completed', []])
  })

  it('does not start if it is declined, whatever the agent returns for it', async () => {
    const { events, task, errors } = await ran(
      agentOf(asking).agent,
      () => ({ outcome: 'declined' }),
      options,
    )
    expect(events.map(({ kind }) => kind)).not.toContain('tool-start')
    expect(task?.parts.find(({ type }) => type === 'tool')).toMatchObject({ status: 'declined' })
    expect([task?.status, errors]).toEqual(['completed', []])
  })

  it('starts with the arguments of an edit', async () => {
    const schema = { type: 'object', properties: { arguments: { type: 'object' } } }
    const editable: Run = (input, i) =>
      i === 0
        ? [...called('t'), finished(input, [interrupt('i', { toolCallId: 't', responseSchema: schema })])]
        : [result('t', 'paid'), finished(input)]
    const edit = (): Response => ({ value: { arguments: { amount: 2 } } })
    const { events, errors } = await ran(agentOf(editable).agent, edit, options)
    expect(events.find(({ kind }) => kind === 'tool-start')).toMatchObject({ arguments: { amount: 2 } })
    expect(errors).toEqual([])
  })

  it.each([
    ['{ type }', undefined, { type: 'accept' }],
    ['{ type } by its schema', { type: 'object' }, { type: 'accept' }],
    ['{ type, args }', {}, { type: 'edit', args: { amount: 2 } }],
    ['a text', undefined, 'yes'],
    ['{ approved }', {}, { approved: true }],
    ['{ ok } for { approved }', { type: 'object', properties: { approved: {} } }, { ok: 1 }],
  ])(
    'is refused at the agent if its answer is %s, which approves nothing here',
    async (_, responseSchema, value) => {
      const posted: unknown[] = []
      const asks: Run = (input, i) => {
        posted.push(input.resume)
        const asked = interrupt('i', { toolCallId: 't', ...(responseSchema && { responseSchema }) })
        return i === 0 ? [...called('t'), finished(input, [asked])] : [finished(input)]
      }
      const { events } = await ran(agentOf(asks).agent, () => ({ value }), options)
      expect(posted).toEqual([undefined, [{ interruptId: 'i', status: 'cancelled' }]])
      expect(events.find(({ kind }) => kind === 'input-received')).toMatchObject({ outcome: 'declined' })
      expect(events.map(({ kind }) => kind)).not.toContain('tool-start')
    },
  )

  it('is refused at the agent with the value of the refusal', async () => {
    const posted: unknown[] = []
    const asks: Run = (input, i) => {
      posted.push(input.resume)
      return i === 0
        ? [...called('t'), finished(input, [interrupt('i', { toolCallId: 't' })])]
        : [finished(input)]
    }
    await ran(agentOf(asks).agent, () => ({ value: { approved: false, reason: 'No.' } }), options)
    const payload = { approved: false, reason: 'No.' }
    expect(posted.at(-1)).toEqual([{ interruptId: 'i', status: 'resolved', payload }])
  })

  it('is recorded if it runs though the answer approves nothing', async () => {
    const suspended: Run = (input, i) =>
      i === 0
        ? [...called('t'), finished(input, [interrupt('i', { toolCallId: 't', responseSchema: {} })])]
        : [result('t', 'paid'), finished(input)]
    const { events, errors, codes } = await ran(
      agentOf(suspended).agent,
      () => ({ value: 'by card' }),
      options,
    )
    expect(events.find(({ kind }) => kind === 'tool-start')).toMatchObject({
      metadata: { provider: 'provider' },
    })
    expect([codes, errors]).toEqual([['call-not-approved'], []])
  })
})

it('starts a call that nobody asks about before its result', async () => {
  const { agent } = agentOf((input) => [...called('t'), result('t', 'paid'), finished(input)])
  const { events, task } = await ran(agent)
  expect(events.map(({ kind }) => kind).filter((kind) => kind.startsWith('tool-'))).toEqual([
    'tool-arguments-delta',
    'tool-start',
    'tool-complete',
  ])
  expect(task?.status).toBe('completed')
})

it('answers each question under the id that the agent gave it', async () => {
  const ids = fc.array(fc.constantFrom('i1', 'i2', 'i1#2', ''), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(ids, async (each) => {
      const { agent, posted } = agentOf((input, i) => {
        const id = each[i]
        return [finished(input, id === undefined ? undefined : [interrupt(id)])]
      })
      let answers = 0
      const { events, task } = await ran(agent, () => ({ value: ++answers }))
      expect(task?.status).toBe('completed')
      expect(events.filter(({ kind }) => kind === 'input-required')).toHaveLength(each.length)
      const resumed = posted.slice(1).map(({ resume }) => resume?.map(({ interruptId }) => interruptId))
      expect(resumed).toEqual(each.map((id) => [id]))
    }),
    { numRuns: 20 },
  )
})

it('posts calls and results under the ids of the agent, also if it uses one again', async () => {
  const { agent, posted } = agentOf((input, i) => [
    ...called('t'),
    result('t', `paid ${i}`),
    finished(input, i < 2 ? [interrupt('i')] : undefined),
  ])
  const { task } = await ran(agent, () => ({ value: 'yes' }))
  expect(task?.status).toBe('completed')
  const ids = posted.at(-1)?.messages.flatMap((each) => {
    if (each.role === 'tool') return [each.toolCallId]
    return each.role === 'assistant' ? (each.toolCalls ?? []).map(({ id }) => id) : []
  })
  expect(ids).toEqual(['t', 't', 't', 't'])
})

it('gets the next input after a run that has ended, and yields nothing of that', async () => {
  const { agent, posted } = agentOf((input) => [finished(input)])
  expect((await ran(agent)).task?.status).toBe('completed')
  const { events, task } = await ran(agent)
  expect(task?.status).toBe('completed')
  expect(new Set(events.map(({ taskId }) => taskId)).size).toBe(1)
  expect(posted).toHaveLength(2)
})
