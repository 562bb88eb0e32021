// Proves what the ledger answers to each command, and which events follow.
import { type ContextAnyEvent, type Diagnostic, run } from 'turnstream'
import { callDigest, type Sender } from 'turnstream/commands'
import { verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import type { CommandLedgerState, LedgerOptions } from '../../src/commands/ledger/ledger.ts'
import { commandLedger, ledgerMachine } from '../../src/commands/ledger/ledger.ts'
import { MAX_ANSWERS_CHARS } from '../../src/commands/ledger/ledger-step.ts'
import { MAX_RESPONSES, MAX_VALUES } from '../../src/commands/ledger/limits.ts'
import {
  adoptsTask,
  answerTo,
  nextExpiry,
  openRequests,
  stoppedTasks,
} from '../../src/commands/ledger/read.ts'
import type { LedgerOutput } from '../../src/commands/ledger/types.ts'
import { anyone } from '../support/anyone.ts'
import { eventOf } from '../support/event-of.ts'
import { runs } from '../support/runs.ts'
import { expectNamed } from './subjects.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const start = Date.parse('2026-01-01T00:00:00.000Z')
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString()
const context = { contextId: 'ctx-1', taskId: 'task-1' }

/** A ledger with the log that it writes to. */
const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()

function server(options: LedgerOptions = {}, state?: CommandLedgerState) {
  const diagnostics: string[] = []
  const reported: Diagnostic[] = []
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    diagnostics.push(diagnostic.code)
    reported.push(diagnostic)
  }
  const ledger = run(commandLedger({ ...anyone, ...options }), {
    onDiagnostic,
    ...(state !== undefined && { state }),
  })
  const log: ContextAnyEvent[] = []
  const emit = (seconds: number, ...events: Record<string, unknown>[]): void => {
    for (const bare of events) {
      const event = { ...context, timestamp: at(seconds), ...bare } as unknown as ContextAnyEvent
      log.push(event)
      take(ledger.push({ type: 'event', event }))
    }
  }
  const take = (outputs: readonly LedgerOutput[]): void => {
    for (const output of outputs) if (output.type === 'event') log.push(output.event)
  }
  let ids = 0
  const send = (seconds: number, command: Record<string, unknown>, sender: Sender = user) => {
    // No two commands are created at the same time.
    const sent = { commandId: `cmd-${ids}`, timestamp: later(at(seconds), ids++), ...command }
    const outputs = ledger.push({
      ...{ type: 'command', verified: {}, command: sent },
      sender,
      at: at(seconds),
    })
    take(outputs)
    const receipt = outputs.flatMap((output) => (output.type === 'receipt' ? [output.receipt] : []))[0]
    if (receipt !== undefined) expectNamed(sent, receipt)
    return { receipt, outputs, status: receipt?.status }
  }
  const answer = (seconds: number, response: Record<string, unknown>, sender?: Sender) =>
    send(seconds, { kind: 'input.respond', responses: [{ outcome: 'answered', ...response }] }, sender)
  if (state === undefined)
    emit(0, { kind: 'task-created', initiator: 'user' }, { kind: 'task-status', status: 'working' })
  return { ledger, log, emit, send, answer, diagnostics, reported }
}

const ask = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: 'Well?' }
const wait = { kind: 'task-status', status: 'waiting-input' }
const toolCall = { id: 'c', function: { name: 'book', arguments: '{"port":"Brest","n":1}' } }
const askCall = { ...ask, inputType: 'tool-execution', metadata: { toolCall } }
const askRun = { ...askCall, metadata: { toolCall, provider: 'client' } }
const asked = { arguments: { port: 'Brest', n: 1 } }
const deltas = {
  kind: 'tool-arguments-delta',
  toolCallId: 'c',
  toolName: 'book',
  delta: toolCall.function.arguments,
  index: 0,
}

function errorsIn(log: readonly ContextAnyEvent[]): unknown[] {
  const { push } = run(verifier({ mode: 'strict' }))
  return log.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error')
}

const kindsAfter = (log: readonly ContextAnyEvent[], count: number): string[] =>
  log.slice(count).map((event) => (event.kind === 'task-status' ? event.status : event.kind))

describe('an answer', () => {
  it('is accepted once: a repeat is repeated, another one a conflict', () => {
    const { emit, answer, log } = server()
    emit(1, ask, wait)
    expect(answer(2, { inputId: 'i', value: { a: 1, b: 2 } }).status).toBe('accepted')
    expect(kindsAfter(log, 4)).toEqual(['input-received', 'working'])
    expect(log.at(4)).toMatchObject({ providedBy: 'user', userId: 'user-1', metadata: { duration: 1000 } })
    expect(answer(3, { inputId: 'i', value: { b: 2, a: 1 } }).status).toBe('repeated')
    expect(answer(3, { inputId: 'i', value: { a: 1 } }).status).toBe('conflict')
    expect(answer(3, { inputId: 'i', outcome: 'declined' }).status).toBe('conflict')
    expect(log).toHaveLength(6)
  })

  it('is accepted at the very end of the timeout, and expired after it', () => {
    const { emit, answer, log, ledger } = server()
    emit(0, { ...ask, metadata: { timeout: 60 } }, { ...ask, inputId: 'j', metadata: { timeout: 60 } }, wait)
    expect(nextExpiry(ledger.state)).toBe(start + 60_000)
    expect(answer(60, { inputId: 'i' }).status).toBe('accepted')
    expect(answer(60.001, { inputId: 'j' }).status).toBe('expired')
    expect(kindsAfter(log, 5)).toEqual(['input-received', 'input-canceled', 'working'])
    expect(log.at(-2)).toMatchObject({ reason: 'expired' })
    expect(answer(61, { inputId: 'i' }).status).toBe('repeated')
    expect(nextExpiry(ledger.state)).toBeUndefined()
    expect(answerTo(ledger.state, { inputId: 'j' })).toEqual({ status: 'closed' })
  })

  it.each<[responders: string, requireUser: boolean, role: Sender['role'], status: string]>([
    ['the user', true, 'user', 'accepted'],
    ['the user', true, 'coordinator', 'forbidden'],
    ['both', false, 'coordinator', 'accepted'],
    ['both', false, 'parent', 'forbidden'],
    ['both', false, 'observer', 'forbidden'],
    ['both', false, 'operator', 'forbidden'],
  ])('to a request of %s (%s) by %s is %s', (_, requireUser, role, status) => {
    const { emit, answer, log } = server()
    emit(1, { ...ask, requireUser }, wait)
    expect(answer(2, { inputId: 'i' }, { role, id: 'someone' }).status).toBe(status)
    expect(errorsIn(log)).toEqual([])
  })

  it('is compared with the schema and the options, and an invalid one leaves the request open', () => {
    const { emit, answer, ledger } = server()
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    emit(
      1,
      { ...ask, schema },
      { ...ask, inputId: 'j', inputType: 'selection', options: ['x', { id: 2 }] },
      wait,
    )
    const { receipt } = answer(2, { inputId: 'i', value: { n: 'one' } })
    expect(receipt).toMatchObject({ status: 'invalid', results: [{ issues: [{ path: '/value/n' }] }] })
    expect(answer(2, { inputId: 'j', value: 'z' }).status).toBe('invalid')
    expect(openRequests(ledger.state).map(({ id }) => id)).toEqual(['i', 'j'])
    expect(answer(3, { inputId: 'i', value: { n: 1 } }).status).toBe('accepted')
    expect(answer(3, { inputId: 'j', value: { id: 2 } }).status).toBe('accepted')
  })

  it('that is too long is invalid', () => {
    const { emit, answer } = server({ maxAnswerChars: 10 })
    emit(1, ask, wait)
    expect(answer(2, { inputId: 'i', value: 'x'.repeat(9) }).status).toBe('invalid')
    expect(answer(2, { inputId: 'i', value: 'x'.repeat(8) }).status).toBe('accepted')
  })

  it('to one of several is not an answer to the others: the task waits on', () => {
    const { emit, send, log } = server()
    emit(
      1,
      ask,
      { ...ask, inputId: 'j' },
      { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '' },
      wait,
    )
    const { receipt } = send(2, {
      kind: 'input.respond',
      responses: [{ inputId: 'i' }, { inputId: 'k' }, { inputId: 'i' }],
    })
    expect(receipt?.status).toBe('unknown-request')
    expect(receipt?.results.map(({ status }) => status)).toEqual(['accepted', 'unknown-request', 'repeated'])
    expect(kindsAfter(log, 6)).toEqual(['input-received'])
    send(3, { kind: 'input.respond', responses: [{ inputId: 'j' }] })
    expect(kindsAfter(log, 7)).toEqual(['input-received', 'waiting-auth'])
    send(4, { kind: 'auth.respond', authId: 'a', outcome: 'completed' })
    expect(kindsAfter(log, 9)).toEqual(['auth-completed', 'working'])
    expect(errorsIn(log)).toEqual([])
  })

  it('needs a contextId once the stream has several contexts', () => {
    const { emit, answer, send } = server()
    emit(1, ask, wait, { ...ask, contextId: 'ctx-2' })
    expect(answer(2, { inputId: 'i' }).status).toBe('unknown-request')
    const named = { kind: 'input.respond', contextId: 'ctx-2', responses: [{ inputId: 'i' }] }
    expect(send(2, named).status).toBe('accepted')
  })

  it('is there for whoever waits for it, also after a restart', () => {
    const { emit, answer, ledger } = server()
    emit(1, ask, wait)
    expect(answerTo(ledger.state, { inputId: 'i' })).toEqual({ status: 'open' })
    expect(answerTo(ledger.state, { inputId: 'j' })).toEqual({ status: 'unknown' })
    answer(2, { inputId: 'i', value: 'yes' })
    const stored = JSON.parse(JSON.stringify(ledger.state)) as typeof ledger.state
    expect(answerTo(stored, { inputId: 'i' })).toEqual({
      status: 'answered',
      answer: { ...context, inputId: 'i', outcome: 'answered', value: 'yes', sender: user, at: at(2) },
    })
  })

  it('after one that did not pass through the ledger is a conflict', () => {
    const { emit, answer } = server()
    emit(1, ask, wait, { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'user-1' })
    expect(answer(2, { inputId: 'i' }).status).toBe('conflict')
  })

  it.each([
    [
      { kind: 'auth-completed', authId: 'a', userId: 'user-1' },
      { outcome: 'completed', sender: user },
    ],
    [
      { kind: 'auth-failed', authId: 'a', reason: 'denied', message: 'No.' },
      { outcome: 'denied', reason: 'No.' },
    ],
  ] as const)(
    'about a login that the application ends, by %j, is there for whoever waits',
    (event, answer) => {
      const { emit, send, ledger } = server()
      const asks = { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?' } as const
      emit(1, asks, { kind: 'task-status', status: 'waiting-auth' }, event)
      expect(answerTo(ledger.state, { authId: 'a' })).toMatchObject({ status: 'answered', answer })
      const claim = { kind: 'auth.respond', authId: 'a', outcome: 'completed' }
      expect(send(2, claim as never).receipt?.status).toBe(
        answer.outcome === 'completed' ? 'repeated' : 'conflict',
      )
    },
  )

  it('about a login that has expired is not there', () => {
    const { emit, send, ledger } = server()
    emit(1, { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?' })
    emit(2, { kind: 'auth-failed', authId: 'a', reason: 'expired', message: 'Too late.' })
    expect(answerTo(ledger.state, { authId: 'a' })).toEqual({ status: 'closed' })
    expect(send(3, { kind: 'auth.respond', authId: 'a', outcome: 'completed' }).status).toBe('expired')
  })
})

/** Lets the arguments of a call be edited. */
const editable = {
  schema: { type: 'object', properties: { arguments: { type: 'object' } }, required: ['arguments'] },
}

describe('an approval', () => {
  const digest = callDigest({ toolName: 'book', arguments: { n: 1, port: 'Brest' } })

  it('is for the call that was shown, and no other', () => {
    const { emit, answer, ledger } = server()
    emit(1, deltas, askCall, wait)
    expect(openRequests(ledger.state)).toMatchObject([{ call: { digest } }])
    const other = callDigest({ toolName: 'book', arguments: { port: 'Brest', n: 2 } })
    expect(answer(2, { inputId: 'i', callDigest: other }).status).toBe('changed-call')
    const { outputs, status } = answer(2, { inputId: 'i', callDigest: digest })
    expect(status).toBe('accepted')
    expect(outputs).toContainEqual({
      type: 'answer',
      answer: expect.objectContaining({
        call: { toolCallId: 'c', toolName: 'book', arguments: { port: 'Brest', n: 1 }, isEdited: false },
      }),
    })
    expect(answer(3, { inputId: 'i', value: true }).status).toBe('repeated')
  })

  it('may edit the arguments: the call starts with them, and the stream is legal', () => {
    const { emit, answer, log, diagnostics } = server()
    emit(1, deltas, { ...askCall, ...editable }, wait)
    const edited = { port: 'Camaret', n: 1 }
    const { outputs } = answer(2, { inputId: 'i', value: { arguments: edited }, callDigest: digest })
    expect(outputs).toContainEqual({
      type: 'answer',
      answer: expect.objectContaining({
        call: { toolCallId: 'c', toolName: 'book', arguments: edited, isEdited: true },
      }),
    })
    emit(3, { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: edited })
    expect(errorsIn(log)).toEqual([])
    expect(diagnostics).toEqual([])
  })

  it('of edited arguments is held against the schema of the request', () => {
    const { emit, answer } = server()
    const schema = {
      type: 'object',
      properties: { arguments: { type: 'object', properties: { n: { maximum: 10 } } } },
      required: ['arguments'],
    }
    emit(1, deltas, { ...askCall, schema }, wait)
    expect(answer(2, { inputId: 'i', value: { arguments: { n: 1e6 } } }).status).toBe('invalid')
    const { outputs, status } = answer(2, { inputId: 'i', value: { arguments: { n: 5 } } })
    expect(status).toBe('accepted')
    expect(outputs).toContainEqual({
      type: 'answer',
      answer: expect.objectContaining({
        call: { toolCallId: 'c', toolName: 'book', arguments: { n: 5 }, isEdited: true },
      }),
    })
  })

  it.each(['{"n":1', '[1,2]', '"all"', 'null'])('of the arguments %s needs other ones', (text) => {
    const { emit, answer } = server()
    const broken = { ...toolCall, function: { ...toolCall.function, arguments: text } }
    emit(
      1,
      {
        ...askCall,
        ...editable,
        metadata: { ...askCall.metadata, toolCall: { ...broken, type: 'function' } },
      },
      wait,
    )
    expect(answer(2, { inputId: 'i' }).status).toBe('invalid')
    expect(answer(2, { inputId: 'i', value: true }).status).toBe('invalid')
    expect(answer(2, { inputId: 'i', value: { arguments: { n: 1 } } }).status).toBe('accepted')
  })

  it('takes other arguments only if the request lets them be edited', () => {
    for (const schema of [undefined, {}, { properties: { value: {} } }]) {
      const { emit, answer } = server()
      emit(1, deltas, { ...askCall, ...(schema && { schema }) }, wait)
      const response = { inputId: 'i', value: { arguments: { port: 'Camaret' } } }
      expect(answer(2, response).status).toBe('invalid')
      expect(answer(3, { inputId: 'i', value: true }).status).toBe('accepted')
    }
  })

  it.each([
    ['pattern', { properties: { path: { type: 'string', pattern: '^/tmp/' } } }],
    ['if', JSON.parse('{"if":{},"then":false}') as object],
    ['format', { properties: { path: { format: 'uri' } } }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['an unknown type', { properties: { path: { type: 'text' } } }],
    ['a bound of an old draft', { properties: { path: { exclusiveMinimum: true } } }],
  ])('takes no edit with a schema that is not checked as a whole: %s', (_, schema) => {
    const { emit, answer } = server()
    emit(1, deltas, { ...askCall, schema: { type: 'object', properties: { arguments: schema } } }, wait)
    expect(answer(2, { inputId: 'i', value: { arguments: { path: '/etc/shadow' } } }).status).toBe('invalid')
    expect(answer(3, { inputId: 'i' }).status).toBe('accepted')
  })

  it.each(['{"account":12345678901234567890}', '{"to":"bob","to":"eve"}', '{"a":{"x":1,"\\u0078":2}}'])(
    'of %s is refused, as asked and as edited: what runs would be something else',
    (text) => {
      const { emit, answer } = server()
      const of = { ...toolCall, function: { name: 'book', arguments: text } }
      emit(1, { ...askCall, ...editable, metadata: { toolCall: of } }, wait)
      expect(answer(2, { inputId: 'i' }).status).toBe('invalid')
      expect(answer(3, { inputId: 'i', value: true }).status).toBe('invalid')
      expect(answer(4, { inputId: 'i', value: { arguments: text } }).status).toBe('invalid')
      expect(answer(5, { inputId: 'i', value: { arguments: '{"to":"bob"}' } }).status).toBe('accepted')
    },
  )

  it('of edited arguments allows no others', () => {
    const { emit, answer, log, diagnostics } = server()
    emit(1, deltas, { ...askCall, ...editable }, wait)
    answer(2, { inputId: 'i', value: { arguments: { port: 'Camaret' } } })
    emit(3, { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: { port: 'Ouessant' } })
    expect(errorsIn(log)).toMatchObject([{ rule: 'whole-repeats-deltas' }])
    expect(diagnostics).toEqual(['call-not-approved'])
  })

  it.each<[string, object | undefined, boolean]>([
    ['is open', undefined, true],
    ['was declined', { outcome: 'declined' }, true],
    ['was approved', { outcome: 'answered' }, false],
  ])('is missing if a call has a result without a start while its request %s', (_, response, isReported) => {
    const { emit, answer, diagnostics } = server()
    emit(1, { kind: 'task-status', status: 'working' }, askCall)
    if (response !== undefined) answer(2, { inputId: 'i', ...response })
    const end = { kind: 'tool-complete', toolCallId: 'c', toolName: 'book', success: true }
    emit(3, { ...end, toolCallId: 'free' }, end)
    expect(diagnostics).toEqual(isReported ? ['call-not-approved'] : [])
  })

  it.each([{}, { outcome: null }, { outcom: 'declined' }, { callDigest: null }])(
    'needs an outcome or a value: %j approves nothing',
    (response) => {
      const { emit, send, answer } = server()
      emit(1, askCall, wait)
      const { receipt } = send(2, { kind: 'input.respond', responses: [{ inputId: 'i', ...response }] })
      expect(receipt).toMatchObject({ status: 'invalid', results: [{ issues: [{ path: '/outcome' }] }] })
      expect(answer(3, { inputId: 'i', value: true }).status).toBe('accepted')
    },
  )

  it.each([
    ['nested too deep', `${'{"a":'.repeat(1_100)}1${'}'.repeat(1_100)}`],
    ['with a number that is no JSON', '{"n":[1e999]}'],
  ])('of arguments %s is invalid: others have the same digest', (_, text) => {
    const { emit, answer } = server()
    emit(1, {
      ...askCall,
      metadata: { toolCall: { ...toolCall, function: { name: 'book', arguments: text } } },
    })
    expect(answer(2, { inputId: 'i' })).toMatchObject({ status: 'invalid', outputs: [{ type: 'receipt' }] })
    const edited = { arguments: JSON.parse(text) as unknown }
    expect(answer(3, { inputId: 'i', value: edited }).status).toBe('invalid')
    expect(answer(4, { inputId: 'i', outcome: 'declined' }).status).toBe('accepted')
  })

  it('that is missing, declined or expired is reported if the call starts', () => {
    const starts = {
      kind: 'tool-start',
      toolCallId: 'c',
      toolName: 'book',
      arguments: { port: 'Brest', n: 1 },
    }
    for (const outcome of ['none', 'declined'] as const) {
      const { emit, answer, diagnostics } = server()
      emit(1, deltas, askCall, wait)
      if (outcome === 'declined') answer(2, { inputId: 'i', outcome, reason: 'No.' })
      emit(3, starts)
      expect(diagnostics).toEqual(['call-not-approved'])
    }
  })
})

describe('the latest request about a call', () => {
  const begin = { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: { port: 'Brest', n: 1 } }

  it.each([
    ['declined', 'answered', []],
    ['answered', 'declined', ['call-not-approved']],
  ])('decides: after %s, %s', (first, second, reported) => {
    const { emit, answer, diagnostics } = server()
    emit(1, deltas, askCall, wait)
    answer(2, { inputId: 'i', outcome: first })
    emit(3, { ...askCall, inputId: 'j' }, wait)
    answer(4, { inputId: 'j', outcome: second })
    emit(5, begin)
    expect(diagnostics).toEqual(reported)
  })

  it.each([false, 'no', { arguments: 1 }, { arguments: {}, reason: 'x' }, { approved: true }])(
    'answered with %j approves nothing',
    (value) => {
      const { emit, answer, diagnostics } = server()
      emit(1, deltas, askCall, wait)
      expect(answer(2, { inputId: 'i', value }).status).toBe('accepted')
      emit(3, begin)
      expect(diagnostics).toEqual(['call-not-approved'])
    },
  )

  it('may have options besides: they are other answers', () => {
    for (const [value, status, isApproved] of [
      [undefined, 'accepted', true],
      [{ arguments: { n: 2 } }, 'invalid', false],
      ['later', 'accepted', false],
      ['never', 'invalid', false],
    ] as const) {
      const { emit, answer } = server()
      emit(1, deltas, { ...askCall, options: ['later'] }, wait)
      const { outputs, ...rest } = answer(2, { inputId: 'i', ...(value !== undefined && { value }) })
      expect(rest.status).toBe(status)
      expect(outputs.some((each) => each.type === 'answer' && each.answer.call !== undefined)).toBe(
        isApproved,
      )
    }
  })
})

describe('an inputId that is used again', () => {
  it('for another request is withdrawn and reported: it never gets the earlier answer', () => {
    const { emit, answer, ledger, diagnostics, log } = server()
    emit(1, askCall, wait)
    answer(2, { inputId: 'i' })
    const dear = { id: 'd', function: { name: 'book', arguments: '{"n":1000}' } }
    emit(3, { ...askCall, metadata: { toolCall: dear } })
    expect(diagnostics).toEqual(['repeated-request'])
    expect(answerTo(ledger.state, { inputId: 'i' })).toEqual({ status: 'closed' })
    expect(kindsAfter(log, log.length - 2)).toEqual(['input-required', 'input-canceled'])
    expect(answer(4, { inputId: 'i', outcome: 'declined' }).status).toBe('unknown-request')
    emit(5, { kind: 'tool-start', toolCallId: 'd', toolName: 'book', arguments: { n: 1000 } })
    expect(diagnostics).toEqual(['repeated-request', 'call-not-approved'])
  })

  it('while it is open withdraws both, unless it is the same request', () => {
    const { emit, answer, ledger, diagnostics, log } = server()
    emit(1, askCall, wait, askCall)
    expect(diagnostics).toEqual([])
    const other = { ...askCall, prompt: 'Really?' }
    emit(1, other, other)
    expect(diagnostics).toEqual(['repeated-request'])
    expect(openRequests(ledger.state)).toEqual([])
    expect(kindsAfter(log, 6)).toEqual(['input-canceled', 'working', 'input-required'])
    expect(answer(2, { inputId: 'i', outcome: 'answered' }).status).toBe('unknown-request')
    expect(answerTo(ledger.state, { inputId: 'i' })).toEqual({ status: 'closed' })
  })

  it.each<[differs: string, change: Record<string, unknown>]>([
    ['prompt', { prompt: 'Really?' }],
    ['inputType', { inputType: 'confirmation' }],
    ['requireUser', { requireUser: true }],
    ['schema', { schema: { type: 'string' } }],
    ['schema', { schema: null }],
    ['options', { options: ['a'] }],
    ['options', { options: ['b', 'a'] }],
    ['audience', { metadata: { toolCall, audience: ['user'] } }],
    ['toolCall', { metadata: {} }],
    ['toolCall', { metadata: { toolCall: { ...toolCall, id: 'd' } } }],
    ['toolCall', { metadata: { toolCall: { id: 'c', function: { name: 'book', arguments: '{}' } } } }],
    ['isExecution', { metadata: { toolCall, provider: 'client' } }],
  ])('is another request if its %s differs: %j', (differs, change) => {
    const first = { ...askCall, schema: { type: 'object' }, options: ['a', 'b'] }
    for (const isAnswered of [true, false]) {
      const { emit, answer, ledger, reported } = server()
      emit(1, first, { ...first, schema: { ...first.schema } })
      if (isAnswered) expect(answer(2, { inputId: 'i', outcome: 'declined' }).status).toBe('accepted')
      expect(reported).toEqual([])
      emit(3, { ...first, ...change })
      expect(reported).toMatchObject([
        { code: 'repeated-request', detail: { inputId: 'i', differs: [differs] } },
      ])
      expect(answerTo(ledger.state, { inputId: 'i' })).toEqual({ status: 'closed' })
    }
  })

  it('does not let a call start that shares the id of an approval', () => {
    const { emit, answer, diagnostics } = server()
    emit(1, askCall, { ...askCall, metadata: { toolCall: { ...toolCall, id: 'd' } } })
    answer(2, { inputId: 'i', outcome: 'answered' })
    emit(3, { kind: 'tool-start', toolCallId: 'd', toolName: 'book', arguments: { port: 'Brest', n: 1 } })
    expect(diagnostics).toEqual(['repeated-request', 'call-not-approved'])
  })

  it('is another request if its schema is too deep to be compared', () => {
    for (const depth of [1_100, 20_000]) {
      const schema = JSON.parse(`${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`) as object
      const { emit, diagnostics } = server()
      emit(1, { ...ask, schema })
      emit(2, { ...ask, schema })
      expect(diagnostics).not.toEqual([])
      expect(diagnostics.at(0)).not.toBe('repeated-request')
    }
  })

  it('of an authentication with another page is another request', () => {
    const { emit, ledger, diagnostics } = server()
    const auth = { kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Sign in.' }
    emit(1, { ...auth, authUrl: 'https://a.example' }, { ...auth, authUrl: 'https://b.example' })
    expect(diagnostics).toEqual(['repeated-request'])
    expect(answerTo(ledger.state, { authId: 'a' })).toEqual({ status: 'closed' })
  })
})

describe('an answer that is faster than the status that waits for it', () => {
  it.each([
    [
      'answered',
      (seconds: number, { answer }: ReturnType<typeof server>) => answer(seconds, { inputId: 'i' }),
    ],
    [
      'expired',
      (seconds: number, { ledger }: ReturnType<typeof server>) => {
        ledger.push({ type: 'time', at: at(seconds + 60) })
      },
    ],
  ])('lets the task work again: %s', (_, close) => {
    const world = server()
    world.emit(1, { ...ask, metadata: { timeout: 1 } })
    close(2, world)
    world.emit(3, wait)
    expect(world.log.at(-1)).toMatchObject({ kind: 'task-status', status: 'working' })
  })

  it('is not meant by a status that comes later, or waits for something else', () => {
    const { emit, answer, log } = server()
    emit(1, ask)
    answer(2, { inputId: 'i' })
    emit(3, { kind: 'content-delta', delta: 'Well,', index: 0 }, wait, { ...ask, inputId: 'j' })
    expect(kindsAfter(log, 4)).toEqual(['content-delta', 'waiting-input', 'input-required'])
    const other = server()
    other.emit(1, ask, { ...ask, inputId: 'j' })
    other.answer(2, { inputId: 'i' })
    other.emit(3, wait)
    expect(kindsAfter(other.log, 5)).toEqual(['waiting-input'])
  })
})

describe('a result of the client', () => {
  it('answers the request, starts the call and ends it, once', () => {
    const { emit, send, log } = server()
    emit(1, deltas, askRun, wait)
    const result = { kind: 'tool.result', toolCallId: 'c', success: true, result: { ok: 1 } }
    expect(send(2, result).status).toBe('accepted')
    expect(kindsAfter(log, 5)).toEqual(['input-received', 'working', 'tool-start', 'tool-complete'])
    expect(send(3, result).status).toBe('repeated')
    expect(send(3, { ...result, result: { ok: 2 } }).status).toBe('conflict')
    expect(send(3, { kind: 'input.respond', responses: [{ inputId: 'i', value: 1 }] }).status).toBe(
      'conflict',
    )
    expect(errorsIn(log)).toEqual([])
  })

  it('of one of several calls lets the task wait for the others', () => {
    const { emit, send, log } = server()
    const other = {
      ...askRun,
      inputId: 'j',
      metadata: { ...askRun.metadata, toolCall: { ...toolCall, id: 'd' } },
    }
    emit(1, askRun, other, wait)
    send(2, { kind: 'tool.result', toolCallId: 'c', success: false })
    expect(kindsAfter(log, 5)).toEqual([
      'input-received',
      'working',
      'tool-start',
      'tool-complete',
      'waiting-input',
    ])
    send(3, { kind: 'tool.result', toolCallId: 'd', success: true })
    expect(kindsAfter(log, 10)).toEqual(['input-received', 'working', 'tool-start', 'tool-complete'])
    expect(errorsIn(log)).toEqual([])
  })

  it.each(['local', 'mcp', undefined])(
    'is refused while the call waits for its approval, with provider %s',
    (provider) => {
      const { emit, send, answer, log } = server()
      emit(1, deltas, { ...askCall, metadata: { toolCall, ...(provider && { provider }) } }, wait)
      const result = { kind: 'tool.result', toolCallId: 'c', success: true, result: { balance: 1e9 } }
      expect(send(2, result).status).toBe('forbidden')
      expect(answer(2, { inputId: 'i' }).outputs).toContainEqual({
        type: 'answer',
        answer: expect.objectContaining({ call: expect.objectContaining({ toolCallId: 'c' }) }),
      })
      expect(send(2, result).status).toBe('forbidden')
      expect(kindsAfter(log, 5)).toEqual(['input-received', 'working'])
    },
  )

  it('is refused while an approval of the running call is open', () => {
    const { emit, send, log } = server()
    emit(1, {
      kind: 'tool-start',
      toolCallId: 'c',
      toolName: 'book',
      arguments: {},
      metadata: { provider: 'client' },
    })
    emit(1, askCall, wait)
    expect(send(2, { kind: 'tool.result', toolCallId: 'c', success: true }).status).toBe('forbidden')
    expect(log).toHaveLength(5)
  })

  it('of a call that the client is to run is no approval: the call has none', () => {
    const { emit, answer, diagnostics } = server()
    emit(1, deltas, askRun, wait)
    const { outputs, status } = answer(2, { inputId: 'i', value: { arguments: { n: 2 } } })
    expect(status).toBe('accepted')
    expect(outputs.flatMap((each) => (each.type === 'answer' ? [each.answer] : []))[0]).not.toHaveProperty(
      'call',
    )
    emit(3, { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: { port: 'Brest', n: 1 } })
    expect(diagnostics).toEqual([])
  })

  it('is waited for: such requests and calls are listed', () => {
    const { emit, send, ledger } = server()
    emit(1, askRun, {
      kind: 'tool-start',
      toolCallId: 'd',
      toolName: 't',
      arguments: {},
      metadata: { provider: 'client' },
    })
    emit(1, { kind: 'tool-start', toolCallId: 'e', toolName: 't', arguments: {} })
    const listed = (): unknown[] =>
      openRequests(ledger.state).map(({ type, id, isExecution }) => [type, id, isExecution])
    expect(listed()).toEqual([
      ['input', 'i', true],
      ['tool', 'd', true],
    ])
    send(2, { kind: 'tool.result', toolCallId: 'd', success: true })
    expect(listed()).toEqual([['input', 'i', true]])
    emit(3, {
      kind: 'tool-start',
      toolCallId: 'f',
      toolName: 't',
      arguments: {},
      metadata: { provider: 'client' },
    })
    emit(4, { kind: 'task-status', status: 'completed' })
    expect(listed()).toEqual([])
  })

  it('ends a running call of the client, and no call of the server', () => {
    const { emit, send, log } = server()
    const begin = { kind: 'tool-start', toolName: 't', arguments: {} }
    emit(1, { ...begin, toolCallId: 'c', metadata: { provider: 'client' } }, { ...begin, toolCallId: 'd' })
    expect(send(2, { kind: 'tool.result', toolCallId: 'd', success: true }).status).toBe('forbidden')
    expect(send(2, { kind: 'tool.result', toolCallId: 'c', success: true, result: 1 }).status).toBe(
      'accepted',
    )
    expect(send(2, { kind: 'tool.result', toolCallId: 'e', success: true }).status).toBe('unknown-request')
    const nosy: Sender = { role: 'observer', id: 'x' }
    expect(send(2, { kind: 'tool.result', toolCallId: 'c', success: true, result: 1 }, nosy).status).toBe(
      'forbidden',
    )
    expect(kindsAfter(log, 4)).toEqual(['tool-complete'])
  })
})

describe('a task', () => {
  const child = { taskId: 'task-2', parentTaskId: 'task-1' }

  it('is canceled once, after its subtasks, and takes no answers and inputs any more', () => {
    const { emit, send, answer } = server()
    emit(1, { kind: 'subtask-created', subtaskId: 'task-2', prompt: '' })
    emit(
      1,
      { ...child, kind: 'task-created', initiator: 'agent' },
      { ...child, ...ask },
      { ...child, ...wait },
    )
    const { outputs } = send(2, { kind: 'task.cancel', taskId: 'task-1', reason: 'Enough.' })
    expect(outputs.map(({ type }) => type)).toEqual(['event', 'cancel', 'cancel', 'receipt'])
    expect(outputs).toMatchObject([
      { event: { kind: 'input-canceled', reason: 'withdrawn', taskId: 'task-2' } },
      { taskId: 'task-2', reason: 'Enough.' },
      { taskId: 'task-1' },
      { receipt: { status: 'accepted' } },
    ])
    expect(send(3, { kind: 'task.cancel', taskId: 'task-1' })).toMatchObject({ status: 'repeated' })
    expect(send(3, { kind: 'task.cancel' })).toMatchObject({ status: 'repeated' })
    expect(answer(3, { inputId: 'i' }).status).toBe('unknown-request')
    expect(send(3, { kind: 'task.send', taskId: 'task-1', input: 'More.' }).status).toBe('ended')
  })

  it('that asks or begins a subtask after it was canceled gets neither', () => {
    const { emit, send, log, ledger, answer } = server()
    send(1, { kind: 'task.cancel' })
    emit(2, ask)
    expect(log.at(-1)).toMatchObject({ kind: 'input-canceled', reason: 'withdrawn' })
    expect(answer(3, { inputId: 'i' }).status).toBe('unknown-request')
    const created = { ...context, ...child, kind: 'task-created', initiator: 'agent', timestamp: at(3) }
    const outputs = ledger.push({ type: 'event', event: created as unknown as ContextAnyEvent })
    expect(outputs).toEqual([{ type: 'cancel', contextId: 'ctx-1', taskId: 'task-2' }])
  })

  it('that has ended cannot be canceled, and neither can one that is unknown', () => {
    const { emit, send } = server()
    emit(1, { kind: 'task-status', status: 'completed' })
    expect(send(2, { kind: 'task.cancel', taskId: 'task-1' }).status).toBe('ended')
    expect(send(2, { kind: 'task.cancel', taskId: 'task-9' }).status).toBe('unknown-task')
    expect(send(2, { kind: 'task.cancel', contextId: 'ctx-9' }).status).toBe('unknown-task')
    emit(3, { kind: 'task-created', contextId: 'ctx-2', initiator: 'user' })
    expect(send(4, { kind: 'task.cancel' })).toMatchObject({ status: 'unknown-task' })
    expect(send(2, { kind: 'task.cancel' }, { role: 'observer', id: 'x' }).status).toBe('forbidden')
  })

  it('may be begun again by a command that nobody took', () => {
    const { send, ledger } = server()
    const command = { kind: 'task.send', commandId: 'x', input: 'Hi', timestamp: at(1) }
    const [output] = send(1, command).outputs
    if (output?.type !== 'send') throw new TypeError('Expected the input.')
    ledger.push({ type: 'returned', command: output.command, sender: { role: 'user', id: 'user-2' } })
    expect(send(2, command).status).toBe('repeated')
    ledger.push({ type: 'returned', command: output.command, sender: output.sender })
    expect(send(2, command).status).toBe('accepted')
  })

  it('is not begun in a conversation that is busy, and one that runs takes input all the same', () => {
    const { ledger } = server()
    const sent = (isBusy: boolean, command: object): unknown => {
      const input = { type: 'command', verified: {}, sender: user, at: at(1), isBusy, command } as const
      const receipts = ledger.push({ ...input }).filter(({ type }) => type === 'receipt')
      return receipts.map((output) => (output as { receipt: { status: string } }).receipt.status)
    }
    const command = { kind: 'task.send', commandId: 'x', input: 'Hi', timestamp: at(1) }
    expect(sent(true, command)).toEqual(['busy'])
    expect(sent(false, { ...command, commandId: 'y' })).toEqual(['accepted'])
    expect(sent(true, { ...command, commandId: 'z', ...context })).toEqual(['accepted'])
  })

  it.each([
    ['a stream that takes new input, got one without onInput.', {}],
    [
      'a task that takes input while it runs, got "task-1", whose agent reads no input.',
      { taskId: 'task-1' },
    ],
  ])('is refused if nobody reads it: expected %s', (expected, named) => {
    const settings = {
      ...{ stream: { name: 's' }, keepsAnswers: true, takesInput: () => false },
      ...{ contextOfStream: () => undefined, checkEditOf: () => undefined },
    }
    const ledger = run(ledgerMachine({ ...anyone }, settings))
    ledger.push({ type: 'event', event: eventOf({ ...context, kind: 'task-created', initiator: 'user' }) })
    const command = {
      kind: 'task.send',
      commandId: 'x',
      input: 'Hi',
      contextId: 'ctx-1',
      timestamp: at(1),
      ...named,
    }
    const outputs = ledger.push({ type: 'command', command, sender: user, at: at(1) })
    const result = { status: 'unsupported', message: `Expected ${expected}`, ...named }
    expect(outputs).toMatchObject([{ receipt: { status: 'unsupported', results: [result] } }])
  })

  it('is to stop once it is canceled, and no other', () => {
    const { send, emit, ledger } = server()
    emit(1, { kind: 'task-created', taskId: 'other', initiator: 'user' })
    expect(stoppedTasks(ledger.state)).toEqual([])
    expect(send(2, { kind: 'task.cancel', taskId: 'task-1', reason: 'Enough.' }).status).toBe('accepted')
    expect(stoppedTasks(ledger.state)).toStrictEqual([{ ...context, reason: 'Enough.' }])
  })

  it('has an owner, and becomes no subtask of a task of somebody else', () => {
    const { send, emit, ledger } = server()
    const taskOf = (commandId: string, sender: Sender): string => {
      const { receipt } = send(1, { kind: 'task.send', commandId, input: 'Hi' }, sender)
      const taskId = receipt?.results[0]?.taskId ?? ''
      emit(1, { kind: 'task-created', taskId, initiator: 'user' })
      return taskId
    }
    const taskId = taskOf('x', user)
    const parents: [parent: string | undefined, isAdopted: boolean][] = [
      [undefined, false],
      [taskId, false],
      [taskOf('y', user), false],
      [taskOf('y', { role: 'user', id: 'user-2' }), true],
    ]
    for (const [parentTaskId, isAdopted] of parents) {
      const of = parentTaskId === undefined ? {} : { parentTaskId }
      expect(adoptsTask(ledger.state, { contextId: 'ctx-1', taskId, ...of })).toBe(isAdopted)
    }
  })

  it('is begun once for each command of a sender', () => {
    const { send } = server()
    const command = { kind: 'task.send', commandId: 'x', input: { text: 'Hi' } }
    expect(send(1, command).outputs.map(({ type }) => type)).toEqual(['send', 'receipt'])
    expect(send(2, command).outputs.map(({ type }) => type)).toEqual(['receipt'])
    expect(send(2, command).status).toBe('repeated')
    expect(send(2, { ...command, input: 'Ho' }).status).toBe('conflict')
    expect(send(2, command, { role: 'user', id: 'user-2' }).status).toBe('accepted')
  })
})

it('unknown and invalid commands get a receipt, invalid inputs a diagnostic', () => {
  const { send, ledger, diagnostics } = server()
  expect(send(1, { kind: 'task.pause' }).receipt).toMatchObject({ status: 'unknown-command' })
  expect(send(1, { kind: 'task.cancel', taskId: 7 }).receipt).toMatchObject({ status: 'invalid' })
  expect(ledger.push({ type: 'command', command: {}, sender: { role: 'root' }, at: at(1) } as never)).toEqual(
    [],
  )
  expect(ledger.push({ type: 'event', event: { kind: 'content-delta' } } as never)).toEqual([])
  expect(diagnostics).toEqual(['invalid-event', 'invalid-event'])
})

describe('a task with many requests', () => {
  const digest = (args: object) => callDigest({ toolName: 'book', arguments: args })
  const asking = (n: number) => ({
    ...askCall,
    inputId: `i-${n}`,
    metadata: { toolCall: { id: `c-${n}`, function: { name: 'book', arguments: `{"n":${n}}` } } },
  })
  const starting = (n: number, args = n) => ({
    ...{ kind: 'tool-start', toolCallId: `c-${n}`, toolName: 'book', arguments: { n: args } },
  })

  /** What is reported, but for what is forgotten. */
  const told = (reported: readonly Diagnostic[]): Diagnostic[] =>
    reported.filter(({ code }) => code !== 'state-evicted')

  it('keeps what was decided, after the answers are forgotten', () => {
    const { emit, answer, ledger, diagnostics, reported } = server({ maxEntries: 2 })
    for (let n = 0; n < 100; n++) {
      emit(1, asking(n))
      expect(answer(2, { inputId: `i-${n}`, outcome: n % 2 ? 'answered' : 'declined' }).status).toBe(
        'accepted',
      )
    }
    // The same request again is not opened, another one with its id is.
    emit(3, asking(0), asking(1))
    expect(openRequests(ledger.state)).toEqual([])
    expect(answer(4, { inputId: 'i-0', outcome: 'declined' }).status).toBe('repeated')
    expect(answer(4, { inputId: 'i-0' }).status).toBe('conflict')
    expect(answer(4, { inputId: 'i-1', value: true, callDigest: digest({ n: 1 }) }).status).toBe('repeated')
    expect(answer(4, { inputId: 'i-1', outcome: 'declined' }).status).toBe('conflict')
    expect(answerTo(ledger.state, { inputId: 'i-1' })).toEqual({ status: 'closed' })
    expect(diagnostics.filter((code) => code !== 'state-evicted')).toEqual([])
    emit(5, starting(0), starting(1, 2), starting(3))
    expect(told(reported).slice(-2)).toMatchObject([
      { code: 'call-not-approved', detail: { toolCallId: 'c-0', reason: 'declined' } },
      { code: 'call-not-approved', detail: { toolCallId: 'c-1', reason: 'changed' } },
    ])
  })

  it('stores a decision in little space, until it ends', () => {
    const { emit, answer, ledger } = server({ maxEntries: 1 })
    const size = (): number => JSON.stringify(ledger.state).length
    const decide = (from: number, to: number): void => {
      for (let n = from; n < to; n++) {
        emit(1, { ...ask, inputId: `i-${n}` })
        answer(2, { inputId: `i-${n}`, value: 'x'.repeat(1000) })
      }
    }
    decide(0, 300)
    const before = size()
    decide(300, 600)
    expect((size() - before) / 300).toBeLessThan(128)
    emit(3, { kind: 'task-status', status: 'completed' })
    expect(size()).toBeLessThan(10_000)
  })

  it('is refused more than 10 000, and keeps all decisions', () => {
    const made = runs(9999, 9999)
    const begun = server({ maxEntries: 1 })
    for (let n = 0; n < made; n++) {
      begun.emit(1, { ...ask, inputId: `i-${n}` })
      begun.answer(2, { inputId: `i-${n}`, value: n })
    }
    // As if it had made the others before.
    const state = JSON.stringify(begun.ledger.state).replace(`"size":${made},`, '"size":9999,')
    const { emit, answer, ledger, reported } = server({ maxEntries: 1 }, JSON.parse(state))
    emit(30, { ...ask, inputId: 'i-last' })
    expect(answer(30, { inputId: 'i-last', value: 1 }).status).toBe('accepted')
    emit(30, asking(10_000))
    expect(told(reported).at(-1)).toMatchObject({ code: 'too-many-requests', detail: { inputId: 'i-10000' } })
    expect(openRequests(ledger.state)).toEqual([])
    emit(31, starting(10_000))
    expect(told(reported).at(-1)).toMatchObject({ code: 'call-not-approved' })
    const of = { taskId: 'task-1' }
    expect(answer(32, { inputId: 'i-0', value: 0, ...of }).status).toBe('repeated')
    expect(answer(32, { inputId: `i-${made - 1}`, value: 0, ...of }).status).toBe('conflict')
    expect(answer(32, { inputId: 'i-last', value: 0, ...of }).status).toBe('conflict')
  })

  it('is refused a new one while too many are open', () => {
    const { emit, answer, diagnostics, log } = server({ maxEntries: 2 })
    emit(
      1,
      ask,
      { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '' },
      { ...ask, inputId: 'j' },
    )
    expect(log.at(-1)).toMatchObject({ kind: 'input-canceled', inputId: 'j', reason: 'withdrawn' })
    emit(1, { kind: 'auth-required', authId: 'b', authType: 'custom', prompt: '' })
    expect(log.at(-1)).toMatchObject({ kind: 'auth-failed', authId: 'b', reason: 'failed' })
    expect(diagnostics).toEqual(['too-many-requests', 'too-many-requests'])
    expect(answer(2, { inputId: 'j' }).status).toBe('unknown-request')
    expect(answer(2, { inputId: 'i' }).status).toBe('accepted')
  })
})

describe('a command that is too much', () => {
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  const long = 'x'.repeat(4097)

  it.each<[what: string, code: string, command: Record<string, unknown>]>([
    ['a deep input', 'too-deep', { kind: 'task.send', input: deep(5000) }],
    ['a deep unknown field', 'too-deep', { kind: 'task.send', input: 1, extra: deep(5000) }],
    [
      'a deep result',
      'too-deep',
      { kind: 'tool.result', toolCallId: 'c', success: true, result: deep(1500) },
    ],
    ['a long id', 'too-large', { kind: 'task.send', input: 1, commandId: long }],
    ['a long reason', 'too-large', { kind: 'task.cancel', reason: long }],
    [
      'a long reason of a response',
      'too-large',
      { kind: 'input.respond', responses: [{ inputId: 'i', outcome: 'declined', reason: long }] },
    ],
    ['a long message', 'too-large', { kind: 'auth.respond', authId: 'a', outcome: 'denied', message: long }],
  ])('%s is %s', (_, code, command) => {
    const { send, ledger } = server()
    const before = JSON.stringify(ledger.state)
    expect(send(1, command).receipt).toMatchObject({ status: 'invalid', results: [{ issues: [{ code }] }] })
    expect(JSON.stringify(ledger.state)).toBe(before)
  })

  it('is stored in little space', () => {
    const { send, ledger } = server()
    const before = JSON.stringify(ledger.state).length
    send(
      1,
      { kind: 'task.send', input: long.repeat(100), commandId: long.slice(1) },
      { role: 'user', id: 'user-1' },
    )
    expect(JSON.stringify(ledger.state).length - before).toBeLessThan(400)
  })
})

it.each([
  () => {
    throw new Error('no such keyword')
  },
  // As of ajv, and as of a validator that answers later.
  () => true,
  () => undefined,
  async () => {
    throw new Error('no such keyword')
  },
])('a validator that throws or returns no list refuses the answer: %s', (validate) => {
  const { emit, answer, ledger } = server({ validate: validate as never })
  emit(1, { ...ask, schema: { type: 'string' } }, wait)
  const { receipt } = answer(2, { inputId: 'i', value: 'x' })
  expect(receipt).toMatchObject({
    status: 'invalid',
    results: [{ issues: [{ code: 'invalid-schema', path: '/value' }] }],
  })
  expect(openRequests(ledger.state)).toHaveLength(1)
})

describe('a sender who may not see a request', () => {
  it('does not learn that there is one, nor which call would be approved', () => {
    const { emit, answer, send } = server()
    const metadata = { ...askCall.metadata, audience: ['user'] }
    emit(1, deltas, { ...askCall, inputId: 'secret', metadata }, wait)
    const messageOf = (id: string, sender: Sender): string | undefined =>
      answer(2, { inputId: id }, sender).receipt?.results[0]?.message.replaceAll(id, '')
    for (const role of ['observer', 'coordinator'] as const) {
      const sender: Sender = { role, id: 'x' }
      expect(messageOf('secret', sender)).toBe(messageOf('none', sender))
      const result = (toolCallId: string) =>
        send(2, { kind: 'tool.result', toolCallId, success: true }, sender)
      expect(result('c').status).toBe(result('zz').status)
    }
    const other = callDigest({ toolName: 'x', arguments: {} })
    const { receipt } = answer(2, { inputId: 'secret', callDigest: other })
    expect(receipt?.status).toBe('changed-call')
    expect(JSON.stringify(receipt)).not.toContain('sha-256')
  })
})

it('an answer is shown to those who see its request', () => {
  const { emit, answer, log } = server()
  emit(1, { ...ask, metadata: { audience: ['user'] } }, wait)
  answer(2, { inputId: 'i' })
  expect(log.at(4)).toMatchObject({ kind: 'input-received', metadata: { audience: ['user', 'operator'] } })
})

describe('a commandId that was accepted', () => {
  const two = { ...askCall, inputId: 'j', metadata: { toolCall: { ...toolCall, id: 'd' } } }
  const approve = (inputId: string) => ({
    kind: 'input.respond',
    commandId: 'm1',
    responses: [{ inputId, outcome: 'answered' }],
  })

  it('never approves another call', () => {
    const { emit, send, ledger } = server()
    emit(1, askCall, wait)
    expect(send(2, approve('i')).status).toBe('accepted')
    emit(3, two, wait)
    expect(send(4, approve('i')).status).toBe('repeated')
    expect(send(5, approve('j')).receipt?.results).toMatchObject([{ status: 'conflict', inputId: 'j' }])
    expect(send(6, { kind: 'task.send', commandId: 'm1', input: 'Hi.' }).status).toBe('conflict')
    expect(answerTo(ledger.state, { inputId: 'j' }).status).toBe('open')
  })

  it('cancels no task that began later', () => {
    const { emit, send } = server()
    const cancel = { kind: 'task.cancel', commandId: 'm1' }
    expect(send(1, cancel).status).toBe('accepted')
    expect(send(1, { ...cancel, taskId: 'task-2' }).receipt?.results).toMatchObject([
      { status: 'conflict', taskId: 'task-2' },
    ])
    emit(2, { kind: 'task-created', taskId: 'task-2', initiator: 'user' })
    expect(send(3, cancel).status).toBe('repeated')
    expect(send(4, { ...cancel, commandId: 'm2' }).status).toBe('accepted')
  })

  it('accepts no answer that was refused with it', () => {
    const { emit, send } = server()
    emit(1, askCall, wait)
    const command = {
      ...approve('i'),
      responses: [
        { inputId: 'i', outcome: 'answered' },
        { inputId: 'j', outcome: 'answered' },
      ],
    }
    expect(send(2, command).receipt?.results.map(({ status }) => status)).toEqual([
      'accepted',
      'unknown-request',
    ])
    emit(3, two, wait)
    expect(send(4, command).receipt?.results).toMatchObject([
      { status: 'repeated', inputId: 'i' },
      { status: 'conflict', inputId: 'j' },
    ])
  })
})

describe('an unknown command', () => {
  it.each(['kind', 'commandId'])('is invalid with a long %s, which no receipt repeats', (name) => {
    const { receipt } = server().send(1, { kind: 'x', [name]: 'x'.repeat(100_000) })
    expect(receipt?.status).toBe('invalid')
    expect(JSON.stringify(receipt).length).toBeLessThan(1000)
  })
})

describe('a call that the client runs', () => {
  const approval = { ...askCall, ...editable, inputId: 'j' }
  const result = { kind: 'tool.result', toolCallId: 'c', success: true, result: 1 }

  it('takes no result once its approval was declined', () => {
    const { emit, send, answer } = server()
    emit(1, askRun, approval, wait)
    expect(answer(2, { inputId: 'j', outcome: 'declined' }).status).toBe('accepted')
    expect(send(3, result).status).toBe('forbidden')
  })

  it('is known only to those who see it', () => {
    const { emit, send, log, ledger } = server()
    const metadata = { provider: 'client', audience: ['coordinator'] }
    emit(1, { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: {}, metadata })
    expect(openRequests(ledger.state)).toMatchObject([{ id: 'c', audience: ['coordinator', 'operator'] }])
    expect(send(2, result).status).toBe('unknown-request')
    expect(send(3, result, { role: 'coordinator', id: 'agent' }).status).toBe('accepted')
    const completed = log.at(-1) as { metadata?: { audience?: string[] } }
    expect(completed.metadata?.audience).toContain('coordinator')
    expect(completed.metadata?.audience).not.toContain('user')
  })

  it('is reported if it starts again with other arguments than approved', () => {
    const { emit, answer, diagnostics } = server()
    const begin = {
      kind: 'tool-start',
      toolCallId: 'c',
      toolName: 'book',
      arguments: { port: 'Brest', n: 1 },
    }
    emit(1, askCall, wait)
    answer(2, { inputId: 'i' })
    emit(3, begin, begin)
    expect(diagnostics).toEqual([])
    emit(4, { ...begin, arguments: { n: 9 } })
    expect(diagnostics).toEqual(['call-not-approved'])
  })

  it('starts with the arguments that were approved', () => {
    const { emit, send, answer, log, ledger } = server()
    emit(1, askRun, approval, wait)
    answer(2, { inputId: 'j', value: { arguments: { n: 2 } } })
    expect(send(3, result).status).toBe('accepted')
    expect(log.find(({ kind }) => kind === 'tool-start')).toMatchObject({ arguments: { n: 2 } })
    expect(openRequests(ledger.state)).toEqual([])
  })

  it('takes the result of whoever may answer its request', () => {
    const { emit, send, answer, log } = server()
    emit(1, { ...askRun, requireUser: true, metadata: { ...askRun.metadata, audience: ['user'] } })
    emit(1, { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: { port: 'Brest', n: 1 } })
    answer(2, { inputId: 'i' })
    expect(send(3, result, { role: 'coordinator', id: 'agent' }).status).toBe('unknown-request')
    expect(send(4, result).status).toBe('accepted')
    expect(log.at(-1)).toMatchObject({
      kind: 'tool-complete',
      metadata: { audience: expect.arrayContaining(['user']) },
    })
  })
})

describe('a call whose approval was asked for', () => {
  const approval = { ...askCall, ...editable, inputId: 'j' }
  const result = { kind: 'tool.result', toolCallId: 'c', success: true, result: 1 }

  it.each<[what: string, response: Record<string, unknown> | undefined]>([
    ['open', undefined],
    ['declined', { inputId: 'j', outcome: 'declined' }],
    ['answered with something else', { inputId: 'j', value: false }],
  ])('is not executable while that is %s, though the client is asked to run it later', (_, response) => {
    const { emit, send, answer, log } = server()
    emit(1, { ...askCall, inputId: 'j' }, askRun, wait)
    if (response !== undefined) expect(answer(2, response).status).toBe('accepted')
    expect(send(3, result).status).toBe('forbidden')
    expect(answer(4, { inputId: 'i', value: 1 }).status).toBe('accepted')
    expect(send(5, result).status).toBe('forbidden')
    expect(log.filter(({ kind }) => kind === 'tool-start')).toEqual([])
  })

  it('is executable once it was approved, with the arguments that were', () => {
    const { emit, send, answer, log, ledger } = server()
    emit(1, approval, askRun, wait)
    expect(answer(2, { inputId: 'j', value: { arguments: { n: 3 } } }).status).toBe('accepted')
    expect(openRequests(ledger.state)).toMatchObject([{ id: 'i', isExecution: true }])
    expect(send(3, result).status).toBe('accepted')
    expect(log.find(({ kind }) => kind === 'tool-start')).toMatchObject({ arguments: { n: 3 } })
    expect(errorsIn(log)).toEqual([])
  })

  it('is not executable if the stream declined it without the ledger', () => {
    const { emit, send, diagnostics } = server()
    const received = { kind: 'input-received', inputId: 'j', providedBy: 'user', userId: 'u' }
    emit(1, askRun, approval, wait, { ...received, outcome: 'declined' })
    expect(send(3, result).status).toBe('forbidden')
    emit(3, { kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: { port: 'Brest', n: 1 } })
    expect(diagnostics).toEqual(['call-not-approved'])
  })
})

describe('an answer that comes again', () => {
  const other = callDigest({ toolName: 'book', arguments: { n: 9 } })

  it('for a call that the user has not seen is for a changed call, before and after the answer', () => {
    const { emit, answer } = server()
    emit(1, askCall, wait)
    expect(answer(2, { inputId: 'i', callDigest: other }).status).toBe('changed-call')
    expect(answer(3, { inputId: 'i' }).status).toBe('accepted')
    expect(answer(4, { inputId: 'i', callDigest: other }).status).toBe('changed-call')
    expect(answer(5, { inputId: 'i', callDigest: callDigest({ toolName: 'book', ...asked }) }).status).toBe(
      'repeated',
    )
  })

  it.each<[what: string, first: Record<string, unknown>, again: Record<string, unknown>]>([
    ['an approval', {}, { value: true }],
    ['a declined call', { outcome: 'declined', reason: 'dear' }, { outcome: 'declined' }],
    [
      'edited arguments in another order',
      { value: { arguments: { n: 2, at: { x: 1, y: [1, 2] } } } },
      { value: { arguments: { at: { y: [1, 2], x: 1 }, n: 2 } } },
    ],
    ['a digest that is left out', { callDigest: callDigest({ toolName: 'book', ...asked }) }, {}],
  ])('%s is repeated, with the same commandId and with another', (_, first, again) => {
    const { emit, send } = server()
    emit(1, { ...askCall, ...editable }, wait)
    const respond = (seconds: number, commandId: string, response: Record<string, unknown>) =>
      send(seconds, {
        kind: 'input.respond',
        commandId,
        responses: [{ inputId: 'i', outcome: 'answered', ...response }],
      }).status
    expect(respond(2, 'm1', first)).toBe('accepted')
    expect(respond(3, 'm1', first)).toBe('repeated')
    expect(respond(4, 'm1', again)).toBe('repeated')
    expect(respond(5, 'm2', again)).toBe('repeated')
    expect(respond(6, 'm1', { value: { arguments: { n: 3 } } })).toBe('conflict')
    expect(respond(7, 'm1', { callDigest: other })).toBe('changed-call')
  })
})

describe('a task that only operators see', () => {
  const hidden = { taskId: 'task-2', kind: 'task-created', initiator: 'agent' }
  const operator: Sender = { role: 'operator', id: 'op' }

  it('is unknown to others: they cannot cancel it, nor add to it', () => {
    const { emit, send, ledger } = server()
    emit(1, { ...hidden, metadata: { audience: ['operator'] } })
    for (const command of [
      { kind: 'task.cancel', taskId: 'task-2' },
      { kind: 'task.send', taskId: 'task-2', input: 1 },
    ]) {
      const results = [command, { ...command, taskId: 'task-3' }].map(
        (each) => send(2, each).receipt?.results[0],
      )
      expect(results[0]?.status).toBe('unknown-task')
      expect(results[0]?.message.replace('task-2', 'task-3')).toBe(results[1]?.message)
    }
    expect(send(3, { kind: 'task.cancel' }).outputs.filter(({ type }) => type === 'cancel')).toMatchObject([
      { taskId: 'task-1' },
    ])
    expect(send(4, { kind: 'task.cancel', taskId: 'task-2' }, operator).status).toBe('accepted')
    expect(openRequests(ledger.state)).toEqual([])
  })

  it('stops with the task that it is a subtask of', () => {
    const { emit, send } = server()
    emit(1, { ...hidden, parentTaskId: 'task-1', metadata: { audience: ['operator'] } })
    const { outputs } = send(2, { kind: 'task.cancel', taskId: 'task-1' })
    expect(outputs.filter(({ type }) => type === 'cancel')).toMatchObject([
      { taskId: 'task-2' },
      { taskId: 'task-1' },
    ])
  })

  it('stays hidden: the events that follow an answer have its label', () => {
    const { emit, answer, log } = server()
    const metadata = { audience: ['coordinator'] }
    emit(
      1,
      { ...hidden, metadata },
      { ...ask, taskId: 'task-2', metadata },
      { ...wait, taskId: 'task-2', metadata },
    )
    const { length } = log
    expect(answer(2, { inputId: 'i' }, { role: 'coordinator', id: 'agent' }).status).toBe('accepted')
    const labels = log
      .slice(length)
      .map((event) => (event as { metadata?: { audience?: unknown } }).metadata?.audience)
    expect(labels).toEqual([
      ['coordinator', 'operator'],
      ['coordinator', 'operator'],
    ])
  })

  it('shows the result of a call to no more than the call was shown to', () => {
    const { emit, send, log } = server()
    emit(1, askRun)
    emit(1, {
      ...{ kind: 'tool-start', toolCallId: 'c', toolName: 'book', arguments: {} },
      metadata: { provider: 'client', audience: ['user'] },
    })
    expect(send(2, { kind: 'tool.result', toolCallId: 'c', success: true }).status).toBe('accepted')
    expect(log.at(-1)).toMatchObject({
      kind: 'tool-complete',
      metadata: { audience: ['user', 'operator'] },
    })
  })
})

describe('the limits of a ledger', () => {
  it('refuse more responses than one command may have, before any of them is applied', () => {
    const { emit, send, ledger } = server()
    emit(1, ask, wait)
    const before = JSON.stringify(ledger.state)
    const responses = Array.from({ length: MAX_RESPONSES + 1 }, () => ({ inputId: 'i' }))
    const { receipt } = send(2, { kind: 'input.respond', responses })
    expect(receipt).toMatchObject({ status: 'invalid', results: [{ issues: [{ path: '/responses' }] }] })
    expect(JSON.stringify(receipt).length).toBeLessThan(500)
    expect(JSON.stringify(ledger.state)).toBe(before)
    expect(send(3, { kind: 'input.respond', responses: responses.slice(1) }).receipt?.results).toHaveLength(
      MAX_RESPONSES,
    )
  })

  it.each<[path: string, make: (values: number[]) => object, own: number]>([
    ['/input', (input) => ({ input }), 4],
    ['/input', (values) => ({ input: { a: [[values]] } }), 7],
    ['/metadata', (values) => ({ input: 'text', metadata: { 'a/b': values } }), 6],
    ['/a~1b', (values) => ({ input: 'text', 'a/b': values }), 5],
    ['', (values) => ({ input: 'text', ...Object.fromEntries(values.map((n) => [`k${n}`, n])) }), 4],
  ])('refuse a value too many at %j, and no fewer', (path, make, own) => {
    const { send, ledger } = server()
    const before = JSON.stringify(ledger.state)
    const task = (count: number): Record<string, unknown> => {
      return { kind: 'task.send', ...make([...Array(count).keys()]) }
    }
    const { receipt } = send(1, task(MAX_VALUES - own + 1))
    expect(receipt).toMatchObject({
      status: 'invalid',
      results: [{ issues: [{ code: 'too-large', path, message: expect.stringContaining('65536 values') }] }],
    })
    expect(JSON.stringify(ledger.state)).toBe(before)
    expect(send(2, task(MAX_VALUES - own)).status).toBe('accepted')
  })

  it.each([
    ['/input', { kind: 'task.send' }, 'input'],
    ['/result', { kind: 'tool.result', toolCallId: 'c', success: true }, 'result'],
    ['/error', { kind: 'tool.result', toolCallId: 'c', success: false }, 'error'],
  ])('refuse a character too many at %j, and no fewer', (path, draft, name) => {
    const { send, ledger } = server({ maxCommandChars: 1000 })
    const before = JSON.stringify(ledger.state)
    const command = (length: number): Record<string, unknown> => ({ ...draft, [name]: 'x'.repeat(length) })
    const [refused] = send(1, command(1001)).receipt?.results ?? []
    const issue = { code: 'too-large', path, message: expect.stringContaining('at most 1000 characters') }
    expect(refused).toMatchObject({ status: 'invalid', issues: [issue] })
    const [, length = ''] = /got (\d+)/.exec(refused?.message ?? '') ?? []
    const rest = Number(length) - 1001
    expect(send(1, command(1001 - rest)).receipt?.results[0]?.status).toBe('invalid')
    expect(JSON.stringify(ledger.state)).toBe(before)
    expect(send(1, command(1000 - rest)).receipt?.results[0]?.status).not.toBe('invalid')
  })

  it('bound the answers that are stored, and keep the latest', () => {
    const { emit, answer, ledger, diagnostics } = server()
    for (let i = 0; i < 100; i++) {
      emit(1, { ...ask, inputId: `i-${i}` })
      expect(answer(2, { inputId: `i-${i}`, value: 'x'.repeat(60_000) }).status).toBe('accepted')
    }
    expect(JSON.stringify(ledger.state).length).toBeLessThan(2.2 * MAX_ANSWERS_CHARS)
    expect(diagnostics).toContain('state-evicted')
    for (const i of [99, 90, 85]) {
      expect(answerTo(ledger.state, { inputId: `i-${i}` })).toMatchObject({ status: 'answered' })
    }
    expect(answerTo(ledger.state, { inputId: 'i-0' }).status).toBe('closed')
    expect(answer(3, { inputId: 'i-0', value: 'x' }).status).toBe('conflict')
  })
})

it('the commands of readers that were refused are remembered in bounded space', () => {
  const { send, ledger } = server({ maxEntries: 10 })
  const refuse = (n: number, inputId: string): unknown =>
    send(1, { kind: 'input.respond', commandId: `m-${n}`, sourceDigest: 's', responses: [{ inputId }] })
  for (let n = 0; n < 100; n++) refuse(n, 'none')
  const { length } = JSON.stringify(ledger.state)
  for (let n = 100; n < 1000; n++) refuse(n, 'none')
  expect(JSON.stringify(ledger.state).length).toBeLessThan(1.5 * length)
})

describe('a receipt and an answer state', () => {
  const task = { taskId: context.taskId }
  const auth = { kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Sign in.' }

  it('the task that a response, an outcome or a result states', () => {
    const { emit, send } = server()
    emit(1, ask, auth, { ...askRun, inputId: 'r' })
    for (const command of [
      { kind: 'input.respond', responses: [{ inputId: 'i', value: 'yes', ...task }] },
      { kind: 'auth.respond', authId: 'a', outcome: 'completed', ...task },
      { kind: 'tool.result', toolCallId: 'c', success: true, ...task },
    ])
      expect(send(2, command).receipt).toMatchObject({ status: 'accepted', results: [task] })
  })

  it.each([
    [
      'why it was declined',
      ask,
      { kind: 'input.respond', responses: [{ inputId: 'i', outcome: 'declined', reason: 'No.' }] },
      { inputId: 'i', outcome: 'declined', reason: 'No.' },
    ],
    [
      'why a login has failed',
      auth,
      { kind: 'auth.respond', authId: 'a', outcome: 'failed', message: 'No.' },
      { authId: 'a', outcome: 'failed', reason: 'No.' },
    ],
    [
      'where the credential is',
      auth,
      { kind: 'auth.respond', authId: 'a', outcome: 'completed' },
      { authId: 'a', outcome: 'completed', credentialRef: 'vault/1' },
    ],
  ])('%s', (_, request, command, answer) => {
    const { emit, ledger } = server()
    emit(1, request)
    const sent = { commandId: 'x', timestamp: at(2), ...command }
    const outputs = ledger.push({
      ...{ type: 'command', command: sent, sender: user, at: at(2) },
      verified: { credentialRef: 'vault/1' },
    })
    const [output] = outputs.filter(({ type }) => type === 'answer')
    expect(output).toEqual({ type: 'answer', answer: { ...context, ...answer, sender: user, at: at(2) } })
  })

  it('the login that nobody has verified', () => {
    const { emit, ledger } = server()
    emit(1, auth)
    const command = {
      kind: 'auth.respond',
      commandId: 'x',
      timestamp: at(2),
      authId: 'a',
      outcome: 'completed',
      ...task,
    }
    const outputs = ledger.push({ type: 'command', command, sender: user, at: at(2) })
    const results = [{ status: 'forbidden', authId: 'a', ...task }]
    expect(outputs).toMatchObject([
      { type: 'receipt', receipt: { commandId: 'x', status: 'forbidden', results } },
    ])
  })

  it('what a value is at fault for that comes with a refusal', () => {
    const { emit, answer } = server()
    emit(1, ask)
    const [result] = answer(2, { inputId: 'i', outcome: 'declined', value: 'yes' }).receipt?.results ?? []
    expect(result).toMatchObject({
      status: 'invalid',
      inputId: 'i',
      issues: [{ code: 'invalid-value', path: '/value' }],
    })
  })

  it('what a command is for that is too old, or was refused for something else', () => {
    const { emit, send } = server({ maxEntries: 1 })
    emit(1, ask, { ...ask, inputId: 'j' }, auth)
    const old = { timestamp: at(0) }
    const answers = (inputId: string, more: object = {}) => ({
      kind: 'input.respond',
      responses: [{ inputId, value: 1 }],
      ...more,
    })
    const read = { commandId: 'm', sourceDigest: 's' }
    expect(send(2, answers('none', read)).status).toBe('unknown-request')
    expect(send(2, answers('j', read)).receipt?.results[0]?.message).toMatch(/refused for before/)
    for (const inputId of ['i', 'j']) send(3, answers(inputId))
    send(3, { kind: 'auth.respond', authId: 'a', outcome: 'completed' })
    for (const command of [
      answers('i', old),
      { kind: 'auth.respond', authId: 'a', outcome: 'completed', ...old },
      { kind: 'tool.result', toolCallId: 'c', success: true, ...old },
      { kind: 'task.cancel', ...task, ...old },
    ])
      expect(send(4, command).status).toBe('too-old')
  })
})

it('a stream is accessed by its owner, and by who is no user', () => {
  const { send } = server({ mayAccess: undefined } as never)
  const statusOf = (id: string, role: Sender['role'] = 'user') =>
    send(1, { kind: 'task.send', contextId: 'ctx-1', input: 'Hi.' }, { role, id }).status
  expect([statusOf('a'), statusOf('b'), statusOf('a'), statusOf('b', 'coordinator')]).toEqual([
    ...['accepted', 'forbidden', 'accepted', 'accepted'],
  ])
})
