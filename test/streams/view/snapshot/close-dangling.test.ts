// Tests that closeDangling completes every cut-off stream to a legal one, and leaves nothing open.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContextAnyEvent, decodeEvent } from '../../../../src/index.ts'
import { closeDangling, emptyView, project, type View } from '../../../../src/streams/index.ts'
import { runs } from '../../../support/runs.ts'
import { approvalStreams, errorsIn, fold, soundStreams, strayStreams } from '../../verify/support.ts'

const at = '2026-01-31T11:00:00Z'
const context = { contextId: 'ctx', taskId: 'task' }
const timestamp = '2026-01-31T10:00:00Z'

const openStatuses = ['open', 'writing', 'running']

/** The tasks of a view that have not ended or have open parts. */
function openIn(view: View): unknown[] {
  return view.tasks.filter(({ status, parts }) => {
    const isEnded = status === 'completed' || status === 'failed' || status === 'canceled'
    return !isEnded || parts.some((part) => openStatuses.includes(part.status ?? ''))
  })
}

describe('laws', () => {
  it('completes every prefix of a legal stream to a legal stream with nothing open', () => {
    const cut = fc.tuple(
      fc.oneof(soundStreams({ maxChoices: 80 }), approvalStreams),
      fc.nat(),
      fc.constantFrom('failed', 'canceled'),
    )
    fc.assert(
      fc.property(cut, ([events, n, status]) => {
        const prefix = events.slice(0, n % (events.length + 1))
        const view = fold(prefix)
        const rest = closeDangling(view, {
          reason: 'The connection is gone.',
          at,
          status: status as 'failed',
        })
        expect(errorsIn([...prefix, ...rest])).toEqual([])
        expect(openIn(fold(rest, view))).toEqual([])
        expect(closeDangling(fold(rest, view), { reason: 'again', at })).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('returns valid events for any stream, and leaves nothing open', () => {
    fc.assert(
      fc.property(strayStreams, (events) => {
        const view = fold(events)
        const rest = closeDangling(view, { reason: 'gone', at })
        for (const event of rest) expect(decodeEvent(event).status).toBe('known')
        expect(closeDangling(fold(rest, view), { reason: 'again', at })).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('the events', () => {
  it('are none for an empty view', () => {
    expect(closeDangling(emptyView, { reason: 'gone', at })).toEqual([])
  })

  it('complete a text, end a thought as incomplete, fail a tool, close requests, and then end the task', () => {
    const labels = { thoughtType: 'planning', verbosity: 'brief' } as const
    const events: ContextAnyEvent[] = [
      { kind: 'task-created', ...context, initiator: 'user', timestamp },
      { kind: 'content-delta', ...context, delta: 'Hel', index: 0, timestamp },
      { kind: 'thought-delta', ...context, thoughtId: 'th', ...labels, delta: 'If', index: 0, timestamp },
      { kind: 'tool-start', ...context, toolCallId: 'c', toolName: 'search', arguments: {}, timestamp },
      { kind: 'input-required', ...context, inputId: 'i', inputType: 'custom', prompt: '?', timestamp },
      { kind: 'auth-required', ...context, authId: 'a', authType: 'api-key', prompt: '?', timestamp },
    ]
    const reason = 'gone'
    expect(closeDangling(fold(events), { reason, at })).toEqual([
      { kind: 'content-complete', ...context, content: 'Hel', timestamp: at },
      {
        kind: 'thought-stream',
        ...context,
        thoughtId: 'th',
        ...labels,
        metadata: { complete: false },
        content: 'If',
        index: 0,
        timestamp: at,
      },
      {
        kind: 'tool-complete',
        ...context,
        toolCallId: 'c',
        toolName: 'search',
        success: false,
        error: reason,
        timestamp: at,
      },
      { kind: 'input-canceled', ...context, inputId: 'i', reason: 'task-ended', timestamp: at },
      { kind: 'auth-failed', ...context, authId: 'a', reason: 'failed', message: reason, timestamp: at },
      { kind: 'task-status', ...context, status: 'failed', timestamp: at, metadata: { reason } },
    ])
  })

  it('show the text of a thought only to those who were shown all its deltas', () => {
    const labels = fc.record(
      {
        thoughtType: fc.constantFrom('planning', 'reasoning'),
        verbosity: fc.constantFrom('brief', 'normal', 'detailed'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(labels, { minLength: 1, maxLength: 3 }), (labelled) => {
        const deltas = labelled.map(
          (labels, index) =>
            ({
              kind: 'thought-delta',
              ...context,
              thoughtId: 'th',
              delta: 'x',
              ...labels,
              index,
              timestamp,
            }) as ContextAnyEvent,
        )
        const end = closeDangling(fold(deltas), { reason: 'gone', at }).find(
          ({ kind }) => kind === 'thought-stream',
        )
        const isUniform = labelled.every((one) => JSON.stringify(one) === JSON.stringify(labelled[0]))
        for (const audience of ['user', 'coordinator', 'parent', 'observer', 'operator'] as const) {
          const areShown = deltas.every((one) => project(one, { audience }) !== undefined)
          const isShown = end !== undefined && project(end, { audience }) !== undefined
          const { thoughtType, verbosity } = (isUniform && labelled[0]) || {}
          const areLabelled = thoughtType !== undefined && verbosity !== undefined
          if (isShown || areLabelled) expect(isShown).toBe(areShown)
        }
      }),
    )
  })

  it('need a timestamp', () => {
    for (const at of ['', 'now', '2026-03-14T09:26:53']) {
      expect(() => closeDangling(emptyView, { reason: 'r', at })).toThrow(
        new TypeError(`"at" must be an RFC 3339 timestamp with a time zone, got ${JSON.stringify(at)}.`),
      )
    }
  })

  it.each<[options: unknown, message: string]>([
    [null, '"options" must be an object, got null.'],
    [{ at }, '"reason" must be a string, got undefined.'],
    [{ at, reason: 5 }, '"reason" must be a string, got 5.'],
    [{ at, reason: 'r', status: 'completed' }, '"status" must be "failed" or "canceled", got "completed".'],
  ])('need valid options, unlike %j', (options, message) => {
    expect(() => closeDangling(emptyView, options as never)).toThrow(new TypeError(message))
  })

  it('are never earlier than the latest event of their task', () => {
    const created: ContextAnyEvent = { kind: 'task-created', ...context, initiator: 'user', timestamp }
    const early = '2026-01-31T09:00:00Z'
    const [status] = closeDangling(fold([created]), { reason: 'gone', at: early })
    expect(status?.timestamp).toBe(timestamp)
  })

  it('end subtasks before their parents, in whatever order they came, even if parents form a circle', () => {
    const task = (taskId: string, parentTaskId?: string): ContextAnyEvent => ({
      kind: 'task-created',
      contextId: 'ctx',
      taskId,
      ...(parentTaskId !== undefined && { parentTaskId }),
      initiator: 'agent',
      timestamp,
    })
    const chain = Array.from({ length: 3000 }, (_, n) => task(`t${n}`, n > 0 ? `t${n - 1}` : undefined))
    for (const events of [chain, chain.toReversed()]) {
      const ended = closeDangling(fold(events), { reason: 'gone', at }).filter(
        ({ kind }) => kind === 'task-status',
      )
      expect(ended.map(({ taskId }) => taskId)).toEqual(chain.map(({ taskId }) => taskId).reverse())
    }
    const circle = fold([task('a', 'b'), task('b', 'c'), task('c', 'a'), task('d', 'a')])
    const ended = closeDangling(circle, { reason: 'gone', at }).filter(({ kind }) => kind === 'task-status')
    expect(ended.map(({ taskId }) => taskId).sort()).toEqual(['a', 'b', 'c', 'd'])
    const place = (id: string) => ended.findIndex(({ taskId }) => taskId === id)
    expect(place('d')).toBeLessThan(place('a'))
  })

  it('announce a subtask that was only created, and create one that was only announced', () => {
    const sub = { contextId: 'ctx', taskId: 'sub', parentTaskId: 'task' }
    const root: ContextAnyEvent = { kind: 'task-created', ...context, initiator: 'user', timestamp }
    const half: ContextAnyEvent[] = [root, { kind: 'task-created', ...sub, initiator: 'agent', timestamp }]
    const other: ContextAnyEvent[] = [
      root,
      { kind: 'subtask-created', ...context, subtaskId: 'sub', prompt: 'p', timestamp },
    ]
    for (const events of [half, other]) {
      const rest = closeDangling(fold(events), { reason: 'gone', at })
      expect(errorsIn([...events, ...rest])).toEqual([])
    }
  })
})
