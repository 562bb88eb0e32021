// What the writer makes of questions with all of their fields, and of more questions than it keeps.
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { outputsOf, writer } from './support.ts'

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
const timestamp = Date.parse(context.timestamp)
const created: ContextAnyEvent = { kind: 'task-created', initiator: 'user', ...context }
const subtask = { ...context, taskId: 's', parentTaskId: 't' }

/** The interrupts that a run ends with as its task waits. */
function interruptsOf(request: ContextAnyEvent, status: 'waiting-input' | 'waiting-auth'): unknown {
  const events = [created, request, { ...subtaskOf(request), kind: 'task-status', status } as ContextAnyEvent]
  const last = outputsOf(writer(), events).at(-1)
  return last?.type === 'RUN_FINISHED' && last.outcome?.type === 'interrupt' && last.outcome.interrupts
}

function subtaskOf({ taskId }: ContextAnyEvent): object {
  return taskId === 's' ? subtask : context
}

/** A call without arguments that a tool could be called with. */
const noObject = { id: 'x', type: 'function', function: { name: 'pay', arguments: '[1]' } } as const

describe('a question', () => {
  it.each<[string, ContextAnyEvent, object]>([
    [
      'without options',
      { kind: 'input-required', inputId: 'i', inputType: 'confirmation', prompt: 'Go?', ...context },
      { id: 'i', reason: 'confirmation', message: 'Go?', metadata: { inputType: 'confirmation' } },
    ],
    [
      'with all fields',
      {
        ...{
          kind: 'input-required',
          inputId: 'i',
          inputType: 'selection',
          prompt: 'Who?',
          requireUser: true,
        },
        schema: { type: 'object' },
        options: ['a', 'b'],
        metadata: { reason: 'unclear', timeout: 90, toolCall: toolCall('x'), more: 1 },
        ...subtask,
      } as ContextAnyEvent,
      {
        subagentRunId: 's',
        id: 'i',
        reason: 'unclear',
        message: 'Who?',
        toolCallId: 'x',
        responseSchema: { type: 'object' },
        expiresAt: '2026-01-31T10:01:30.000Z',
        metadata: {
          more: 1,
          inputType: 'selection',
          toolCall: toolCall('x'),
          timeout: 90,
          requireUser: true,
          options: ['a', 'b'],
        },
      },
    ],
    [
      'about a call',
      {
        ...{ kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: 'Pay?', ...context },
        metadata: { toolCall: toolCall('x') },
      } as ContextAnyEvent,
      {
        ...{ id: 'i', reason: 'tool_call', message: 'Pay?', toolCallId: 'x' },
        metadata: { inputType: 'tool-execution', toolCall: toolCall('x') },
      },
    ],
    [
      'about a call that the client cannot run',
      {
        ...{ kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: 'Pay?', ...context },
        metadata: { toolCall: noObject, provider: 'client' },
      } as ContextAnyEvent,
      {
        ...{ id: 'i', reason: 'tool-execution', message: 'Pay?', toolCallId: 'x' },
        metadata: { inputType: 'tool-execution', toolCall: noObject, provider: 'client' },
      },
    ],
    [
      'of another type',
      { kind: 'input-required', inputId: 'i', inputType: 'selection', prompt: 'Who?', ...context },
      { id: 'i', reason: 'input_required', message: 'Who?', metadata: { inputType: 'selection' } },
    ],
  ])('%s is an interrupt', (_, request, interrupt) => {
    expect(interruptsOf(request, 'waiting-input')).toStrictEqual([interrupt])
  })

  it.each<[string, object, object]>([
    ['without options', {}, {}],
    [
      'with all fields',
      {
        provider: 'git',
        scopes: ['read'],
        authUrl: 'https://git.example/',
        metadata: { expiresIn: 60, more: 1 },
      },
      {
        expiresAt: '2026-01-31T10:01:00.000Z',
        metadata: {
          more: 1,
          authType: 'oauth2',
          expiresIn: 60,
          provider: 'git',
          scopes: ['read'],
          authUrl: 'https://git.example/',
        },
      },
    ],
  ])('for a sign-in %s is an interrupt', (_, more, expected) => {
    const request = { kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Sign in.', ...context }
    expect(interruptsOf({ ...request, ...more } as ContextAnyEvent, 'waiting-auth')).toStrictEqual([
      {
        id: 'a',
        reason: 'auth-required',
        message: 'Sign in.',
        metadata: { authType: 'oauth2' },
        ...expected,
      },
    ])
  })

  it('is reported if 256 are open', () => {
    const asked = Array.from(
      { length: 257 },
      (_, i): ContextAnyEvent => ({
        ...{ kind: 'input-required', inputId: `i${i}`, inputType: 'confirmation', prompt: '?', ...context },
      }),
    )
    const codes = resultsOf(writer(), [created, ...asked]).map(({ diagnostics }) =>
      diagnostics.map(({ detail }) => (detail as { reason?: string } | undefined)?.reason),
    )
    expect(codes.slice(1, 258)).toEqual([...Array(256).fill([]), ['too-many']])
  })
})

function toolCall(id: string): object {
  return { id, function: { name: 'pay', arguments: '{}' } }
}

it('carries an event of a subtask in the active run, and starts no subagent for it', () => {
  const written = outputsOf(writer({ extension: true }), [
    created,
    { kind: 'input-canceled', inputId: 'i', reason: 'expired', ...subtask } as ContextAnyEvent,
  ])
  expect(written.map(({ type }) => type)).toEqual(['RUN_STARTED', 'CUSTOM', 'CUSTOM', 'RUN_ERROR'])
  expect(written[2]).toMatchObject({ type: 'CUSTOM', timestamp })
})

it('forgets the calls of a subtask that has completed', () => {
  const ofSubtask = (taskId: string): ContextAnyEvent[] => {
    const place = { ...context, taskId, parentTaskId: 't' }
    return [
      { kind: 'task-created', initiator: 'agent', ...place },
      ...Array.from(
        { length: 800 },
        (_, i): ContextAnyEvent => ({
          ...{ kind: 'tool-start', toolCallId: `${taskId}/${i}`, toolName: 'look', arguments: {}, ...place },
        }),
      ),
      { kind: 'task-status', status: 'completed', ...place },
    ]
  }
  const events = [created, ...['a', 'b', 'c'].flatMap(ofSubtask)]
  const codes = resultsOf(writer(), events).flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
  expect(codes).not.toContain('state-evicted')
})
