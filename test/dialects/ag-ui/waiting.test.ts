// A stream that ends while its task waits for the user ends its run as a success, also if clients have no question.
import { describe, expect, it } from 'vitest'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import { toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { orderErrorsOf } from './peers.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
const created = { kind: 'task-created', initiator: 'user' }
const status = (name: string) => ({ kind: 'task-status', status: name })
const inSubtask = (event: object) => ({ ...event, taskId: 's', parentTaskId: 't' })
const subtask = [
  { kind: 'subtask-created', subtaskId: 's', agentId: 'a', prompt: 'p' },
  inSubtask({ kind: 'task-created', initiator: 'agent' }),
]

function write(events: readonly object[]) {
  const all = [created, status('working'), ...events].map((event) => ({ ...place, ...event }))
  return resultsOf(toAgUi() as never, all as ContextAnyEvent[] as never[])
}

const lastOf = (events: readonly object[]) => write(events).at(-1)?.out.at(-1) as AgUiEvent

describe('a stream that ends', () => {
  const question = {
    kind: 'input-required',
    inputId: 'i',
    inputType: 'text',
    prompt: 'Why?',
    requireUser: true,
  }

  it.each<[string, readonly object[]]>([
    ['waits for input', [status('waiting-input')]],
    ['waits for authentication', [status('waiting-auth')]],
    [
      'waits for a hidden answer',
      [{ ...question, metadata: { audience: ['operator'] } }, status('waiting-input')],
    ],
    [
      'waits for a subtask that waits',
      [...subtask, inSubtask(status('waiting-input')), status('waiting-subtask')],
    ],
  ])('as a success while its task %s', (_, events) => {
    expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  })

  it.each<[string, readonly object[]]>([
    ['works', []],
    ['works again', [status('waiting-input'), status('working')]],
    ['waits for a subtask that works', [...subtask, inSubtask(status('working')), status('waiting-subtask')]],
  ])('as an error while its task %s', (_, events) => {
    expect(lastOf(events)).toMatchObject({ type: 'RUN_ERROR' })
  })
})

it('reports a wait for which nothing was asked, also beside a request of another sort', () => {
  const login = { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '?' }
  const results = write([
    ...[login, status('waiting-auth'), status('waiting-input'), status('working')],
    {
      kind: 'input-required',
      inputId: 'i',
      inputType: 'text',
      prompt: '?',
      metadata: { audience: ['operator'] },
    },
  ])
  const lost = results.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ code }) => code.endsWith(':task-status')),
  )
  expect(lost.map(({ detail }) => (detail as { status: string }).status)).toEqual(['waiting-input'])
})

describe('a change of another version than the current one', () => {
  const change = { type: 'merge-patch', patch: { a: 2 } }
  const delta = { kind: 'artifact-delta', artifactId: 'x', change }
  const whole = { kind: 'data-write', artifactId: 'x', data: { a: 1 } }

  it.each<[string, readonly object[], string]>([
    ['a later one', [whole, { ...delta, baseVersion: 7, version: 8 }], 'out-of-order'],
    [
      'one sent again',
      [whole, { ...delta, baseVersion: 1, version: 2 }, { ...delta, baseVersion: 1, version: 2 }],
      'repeated',
    ],
    [
      'one of an earlier version',
      [whole, { ...whole, version: 5 }, { ...delta, baseVersion: 2, version: 3 }],
      'repeated',
    ],
  ])('%s is dropped', (_, events, reason) => {
    const last = write(events).at(-2)
    expect(last?.out).toEqual([])
    expect(last?.diagnostics).toMatchObject([{ code: 'dropped:artifact-delta', detail: { reason } }])
  })

  it('changes of one version after the other are sent', () => {
    const steps = write([
      whole,
      { ...delta, baseVersion: 1, version: 2 },
      { ...delta, baseVersion: 2, version: 9 },
    ])
    expect(steps.slice(3, 5).map(({ out }) => out.length)).toEqual([1, 1])
  })
})

describe('a question of a task while the run of another is active', () => {
  const other = (event: object) => ({ ...event, taskId: 'u' })
  const asked = {
    kind: 'input-required',
    inputId: 'i',
    inputType: 'confirmation',
    prompt: 'Now?',
    metadata: { toolCall: { id: 'k', type: 'function', function: { name: 'pay', arguments: '{}' } } },
  }
  const first = { ...asked, inputId: 'h', metadata: {} }

  it('is asked once that has ended, and reported by nothing', () => {
    const results = write([
      ...[first, status('waiting-input'), other(created), asked],
      ...[other(status('completed')), other({ kind: 'task-complete' })],
    ])
    const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
    expect(codes.filter((code) => code.includes('input-required'))).toEqual([])
    const out = results.flatMap((step) => step.out as AgUiEvent[])
    expect(out.slice(-3)).toMatchObject([
      { type: 'RUN_FINISHED', runId: 'u', outcome: { type: 'success' } },
      { type: 'RUN_STARTED', parentRunId: 'u' },
      { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'h' }, { id: 'i' }] } },
    ])
  })

  it('is not asked by that run, which does not state its task', () => {
    const results = write([...[other(asked), first, status('waiting-input')], other(status('waiting-input'))])
    const out = results.flatMap((step) => step.out as AgUiEvent[])
    expect(out.filter(({ type }) => type.startsWith('RUN_'))).toMatchObject([
      { type: 'RUN_STARTED', runId: 't' },
      { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'h' }] } },
      { type: 'RUN_STARTED', runId: 'u' },
      { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i' }, { id: 'h' }] } },
    ])
    expect(results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      'inferred:RUN_STARTED',
    ])
  })

  it('is reported if the task of its run has ended', () => {
    const results = write([
      ...subtask,
      inSubtask(first),
      ...[status('completed'), other(created)],
      inSubtask(status('waiting-input')),
    ])
    expect(results.at(-2)?.diagnostics).toMatchObject([
      { code: 'dropped:task-status', detail: { reason: 'after-end' } },
    ])
  })

  it('shows the arguments of its call once, also if they are streamed after it', () => {
    const piece = { kind: 'tool-arguments-delta', toolCallId: 'k', toolName: 'pay' }
    const results = write([
      asked,
      { ...piece, delta: '{', index: 0 },
      { ...piece, delta: '}', index: 1 },
      { kind: 'tool-start', toolCallId: 'k', toolName: 'pay', arguments: {} },
    ])
    const out = results.flatMap((step) => step.out as AgUiEvent[])
    expect(out.flatMap((event) => (event.type === 'TOOL_CALL_ARGS' ? event.delta : []))).toEqual(['{}'])
  })

  it('starts the subtask that asks once, also if its run has ended with another question', () => {
    const results = write([
      ...subtask,
      inSubtask(first),
      inSubtask(status('waiting-input')),
      inSubtask(asked),
    ])
    expect(orderErrorsOf(results.flatMap((step) => step.out))).toEqual([])
  })
})
