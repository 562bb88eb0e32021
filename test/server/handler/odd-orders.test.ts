// Proves that every order of messages is answered: with what the agent says, or with an error in the form of the protocol.
import fc from 'fast-check'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore, type Store } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { handled, root } from '../../support/protocols.ts'
import { runs } from '../../support/runs.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi(),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}

/** What a client may have: messages of each kind, with a text or the id of a call. */
type Kind = 'user' | 'called' | 'result' | 'unknown' | 'said' | 'system'
type Item = readonly [kind: Kind, text: string]

interface Client {
  readonly path: string
  /** A body with messages, that of the request with a number. */
  body(items: readonly Item[], number: number): object
}

const callOf = (id: string) => {
  const called = { name: 'where', arguments: '{"place":"quay"}' }
  return { id, type: 'function' as const, function: called }
}

const clients: Readonly<Record<string, Client>> = {
  openai: {
    path: '/v1/chat/completions',
    body: (items, number) => ({
      ...{ metadata: { conversation: 'trip' }, stream: number % 2 === 0 },
      messages: items.map(([kind, text]) => {
        if (kind === 'called') return { role: 'assistant', content: null, tool_calls: [callOf(text)] }
        if (kind === 'result') return { role: 'tool', tool_call_id: text, content: 'Brest' }
        if (kind === 'unknown') return { role: 'tool', tool_call_id: 'other', content: 'Brest' }
        return { role: kind === 'said' ? 'assistant' : kind, content: text }
      }),
    }),
  },
  'ag-ui': {
    path: '/ag-ui',
    body: (items, number) => ({
      ...{ threadId: 'trip', runId: `run-${number}` },
      messages: items.map(([kind, text], i) => {
        const id = `m-${i}`
        if (kind === 'called') return { id, role: 'assistant', toolCalls: [callOf(text)] }
        if (kind === 'result') return { id, role: 'tool', toolCallId: text, content: 'Brest' }
        if (kind === 'unknown') return { id, role: 'tool', toolCallId: 'other', content: 'Brest' }
        return { id, role: kind === 'said' ? 'assistant' : kind, content: text }
      }),
    }),
  },
  'ai-sdk': {
    path: '/chat',
    body: (items) => ({
      id: 'trip',
      messages: items.map(([kind, text], i) => {
        const id = `m-${i}`
        const part = { type: 'dynamic-tool', toolName: 'where', toolCallId: text, input: {} }
        const output = { state: 'output-available', output: 'Brest' }
        const parts = {
          called: { ...part, state: 'input-available' },
          result: { ...part, ...output },
          unknown: { ...part, toolCallId: 'other', ...output },
        }
        if (kind === 'called' || kind === 'result' || kind === 'unknown')
          return { id, role: 'assistant', parts: [parts[kind]] }
        return { id, role: kind === 'said' ? 'assistant' : kind, parts: [{ type: 'text', text }] }
      }),
    }),
  },
}

/** Lets its client run calls, one after another, if it is asked where it is; and otherwise repeats what it was told. */
function asking(store: Store, count = 1): Agent {
  return async function* (task) {
    const { contextId, taskId, input } = task
    if (input !== 'Where am I?') {
      yield { kind: 'content-complete', content: `Echo: ${JSON.stringify(input)}` }
      return
    }
    for (let i = 0; i < count; i++) {
      const [toolCallId, toolName] = [`call-${i}`, 'where']
      yield {
        ...{ kind: 'tool-start', toolCallId, toolName, arguments: { place: 'quay' } },
        metadata: { provider: 'client' },
      }
      yield {
        ...{ kind: 'input-required', inputId: `i-${i}`, inputType: 'tool-execution', prompt: 'Where?' },
        metadata: { provider: 'client', toolCall: callOf(toolCallId) },
      }
      yield { kind: 'task-status', status: 'waiting-input' }
      const stream = await store.open({ owner: 'ann', contextId })
      await stream.answer({ inputId: `i-${i}`, contextId, taskId })
      yield { kind: 'task-status', status: 'working' }
    }
    yield { kind: 'content-complete', content: 'You are there.' }
  }
}

function served(count?: number) {
  const store = memoryStore()
  const { fetchAs, errors } = handled({ agent: asking(store, count), protocols, store })
  const send = async (path: string, body?: object): Promise<{ status: number; text: string }> => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetchAs('ann')(`${root}${path}`, init)
    return { status: response.status, text: await response.text() }
  }
  return { store, errors, send }
}

const first: Item = ['user', 'Where am I?']
const called: Item = ['called', 'call-0']
const result: Item = ['result', 'call-0']
const next: Item = ['user', 'And now?']

describe.each(Object.keys(clients))('%s', (name) => {
  const { path, body } = clients[name] as Client

  it('takes a result and the message behind it', async () => {
    const { store, errors, send } = served()
    await send(path, body([first], 0))
    const items = name === 'ai-sdk' ? [first, result, next] : [first, called, result, next]
    const { status, text } = await send(path, body(items, 2))
    expect([status, text]).toEqual([200, expect.stringContaining('And now?')])
    const history = await send('/history?context=trip')
    expect(history.text).toContain('"result":"Brest"')
    expect(history.text).toContain('You are there.')
    expect(errors).toEqual([])
    await store.close()
  })

  it('ends a response whose task is queued behind one that asks again', async () => {
    const { store, errors, send } = served(2)
    await send(path, body([first], 0))
    const items = name === 'ai-sdk' ? [first, result, next] : [first, called, result, next]
    const { status, text } = await send(path, body(items, 1))
    expect([200, 409]).toContain(status)
    expect(text).toContain('queued behind a task that waits for an answer')
    const history = await send('/history?context=trip')
    expect(history.text).toContain('"inputId":"i-1"')
    expect(errors).toEqual([])
    await store.close()
  })

  it('ends one that waits for its turn as soon as the task before it asks', async () => {
    const store = memoryStore()
    let go = (): void => {}
    const isHeld = new Promise<void>((resolve) => {
      go = resolve
    })
    const agent: Agent = async function* (task) {
      yield { kind: 'content-delta', delta: 'I look.' }
      await isHeld
      yield* asking(store)(task)
    }
    const { fetchAs, errors } = handled({ agent, protocols, store })
    const post = (items: readonly Item[], number: number) =>
      fetchAs('ann')(`${root}${path}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify(body(items, number)),
      })
    const asked = await post([first], 0)
    const queued = await post([first, ['said', 'I look.'], next], 2)
    expect(queued.status).toBe(200)
    go()
    const text = await queued.text()
    expect(text).toContain('queued behind a task that waits for an answer')
    expect(await asked.text()).toContain('call-0')
    expect(errors).toEqual([])
    await store.close()
  })

  it('answers any order, whether a call waits or nothing is there', async () => {
    const kinds: readonly Item[] = [
      first,
      next,
      called,
      result,
      ['unknown', ''],
      ['said', 'So?'],
      ['system', 'Be kind.'],
    ]
    const orders = fc.tuple(
      fc.boolean(),
      fc.array(fc.constantFrom(...kinds), { maxLength: 6 }),
      fc.integer({ min: 1, max: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(orders, async ([hasBegun, items, number]) => {
        const { store, errors, send } = served()
        if (hasBegun) await send(path, body([first], 0))
        const { status, text } = await send(path, body(items, number))
        expect([200, 400, 404, 409]).toContain(status)
        // Sent again, it is answered as well.
        const again = await send(path, body(items, number))
        expect([200, 400, 404, 409]).toContain(again.status)
        expect([text, errors]).toEqual([expect.stringMatching(/\S/), []])
        await store.close()
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('a2a', () => {
  const rpc = (method: string, message: object) => ({ jsonrpc: '2.0', id: 1, method, params: { message } })

  it('shows the task of a message that is queued behind one that asks', async () => {
    const { store, errors, send } = served()
    const parts = [{ text: 'Where am I?' }]
    await send('/a2a', rpc('SendMessage', { messageId: 'm-1', contextId: 'trip', parts }))
    for (const [i, method] of ['SendMessage', 'SendStreamingMessage'].entries()) {
      const message = { messageId: `n-${i}`, contextId: 'trip', parts: [{ text: 'And now?' }] }
      const { status, text } = await send('/a2a', rpc(method, message))
      expect([status, text]).toEqual([200, expect.stringContaining('TASK_STATE_SUBMITTED')])
    }
    expect(errors).toEqual([])
    await store.close()
  })
})
