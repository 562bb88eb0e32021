// Nested subtasks are subagents that the client of the protocol accepts, in whatever order they end.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf, resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { orderErrorsOf, pageOf } from './peers.ts'
import { closing, outputsOf, writer } from './support.ts'

// The client logs what it does not expect.
vi.spyOn(console, 'warn').mockImplementation(() => {})
vi.spyOn(console, 'error').mockImplementation(() => {})

const base = { contextId: 'c', timestamp: '2026-01-31T10:00:00.000Z' }
const r = { taskId: 'r', ...base }
const s = { taskId: 's', parentTaskId: 'r', ...base }
const q = { taskId: 'q', parentTaskId: 's', ...base }

/** `q` is in `s`, which is in `r`. */
const nested: readonly ContextAnyEvent[] = [
  { kind: 'task-created', initiator: 'user', ...r },
  { kind: 'subtask-created', subtaskId: 's', prompt: 'p', ...r },
  { kind: 'task-created', initiator: 'agent', ...s },
  { kind: 'subtask-created', subtaskId: 'q', prompt: 'p', ...s },
  { kind: 'task-created', initiator: 'agent', ...q },
]

/** The events of subagents and runs, with the subagent. */
function spansOf(events: readonly ContextAnyEvent[]): string[] {
  return outputsOf(writer(), events).flatMap((event) => {
    if (event.type.startsWith('RUN_')) return [event.type]
    if (event.type === 'SUBAGENT_STARTED') {
      const { parentSubagentRunId: parent } = event
      return [`${event.type} ${event.subagentRunId}${parent === undefined ? '' : ` in ${parent}`}`]
    }
    return event.type === 'SUBAGENT_FINISHED'
      ? [`${event.type} ${event.subagentRunId} ${event.outcome?.type}`]
      : []
  })
}

describe('a subtask in a subtask', () => {
  it('ends before its parent if it has completed without a result', async () => {
    const events: ContextAnyEvent[] = [
      ...nested,
      { kind: 'task-status', status: 'completed', ...q },
      { kind: 'task-status', status: 'completed', ...s },
      { kind: 'task-complete', ...s },
      { kind: 'task-complete', ...r },
    ]
    expect(spansOf(events)).toEqual([
      'RUN_STARTED',
      'SUBAGENT_STARTED s',
      'SUBAGENT_STARTED q in s',
      'SUBAGENT_FINISHED q success',
      'SUBAGENT_FINISHED s success',
      'RUN_FINISHED',
    ])
    expect((await pageOf(outputsOf(writer(), events))).errors).toEqual([])
  })

  it('continues after the end of its parent, and in the run after an interrupt', async () => {
    const events: ContextAnyEvent[] = [
      ...nested,
      { kind: 'content-delta', delta: 'a', index: 0, ...q },
      { kind: 'task-status', status: 'canceled', ...s },
      { kind: 'input-required', inputId: 'i', inputType: 'confirmation', prompt: '?', ...q },
      { kind: 'task-status', status: 'waiting-input', ...q },
      { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u', ...q },
      { kind: 'task-status', status: 'working', ...q },
      { kind: 'content-delta', delta: 'b', index: 1, ...q },
      { kind: 'content-complete', content: 'ab', ...q },
      { kind: 'task-complete', ...q },
      { kind: 'task-complete', ...r },
    ]
    expect(spansOf(events)).toEqual([
      'RUN_STARTED',
      'SUBAGENT_STARTED s',
      'SUBAGENT_STARTED q in s',
      'SUBAGENT_FINISHED s undefined',
      'SUBAGENT_FINISHED q suspended',
      'RUN_FINISHED',
      'RUN_STARTED',
      'SUBAGENT_STARTED q',
      'SUBAGENT_FINISHED q success',
      'RUN_FINISHED',
    ])
    const { messages, errors } = await pageOf(outputsOf(writer(), events))
    expect(errors).toEqual([])
    expect(messages).toMatchObject([{ role: 'assistant', content: 'ab', subagentRunId: 'q' }])
  })

  it('is not suspended with a run that is interrupted after it has completed', () => {
    const events: ContextAnyEvent[] = [
      ...nested,
      { kind: 'task-status', status: 'completed', ...q },
      { kind: 'input-required', inputId: 'i', inputType: 'confirmation', prompt: '?', ...s },
      { kind: 'task-status', status: 'waiting-input', ...s },
    ]
    expect(spansOf(events).slice(3)).toEqual([
      'SUBAGENT_FINISHED q undefined',
      'SUBAGENT_FINISHED s suspended',
      'RUN_FINISHED',
    ])
  })

  it('that begins after the end of its parent belongs to the parent of that', () => {
    const events: ContextAnyEvent[] = [
      ...nested.slice(0, 3),
      { kind: 'task-status', status: 'failed', ...s },
      { kind: 'task-created', initiator: 'agent', ...q },
      { kind: 'task-complete', ...r },
    ]
    expect(spansOf(events)).toEqual([
      'RUN_STARTED',
      'SUBAGENT_STARTED s',
      'SUBAGENT_STARTED q',
      'SUBAGENT_FINISHED q undefined',
      'RUN_FINISHED',
    ])
  })
})

describe.each([false, true])('nested subtasks, with the extension %s', (extension) => {
  it('are written in an order that the client accepts', async () => {
    await fc.assert(
      fc.asyncProperty(legalStreams({ focus: 'subtasks' }), async (events) => {
        expect(errorsOf(events)).toEqual([])
        const written = outputsOf(writer({ extension }), events)
        expect(orderErrorsOf(written)).toEqual([])
        expect((await pageOf(written)).errors).toEqual([])
        if (!extension) expect(errorsOf(outputsOf(closing(), written))).toEqual([])
      }),
      { numRuns: runs(150) },
    )
  })
})

it('a subtask that started in an earlier run is not reported as one that never did', () => {
  const events: ContextAnyEvent[] = [
    ...nested.slice(0, 3),
    { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?', ...r },
    { kind: 'task-status', status: 'waiting-input', ...r },
    { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u', ...r },
    { kind: 'task-status', status: 'working', ...r },
    { kind: 'content-complete', content: 'a', ...r },
    { kind: 'task-status', status: 'completed', ...r },
    { kind: 'task-complete', ...r },
  ]
  const codes = resultsOf(writer(), events).flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
  expect(spansOf(events)).toContain('SUBAGENT_FINISHED s suspended')
  expect(codes).not.toContain('dropped:subtask-created')
})
