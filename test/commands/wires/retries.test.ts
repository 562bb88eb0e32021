// Proves that a request of a client that arrives again, whenever it does, is recognized by the ledger and answers
// nothing else, through the reader of each protocol.
import { type ContextEvent, createEmitter, type EventDraft, run } from 'agentwire'
import { commandsFromA2a } from 'agentwire/a2a'
import { commandsFromRunAgentInput } from 'agentwire/ag-ui'
import { commandsFromChatRequest } from 'agentwire/ai-sdk'
import {
  answerTo,
  type CommandLedgerState,
  commandLedger,
  type LedgerOutput,
  openRequests,
  type ReadCommands,
  type ReadCommandsOptions,
} from 'agentwire/commands'
import { commandsFromSessionEvent } from 'agentwire/session'
import { describe, expect, it } from 'vitest'

const at = '2026-01-01T00:00:00Z'
const args = { amount: 1 }

/** A request to approve a call, to run one, or for a text. */
type Asks = 'approval' | 'execution' | 'text'

function agent(asks: Asks) {
  const ledger = run(commandLedger())
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const append = (draft: EventDraft): unknown =>
    ledger.push({ type: 'event', event: { ...emit(draft), timestamp: at } as ContextEvent<never> })
  const ask = (n: number): void => {
    const toolCall = { id: `k${n}`, function: { name: 'pay', arguments: JSON.stringify(args) } }
    const metadata = { toolCall, ...(asks === 'execution' && { provider: 'client' }) }
    const inputId = `i${n}`
    if (asks === 'text') append({ kind: 'input-required', inputId, inputType: 'custom', prompt: '?' })
    else append({ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: '?', metadata })
  }
  append({ kind: 'task-created', initiator: 'user' })
  ask(1)
  const post = (read: Read): { statuses: string[]; out: LedgerOutput[] } => {
    const { commands } = read({ requests: openRequests(ledger.state), now: () => 0 })
    const out = commands.flatMap((command) => [
      ...ledger.push({ type: 'command', command, sender: { role: 'user', id: 'u' }, at }),
    ])
    const receipts = out.flatMap((each) => (each.type === 'receipt' ? [each.receipt] : []))
    const statuses = receipts.flatMap(({ results }) => results.map(({ status }) => status))
    return { statuses, out: out.filter(({ type }) => type !== 'receipt') }
  }
  const state = (): CommandLedgerState => ledger.state
  return { post, append, ask, state }
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
  ['an approval of the AI SDK', 'approval', viaChat(approvedPart(1))],
  [
    'a result of the AI SDK',
    'execution',
    viaChat({ type: 'tool-pay', toolCallId: 'k1', state: 'output-available', input: args, output: 7 }),
  ],
  ['an approval of the session protocol', 'approval', viaSession({ approved: true })],
  ['an edit of the session protocol', 'approval', viaSession({ approved: true, data: { amount: 2 } })],
  ['a choice of the session protocol', 'text', viaSession({ approved: true, selected_id: 'a' })],
]

describe.each(cases)('%s', (_, asks, read) => {
  it('is repeated when it is sent again, at any time', () => {
    const { post, ask, state } = agent(asks)
    expect(post(read).statuses).toEqual(['accepted'])
    expect(post(read)).toEqual({ statuses: ['repeated'], out: [] })
    ask(2)
    expect(post(read)).toEqual({ statuses: ['repeated'], out: [] })
    expect(answerTo(state(), { inputId: 'i2' }).status).toBe('open')
  })

  it('answers no other request when its own is closed', () => {
    const { post, append, ask, state } = agent(asks)
    append({ kind: 'input-canceled', inputId: 'i1', reason: 'withdrawn' })
    const first = post(read)
    expect(first.statuses).toHaveLength(1)
    ask(2)
    for (const { statuses, out } of [first, post(read)]) {
      expect([statuses, out]).not.toContainEqual(['accepted'])
      expect(out).toEqual([])
    }
    expect(answerTo(state(), { inputId: 'i2' }).status).toBe('open')
  })
})

describe('a message of A2A that names no request', () => {
  it.each<[asks: Asks, part: object, again: string]>([
    ['approval', { data: { approved: true } }, 'unknown-request'],
    ['approval', { data: { approved: true, arguments: { amount: 2 } } }, 'unknown-request'],
    ['text', { text: 'Brest' }, 'conflict'],
  ])('changes nothing when it is sent again: %s %j', (asks, part, again) => {
    const { post, ask, state } = agent(asks)
    const read = viaA2a(part)
    expect(post(read).statuses).toEqual(['accepted'])
    expect(post(read)).toEqual({ statuses: [again], out: [] })
    ask(2)
    expect(post(read).out).toEqual([])
    expect(answerTo(state(), { inputId: 'i2' }).status).toBe('open')
  })

  it('is no new input if it approves something that is not open', () => {
    const { post, append } = agent('approval')
    append({ kind: 'input-canceled', inputId: 'i1', reason: 'withdrawn' })
    expect(post(viaA2a({ data: { approved: true } }))).toEqual({ statuses: ['unknown-request'], out: [] })
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
    const { post, state } = agent('approval')
    expect(post(() => viaChat(changed)({ requests: [] })).statuses).toEqual(['changed-call'])
    expect(answerTo(state(), { inputId: 'i1' }).status).toBe('open')
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
