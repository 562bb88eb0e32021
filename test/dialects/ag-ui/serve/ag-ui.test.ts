// Proves that the client of AG-UI runs an agent behind a handler: runs, interrupts, answers from elsewhere, and what it has missed.
import { type AgUiEvent, agUi } from 'turnstream/ag-ui'
import type { Agent } from 'turnstream/server'
import { describe, expect, it, vi } from 'vitest'
import {
  booking,
  eventually,
  handled,
  root,
  secret,
  textAfter,
  textBefore,
  textDeclined,
} from '../../../support/protocols.ts'
import { HttpAgent, orderErrorsOf, schemaErrorsOf } from '../peers.ts'

const url = `${root}/ag-ui`

function served(agent: Agent) {
  const server = handled({ agent, protocols: { 'ag-ui': agUi() } })
  const events: AgUiEvent[] = []
  /** A client of a user, whose events are kept. */
  const clientOf = (user: string, path = '') => {
    const options = { url: `${url}${path}`, threadId: 'trip', fetch: server.fetchAs(user) }
    return new HttpAgent(options)
  }
  const subscriber = { onEvent: ({ event }: { event: AgUiEvent }) => void events.push(event) }
  const runOf = (client: HttpAgent, parameters: object = {}) => client.runAgent(parameters, subscriber)
  return { ...server, events, clientOf, runOf }
}

const text = (client: HttpAgent): string =>
  client.messages
    .filter(({ role, content }) => role === 'assistant' && content !== undefined)
    .map(({ content }) => String(content))
    .join('|')

const answers = (client: HttpAgent, approved = true) =>
  client.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved } }))

/** A client that has sent a message, and shows what the agent asks. */
async function asked(calls = 1) {
  const agent = booking({ calls })
  const server = served(agent.agent)
  const client = server.clientOf('ann')
  client.addMessage({ id: 'm-1', role: 'user', content: 'Book' })
  await server.runOf(client)
  return { agent, client, ...server }
}

describe('a run', () => {
  it('ends with the interrupts, and its answers begin the next one', async () => {
    const { agent, client, events, runOf, errors } = await asked(2)
    expect([text(client), client.pendingInterrupts.length]).toEqual([textBefore, 2])
    await runOf(client, { runId: 'r-2', resume: answers(client) })
    expect([text(client), client.pendingInterrupts, agent.calls]).toEqual([
      `${textBefore}|${textAfter}`,
      [],
      2,
    ])
    expect(client.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)
    expect(schemaErrorsOf(events)).toEqual([])
    expect(orderErrorsOf(events)).toEqual([])
    const runs = events.flatMap((event) => (event.type === 'RUN_STARTED' ? [event.runId] : []))
    expect([runs.length, runs[1]]).toEqual([2, 'r-2'])
    expect(JSON.stringify(events)).not.toContain(secret)
    expect(errors).toEqual([])
  })

  it('is declined', async () => {
    const { agent, client, runOf } = await asked()
    const resume = client.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' }))
    await runOf(client, { resume })
    expect([text(client), agent.calls]).toEqual([`${textBefore}|${textDeclined}`, 0])
  })

  it('continues with what another client has answered', async () => {
    const { client, answer, runOf } = await asked()
    await answer('ann', 'trip', 'declined')
    await runOf(client, { resume: answers(client) })
    expect(text(client)).toBe(`${textBefore}|${textDeclined}`)
  })

  it('asks again for what is left', async () => {
    const { agent, client, fetchAs, events } = await asked(2)
    const [first, ...rest] = answers(client)
    const body = {
      threadId: 'trip',
      runId: 'r-2',
      messages: client.messages,
      resume: [first],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }
    const post = async (value: object): Promise<AgUiEvent[]> => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetchAs('ann')(url, { method: 'POST', headers, body: JSON.stringify(value) })
      const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
      return lines.map((line) => JSON.parse(line.slice(6)) as AgUiEvent)
    }
    const partly = await post(body)
    expect(partly.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_FINISHED'])
    expect(partly.at(-1)).toMatchObject({
      runId: 'r-2',
      outcome: { type: 'interrupt', interrupts: rest.map(({ interruptId: id }) => ({ id })) },
    })
    // Sent again, the same.
    expect(await post(body)).toEqual(partly)
    const last = await post({ ...body, runId: 'r-3', resume: rest })
    expect(last.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r-3', outcome: { type: 'success' } })
    expect([agent.calls, agent.begun]).toEqual([2, ['Book']])
    expect(orderErrorsOf([...events, ...partly, ...last])).toEqual([])
  })

  it('of another user has nothing of it', async () => {
    const { agent, client, clientOf, runOf } = await asked()
    // The client reports each failure.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const other = clientOf('bob')
    await expect(runOf(other, { resume: answers(client) })).rejects.toThrow(/404/)
    expect([agent.calls, other.messages]).toEqual([0, []])
  })

  it('fails with the code of the error', async () => {
    const { clientOf, events, runOf } = served(async function* () {
      yield { kind: 'content-delta', delta: 'One' }
      throw new Error('secret cause')
    })
    const client = clientOf('ann')
    client.addMessage({ id: 'm-1', role: 'user', content: 'Hi' })
    await runOf(client).catch(() => undefined)
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'internal' })
    expect(JSON.stringify(events)).not.toContain('secret')
  })
})

describe('a client that connects', () => {
  it('gets the messages, and what waits for an answer', async () => {
    const { agent, clientOf, events, runOf } = await asked()
    events.length = 0
    const other = clientOf('ann', '/connect')
    await runOf(other)
    expect([text(other), other.pendingInterrupts.length]).toEqual([textBefore, 1])
    expect(orderErrorsOf(events)).toEqual([])
    const page = clientOf('ann')
    for (const message of other.messages) page.addMessage(message)
    await runOf(page, { resume: answers(other) })
    expect([text(page), agent.calls]).toEqual([`${textBefore}|${textAfter}`, 1])
    const late = clientOf('ann', '/connect')
    await runOf(late)
    expect(text(late)).toBe(`${textBefore}|${textAfter}`)
  })

  it('follows a run that writes', async () => {
    const agent = booking({ isHeld: true })
    const { clientOf, runOf } = served(agent.agent)
    const client = clientOf('ann')
    client.addMessage({ id: 'm-1', role: 'user', content: 'Book' })
    const running = runOf(client)
    await eventually(() => expect(agent.begun).toHaveLength(1))
    const other = clientOf('ann', '/connect')
    const connected = runOf(other)
    agent.go()
    await Promise.all([running, connected])
    expect([text(other), text(client)]).toEqual([textBefore, textBefore])
    expect(other.messages.map(({ role }) => role)).toContain('user')
  })

  it('gets an empty run of a thread that does not exist', async () => {
    const { clientOf, runOf, errors } = served(booking().agent)
    const client = clientOf('bob', '/connect')
    await runOf(client)
    expect([client.messages, errors]).toEqual([[], []])
  })
})

it('answers what cannot be read with a RUN_ERROR', async () => {
  const { fetchAs } = served(booking().agent)
  const headers = { 'content-type': 'application/json' }
  for (const body of ['', '[]', '{"threadId":"t"}', '{"threadId":"t","runId":"r","messages":[]}']) {
    const response = await fetchAs('ann')(url, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { type: 'RUN_ERROR', code: 'invalid' },
    ])
  }
  const posted = { method: 'POST', headers, body: '{"threadId":"t","runId":"r","messages":[]}' }
  for (const [path, init] of [
    ['', {}],
    ['/other', posted],
    ['/connect/more', posted],
  ] as const)
    expect((await fetchAs('ann')(url + path, init)).status).toBe(404)
})
