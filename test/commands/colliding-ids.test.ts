// Proves that tasks of one context may use the same ids of calls and requests: each keeps its own.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { memoryStore, type Stream } from 'turnstream/server'
import { emptyView, foldEvents } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { answerTo, openRequests } from '../../src/commands/ledger/read.ts'
import { anyone } from '../support/anyone.ts'
import { runs } from '../support/runs.ts'
import { type Bare, resultsIn, twoTasks, user, violationsIn } from '../support/two-tasks.ts'

const timestamp = '2026-01-01T00:00:00.000Z'

const toolCallId = 'iteration-0-call-0'
const start = (name = 'pick') => ({
  ...{ kind: 'tool-start', toolCallId, toolName: name, arguments: {} },
  metadata: { provider: 'client' },
})
const ask = (name = 'pick') => ({
  ...{ kind: 'input-required', inputId: 'approve', inputType: 'tool-execution', prompt: `Run ${name}?` },
  metadata: { toolCall: { id: toolCallId, function: { name, arguments: '{}' } } },
})
const result = (value: unknown, taskId?: string) => ({
  ...{ kind: 'tool.result', toolCallId, success: true, result: value },
  ...(taskId !== undefined && { taskId }),
})
const respond = (response: Record<string, unknown>) => ({
  kind: 'input.respond',
  responses: [{ inputId: 'approve', outcome: 'answered', ...response }],
})
describe('ids that two tasks of a context use', () => {
  it('gives the result of a client’s tool to the task that the command names', () => {
    const { emit, send, log } = twoTasks()
    emit('a', start())
    emit('b', start())
    expect(send(result('for b', 'b'))?.status).toBe('accepted')
    expect(send(result('for a', 'a'))?.results).toMatchObject([{ status: 'accepted', taskId: 'a' }])
    expect(resultsIn(log)).toEqual([
      ['b', 'for b'],
      ['a', 'for a'],
    ])
    expect(send(result('for a', 'a'))?.status).toBe('repeated')
    expect(send(result('for b', 'a'))?.status).toBe('conflict')
    expect(send(result('for c', 'c'))?.status).toBe('unknown-request')
    expect(violationsIn(log)).toEqual([])
  })

  it('refuses a result without a task as ambiguous while both wait, and accepts it for the only one that does', () => {
    const { emit, send, log } = twoTasks()
    emit('a', start())
    emit('b', start())
    expect(send(result(1))?.status).toBe('ambiguous')
    expect(resultsIn(log)).toEqual([])
    emit('a', { kind: 'tool-complete', toolCallId, toolName: 'pick', success: true, result: 0 })
    expect(send(result(1))?.status).toBe('accepted')
    expect(resultsIn(log)).toEqual([
      ['a', 0],
      ['b', 1],
    ])
  })

  it('takes the result of the next task after an earlier one had the same id', () => {
    const { emit, send, log } = twoTasks(['a'])
    emit('a', start())
    expect(send(result(1))?.status).toBe('accepted')
    emit('a', { kind: 'task-complete', result: 'done' }, { kind: 'task-status', status: 'completed' })
    emit(
      'b',
      { kind: 'task-created', initiator: 'user' },
      { kind: 'task-status', status: 'working' },
      start(),
    )
    expect(send(result(2))?.status).toBe('accepted')
    expect(send(result(1))?.status).toBe('repeated')
    expect(send(result(3))?.status).toBe('conflict')
    expect(resultsIn(log)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('keeps approvals of two tasks apart, and resolves one that is open by the task or by its call', () => {
    const { emit, send, answers, diagnostics, log, ledger } = twoTasks()
    emit('a', ask('pay'))
    emit('b', ask('book'))
    const [a, b] = openRequests(ledger.state)
    expect([a, b]).toMatchObject([
      { taskId: 'a', id: 'approve', call: { toolName: 'pay' } },
      { taskId: 'b', id: 'approve', call: { toolName: 'book' } },
    ])
    expect(send(respond({}))?.status).toBe('ambiguous')
    expect(send(respond({ callDigest: b?.call?.digest }))?.status).toBe('accepted')
    emit('b', { ...start('book'), metadata: {} })
    expect(send(respond({ taskId: 'a', outcome: 'declined' }))?.results).toMatchObject([
      { status: 'accepted', inputId: 'approve', taskId: 'a' },
    ])
    expect(diagnostics).toEqual([])
    emit('a', { ...start('pay'), metadata: {} })
    expect(diagnostics).toEqual(['call-not-approved'])
    expect(answers).toMatchObject([
      { taskId: 'b', outcome: 'answered', call: { toolName: 'book' } },
      { taskId: 'a', outcome: 'declined' },
    ])
    expect(violationsIn(log)).toEqual([])
    const named = { inputId: 'approve', contextId: 'ctx' }
    expect(answerTo(ledger.state, { ...named, taskId: 'b' })).toMatchObject({ answer: { taskId: 'b' } })
    expect(answerTo(ledger.state, { ...named, taskId: 'a' })).toMatchObject({ answer: { taskId: 'a' } })
    expect(answerTo(ledger.state, named)).toEqual({ status: 'ambiguous' })
  })

  it('does not count tasks that the sender does not see', () => {
    const { emit, send } = twoTasks()
    emit('a', { ...start(), metadata: { provider: 'client', audience: ['operator'] } })
    emit('b', start())
    expect(send(result(1))?.status).toBe('accepted')
    expect(send(result(1, 'a'))?.status).toBe('unknown-request')
  })

  it('resolves authentications by the task', () => {
    const { emit, send } = twoTasks()
    const login = {
      kind: 'auth-required',
      authId: 'x',
      authType: 'api-key',
      provider: 'p',
      prompt: 'Log in.',
    }
    emit('a', login)
    emit('b', login)
    const done = { kind: 'auth.respond', authId: 'x', outcome: 'completed' }
    expect(send(done)?.status).toBe('ambiguous')
    expect(send({ ...done, taskId: 'b' })?.status).toBe('accepted')
    expect(send(done)?.results).toMatchObject([{ status: 'accepted', authId: 'x' }])
  })

  it('waits for the answer of one task, and refuses to wait for either', async () => {
    const ledger = (await memoryStore({ ...anyone, now: () => Date.parse(timestamp) }).open('s')) as Stream
    const append = (taskId: string, bare: Bare): Promise<unknown> =>
      ledger.append({ contextId: 'ctx', taskId, timestamp, ...bare } as unknown as ContextAnyEvent)
    await append('a', ask('pay'))
    const early = ledger.answer({ inputId: 'approve' })
    await append('b', ask('book'))
    await expect(ledger.answer({ inputId: 'approve' })).rejects.toThrow(/"request\.taskId"/)
    const late = ledger.answer({ inputId: 'approve', taskId: 'b' })
    const command = { commandId: 'c1', timestamp, ...respond({ taskId: 'b' }) }
    expect((await ledger.submit(command, user)).status).toBe('accepted')
    expect((await ledger.submit({ ...command, commandId: 'c2', ...respond({}) }, user)).status).toBe(
      'accepted',
    )
    expect([(await early)?.taskId, (await late)?.taskId]).toEqual(['a', 'b'])
    ledger.close()
  })
})

/** Ids whose text could be taken for a separator or the length of another part. */
const oddIds = fc.constantFrom(
  'a',
  'b',
  '1:a',
  'a\u0000b',
  '\u0000',
  ' ',
  '\ud800',
  '\udc00',
  'a1:b',
  '11:a1',
)

/** One step of one of two tasks. */
const moves = fc.array(
  fc.record({
    task: fc.nat(1),
    move: fc.constantFrom('stream', 'start', 'ask', 'finish', 'respond', 'result', 'end'),
    call: fc.nat(1),
    named: fc.boolean(),
    outcome: fc.constantFrom('answered', 'declined'),
  }),
  { maxLength: 40 },
)

type Phase = 'writing' | 'asked' | 'approved' | 'declined' | 'running' | 'ended'

describe('random streams of two tasks with the same ids', () => {
  it('refuse nothing falsely, and mix no result', () => {
    const property = fc.property(
      fc.uniqueArray(oddIds, { minLength: 2, maxLength: 2 }),
      fc.uniqueArray(oddIds, { minLength: 2, maxLength: 2 }),
      moves,
      (tasks, callIds, steps) => {
        const { emit, send, log, answers, diagnostics, ledger } = twoTasks(tasks)
        const phases = new Map<string, Phase>()
        const ended = new Set<number>()
        for (const { task, move, call, named, outcome } of steps) {
          const taskId = tasks[task] ?? ''
          const id = callIds[call] ?? ''
          const [key, other] = [`${task} ${call}`, `${1 - task} ${call}`]
          const [phase, otherPhase] = [phases.get(key), phases.get(other)]
          const about = named ? { taskId } : {}
          const tool = { toolCallId: id, toolName: `tool-${task}` }
          if (ended.has(task)) continue
          if (move === 'stream' && phase === undefined) {
            emit(taskId, { kind: 'tool-arguments-delta', ...tool, delta: '{}', index: 0 })
            phases.set(key, 'writing')
          } else if (move === 'ask' && (phase === undefined || phase === 'writing')) {
            const toolCall = { id, function: { name: tool.toolName, arguments: '{}' } }
            const fields = { inputId: id, inputType: 'tool-execution', prompt: 'Run it?' }
            emit(taskId, { kind: 'input-required', ...fields, metadata: { toolCall } })
            phases.set(key, 'asked')
          } else if (
            move === 'start' &&
            (phase === undefined || phase === 'writing' || phase === 'approved')
          ) {
            emit(taskId, { kind: 'tool-start', ...tool, arguments: {}, metadata: { provider: 'client' } })
            phases.set(key, 'running')
          } else if (move === 'finish' && phase === 'running') {
            emit(taskId, { kind: 'tool-complete', ...tool, success: true, result: taskId })
            phases.set(key, 'ended')
          } else if (move === 'respond' && phase === 'asked') {
            const response = { inputId: id, ...about, outcome }
            const status = send({ kind: 'input.respond', responses: [response] })?.status
            const isAmbiguous = !named && otherPhase === 'asked' && !ended.has(1 - task)
            expect(status).toBe(isAmbiguous ? 'ambiguous' : 'accepted')
            if (isAmbiguous) continue
            expect(answers.at(-1)).toMatchObject({ taskId, outcome })
            phases.set(key, outcome === 'answered' ? 'approved' : 'declined')
          } else if (move === 'result' && phase === 'running') {
            const command = { kind: 'tool.result', toolCallId: id, success: true, result: taskId, ...about }
            const isAmbiguous = !named && otherPhase === 'running' && !ended.has(1 - task)
            expect(send(command)?.status).toBe(isAmbiguous ? 'ambiguous' : 'accepted')
            if (isAmbiguous) continue
            phases.set(key, 'ended')
            expect(send({ ...command, taskId })?.status).toBe('repeated')
          } else if (move === 'end') {
            emit(taskId, { kind: 'task-status', status: 'failed' })
            ended.add(task)
          }
        }
        expect(diagnostics).toEqual([])
        for (const [taskId, value] of resultsIn(log)) expect(value).toBe(taskId)
        const waiting = [...phases].filter(([key, phase]) => phase === 'asked' && !ended.has(Number(key[0])))
        const open = openRequests(ledger.state).filter(({ type }) => type === 'input')
        expect(open.length).toBe(waiting.length)
        const mixed = /tool-call|whole-repeats|arguments-before|tool-name|input-once|input-open|delta-index/
        expect(violationsIn(log).filter((each) => mixed.test(each))).toEqual([])
        const view = foldEvents(emptyView, log)
        for (const [i, taskId] of tasks.entries()) {
          const parts = view.tasks.find((each) => each.taskId === taskId)?.parts ?? []
          for (const part of parts) {
            if (part.type === 'tool' && part.toolName !== undefined) expect(part.toolName).toBe(`tool-${i}`)
            if (part.type === 'tool' && part.result !== undefined) expect(part.result).toBe(taskId)
          }
        }
      },
    )
    fc.assert(property, { numRuns: runs(10_000) })
  })
})
