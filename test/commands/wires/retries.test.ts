// Proves that a request of a client that arrives again, whenever it does, is recognized by the ledger and answers
// nothing else, through the reader of each protocol.
import { type ContextEvent, createEmitter, type EventDraft, run } from 'turnstream'
import { commandsFromA2a } from 'turnstream/a2a'
import { commandsFromRunAgentInput } from 'turnstream/ag-ui'
import { commandsFromChatRequest } from 'turnstream/ai-sdk'
import type { ReadCommands } from 'turnstream/commands'
import { commandsFromSessionEvent } from 'turnstream/session'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../../src/commands/ledger/ledger.ts'
import { answerTo, openRequests } from '../../../src/commands/ledger/read.ts'
import type { LedgerOutput } from '../../../src/commands/ledger/types.ts'
import type { ReadCommandsOptions } from '../../../src/commands/wires/command-reader.ts'
import { anyone } from '../../support/anyone.ts'

const at = '2026-01-01T00:00:00Z'
const args = { amount: 1 }

/** A request to approve a call, to run one, for a text, or for an authentication. */
type Asks = 'approval' | 'execution' | 'text' | 'auth'

function agent(asks: Asks) {
  const ledger = run(commandLedger(anyone))
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const append = (draft: EventDraft): unknown =>
    ledger.push({ type: 'event', event: { ...emit(draft), timestamp: at } as ContextEvent<never> })
  const ask = (n: number): void => {
    const toolCall = { id: `k${n}`, function: { name: 'pay', arguments: JSON.stringify(args) } }
    const metadata = { toolCall, ...(asks === 'execution' && { provider: 'client' }) }
    const inputId = `i${n}`
    if (asks === 'auth') append({ kind: 'auth-required', authId: inputId, authType: 'api-key', prompt: '?' })
    else if (asks === 'text') append({ kind: 'input-required', inputId, inputType: 'custom', prompt: '?' })
    else {
      // Its arguments may be edited.
      const schema = asks === 'approval' ? { properties: { arguments: { type: 'object' } } } : undefined
      append({
        ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: '?', metadata },
        ...(schema && { schema }),
      })
    }
  }
  append({ kind: 'task-created', initiator: 'user' })
  ask(1)
  const post = (read: Read): { statuses: string[]; out: LedgerOutput[] } => {
    const { commands } = read({ requests: openRequests(ledger.state), now: () => 0 })
    const out = commands.flatMap((command) => [
      ...ledger.push({ type: 'command', command, sender: { role: 'user', id: 'u' }, at, verified: {} }),
    ])
    const receipts = out.flatMap((each) => (each.type === 'receipt' ? [each.receipt] : []))
    const statuses = receipts.flatMap(({ results }) => results.map(({ status }) => status))
    return { statuses, out: out.filter(({ type }) => type !== 'receipt') }
  }
  const statusOf = (id: string): string =>
    answerTo(ledger.state, asks === 'auth' ? { authId: id } : { inputId: id }).status
  const withdraw = (): unknown =>
    asks === 'auth'
      ? append({ kind: 'auth-failed', authId: 'i1', reason: 'failed' })
      : append({ kind: 'input-canceled', inputId: 'i1', reason: 'withdrawn' })
  return { post, append, withdraw, ask, statusOf }
}

type Read = (options: ReadCommandsOptions) => ReadCommands

const viaAgUi =
  (more: object): Read =>
  (options) =>
    commandsFromRunAgentInput({ threadId: 'c', runId: 'r', messages: [], ...more }, options)
const answersAgUi = (payload: unknown): Read =>
  viaAgUi({ resume: [{ interruptId: 'i1', status: 'resolved', payload }] })

const viaA2a =
  (part: object, more: object = {}): Read =>
  (options) => {
    const message = { messageId: 'm', taskId: 't', contextId: 'c', parts: [part], ...more }
    return commandsFromA2a({ method: 'message/send', params: { message } }, options)
  }
const named = { metadata: { inputId: 'i1' } }

const viaChat =
  (...parts: object[]): Read =>
  (options) =>
    commandsFromChatRequest({ id: 'c', messages: [{ id: 'a', role: 'assistant', parts }] }, options)
const approvedPart = (n: number): object => ({
  ...{ type: 'tool-pay', toolCallId: `k${n}`, state: 'approval-responded', input: args },
  approval: { id: `i${n}`, approved: true },
})

const viaSession =
  (content: object): Read =>
  (options) =>
    commandsFromSessionEvent(
      { event: 'user.response', session_id: 'c', step_id: 'i1', timestamp: at, content },
      options,
    )

const cases: readonly [what: string, asks: Asks, read: Read][] = [
  ['an approval of AG-UI', 'approval', answersAgUi({ approved: true })],
  ['an edit of AG-UI', 'approval', answersAgUi({ approved: true, editedArgs: { amount: 2 } })],
  ['a refusal of AG-UI', 'approval', answersAgUi({ approved: false, reason: 'No.' })],
  ['a text of AG-UI', 'text', answersAgUi('Brest')],
  ['an approval of AG-UI without a call', 'text', answersAgUi({ approved: true })],
  ['a refusal of AG-UI without a call', 'text', answersAgUi({ approved: false })],
  ['a completed authentication of AG-UI', 'auth', answersAgUi(undefined)],
  [
    'a denied authentication of AG-UI',
    'auth',
    viaAgUi({ resume: [{ interruptId: 'i1', status: 'cancelled' }] }),
  ],
  [
    'a result of AG-UI',
    'execution',
    viaAgUi({ messages: [{ id: 'm', role: 'tool', toolCallId: 'k1', content: '7' }] }),
  ],
  ['an approval of A2A that names its request', 'approval', viaA2a({ data: { approved: true } }, named)],
  [
    'an edit of A2A that names its request',
    'approval',
    viaA2a({ data: { approved: true, arguments: { amount: 2 } } }, named),
  ],
  ['a text of A2A that names its request', 'text', viaA2a({ text: 'Brest' }, named)],
  ['an approval of A2A without a call', 'text', viaA2a({ data: { approved: true } }, named)],
  ['an approval of the AI SDK', 'approval', viaChat(approvedPart(1))],
  [
    'a result of the AI SDK',
    'execution',
    viaChat({ type: 'tool-pay', toolCallId: 'k1', state: 'output-available', input: args, output: 7 }),
  ],
  ['an approval of the session protocol', 'approval', viaSession({ approved: true })],
  ['an edit of the session protocol', 'approval', viaSession({ approved: true, data: { amount: 2 } })],
  ['data of the session protocol', 'text', viaSession({ approved: true, data: { amount: 2 } })],
  ['a choice of the session protocol', 'text', viaSession({ approved: true, selected_id: 'a' })],
]

describe.each(cases)('%s', (_, asks, read) => {
  it('is repeated when it is sent again, at any time', () => {
    const { post, ask, statusOf } = agent(asks)
    expect(post(read).statuses).toEqual(['accepted'])
    expect(post(read)).toEqual({ statuses: ['repeated'], out: [] })
    ask(2)
    expect(post(read)).toEqual({ statuses: ['repeated'], out: [] })
    expect(statusOf('i2')).toBe('open')
  })

  it('answers no other request when its own is closed', () => {
    const { post, withdraw, ask, statusOf } = agent(asks)
    withdraw()
    const first = post(read)
    expect(first.statuses).toHaveLength(1)
    ask(2)
    for (const { statuses, out } of [first, post(read)]) {
      expect([statuses, out]).not.toContainEqual(['accepted'])
      expect(out).toEqual([])
    }
    expect(statusOf('i2')).toBe('open')
  })
})

describe('a message of A2A that names no request', () => {
  const parts: [asks: Asks, part: object][] = [
    ['approval', { data: { approved: true } }],
    ['approval', { data: { approved: true, arguments: { amount: 2 } } }],
    ['approval', { data: { approved: false } }],
    ['execution', { data: { at: 'Brest' } }],
    ['text', { text: 'Brest' }],
    ['text', { data: { approved: true } }],
  ]

  it.each(parts)('is repeated when it is sent again, at any time: %s %j', (asks, part) => {
    const { post, ask, statusOf } = agent(asks)
    const read = viaA2a(part)
    expect(post(read).statuses).toEqual(['accepted'])
    expect(post(read)).toEqual({ statuses: ['repeated'], out: [] })
    ask(2)
    expect(post(read)).toEqual({ statuses: ['repeated'], out: [] })
    expect(statusOf('i2')).toBe('open')
  })

  it.each(parts)('is refused with another content: %s %j', (asks, part) => {
    const { post, ask, statusOf } = agent(asks)
    expect(post(viaA2a(part)).statuses).toEqual(['accepted'])
    ask(2)
    for (const other of [{ text: 'Nantes' }, { data: { approved: true, arguments: { amount: 9 } } }]) {
      const { statuses, out } = post(viaA2a(other))
      expect(out).toEqual([])
      expect(['conflict', 'unknown-request', 'invalid']).toContain(statuses[0])
    }
    expect(statusOf('i2')).toBe('open')
  })

  it('is repeated as the input that it was, when something is asked later', () => {
    const { post, withdraw, ask, statusOf } = agent('text')
    withdraw()
    expect(post(viaA2a({ text: 'Brest' })).statuses).toEqual(['accepted'])
    ask(2)
    expect(post(viaA2a({ text: 'Brest' }))).toEqual({ statuses: ['repeated'], out: [] })
    expect(statusOf('i2')).toBe('open')
  })

  it('is no new input if it approves something that is not open', () => {
    const { post, withdraw } = agent('approval')
    withdraw()
    expect(post(viaA2a({ data: { approved: true } }))).toEqual({ statuses: ['unknown-request'], out: [] })
  })
})

describe('a message of A2A that was refused', () => {
  const approval = viaA2a({ data: { approved: true } })

  it.each<Asks>(['approval', 'text', 'execution'])(
    'answers nothing that is asked later, when it is sent again: %s',
    (asks) => {
      const { post, withdraw, ask, statusOf } = agent(asks)
      withdraw()
      expect(post(approval)).toEqual({ statuses: ['unknown-request'], out: [] })
      ask(2)
      expect(post(approval)).toEqual({ statuses: ['unknown-request'], out: [] })
      expect(post(approval)).toEqual({ statuses: ['unknown-request'], out: [] })
      expect(statusOf('i2')).toBe('open')
    },
  )

  it('answers the request that it names once that is asked', () => {
    const { post, ask } = agent('approval')
    const read = viaA2a({ data: { approved: true } }, { metadata: { inputId: 'i2' } })
    expect(post(read).statuses).toEqual(['unknown-request'])
    ask(2)
    expect(post(read).statuses).toEqual(['accepted'])
    expect(post(read).statuses).toEqual(['repeated'])
  })
})

describe('the answers of AG-UI in one request', () => {
  const both = (first: unknown): Read =>
    viaAgUi({
      resume: [
        { interruptId: 'i1', status: 'resolved', payload: first },
        { interruptId: 'a', status: 'resolved' },
      ],
    })

  it('are repeated one by one, an authentication among them', () => {
    const { post, append } = agent('text')
    append({ kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '?' })
    expect(post(both('Brest')).statuses).toEqual(['accepted', 'accepted'])
    expect(post(both('Brest'))).toEqual({ statuses: ['repeated', 'repeated'], out: [] })
    expect(post(both('Nantes'))).toEqual({ statuses: ['conflict', 'repeated'], out: [] })
  })
})

describe('the parts of a message of the AI SDK', () => {
  it('answer one request after another in the same message', () => {
    const { post, ask } = agent('approval')
    expect(post(viaChat(approvedPart(1))).statuses).toEqual(['accepted'])
    ask(2)
    const both = viaChat(approvedPart(1), approvedPart(2))
    expect(post(both).statuses).toEqual(['accepted'])
    expect(post(both).statuses).toEqual(['repeated', 'repeated'])
  })

  it('approve nothing else than they show, whatever is known', () => {
    const changed = { ...approvedPart(1), input: { amount: 2 } }
    const { post, statusOf } = agent('approval')
    expect(post(() => viaChat(changed)({ requests: [] })).statuses).toEqual(['changed-call'])
    expect(statusOf('i1')).toBe('open')
  })
})

describe('a message to generate again', () => {
  const body = (more: object) => ({
    ...{ id: 'c', trigger: 'regenerate-message', messages: [{ id: 'u', role: 'user', parts: [] }] },
    ...more,
  })
  const read =
    (more: object): Read =>
    (options) =>
      commandsFromChatRequest(body(more), options)

  it('is one command for the same body, and others for others', () => {
    const { post } = agent('text')
    expect(post(read({})).statuses).toEqual(['accepted'])
    expect(post(read({})).statuses).toEqual(['repeated'])
    expect(post(read({ messageId: 'a1' })).statuses).toEqual(['accepted'])
    expect(post(read({ messageId: 'a2' })).statuses).toEqual(['accepted'])
  })
})
