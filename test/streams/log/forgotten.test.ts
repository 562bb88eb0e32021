// Proves that whatever retention cuts, a reader that begins learns of every task that it may see, and of no other.
import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { redisLog } from 'turnstream/redis'
import {
  batchDecoder,
  createStream,
  type EventLog,
  emptyView,
  encodeBatch,
  type Forgotten,
  foldEvents,
  follow,
  type ReadFilter,
  readFilter,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { visibleForgotten } from '../../../src/streams/log/visible-forgotten.ts'
import { forget } from '../../../src/streams/view/forget.ts'
import { createRedisInMemory } from '../../support/redis-in-memory.ts'
import { runs } from '../../support/runs.ts'
import { envelope, turn } from '../view/turns.ts'

/** Tasks of which some are hidden from users; a subtask is hidden with its parent. */
const isHidden = (taskId: string): boolean => taskId.includes('hidden')
const hide = (event: ContextAnyEvent): ContextAnyEvent =>
  isHidden(event.taskId) ? ({ ...event, metadata: { audience: ['observer'] } } as ContextAnyEvent) : event
const filter: ReadFilter = readFilter({ audience: 'user' })

const tasks = fc.array(
  fc.record({ hidden: fc.boolean(), ends: fc.constantFrom(true, true, true, false), subtask: fc.boolean() }),
  { minLength: 1, maxLength: 30 },
)

/** What a reader gets, as it gets it over SSE: the tasks of the events, and what is forgotten. */
async function readAll(log: EventLog): Promise<{ ids: Set<string>; forgotten?: Forgotten }> {
  const decoder = run(batchDecoder())
  let ids = new Set<string>()
  let forgotten: Forgotten | undefined
  for await (const part of follow(log, undefined, { filter })) {
    for (const got of decoder.push(encodeBatch(part, { viewer: 'all' }))) {
      if (got.type === 'reset') [ids, forgotten] = [new Set(), got.forgotten]
      for (const { taskId } of got.events ?? []) ids.add(taskId)
    }
  }
  return { ids, ...(forgotten && { forgotten }) }
}

const logs: readonly [name: string, open: (maxBytes: number) => Promise<EventLog>][] = [
  [
    'memory',
    async (maxBytes) => createStream({ stream: 's', epoch: 'e', limits: { maxBytes }, now: () => 0 }).log,
  ],
  [
    'Redis',
    (maxBytes) =>
      redisLog({ client: createRedisInMemory(), stream: 's', limits: { maxBytes }, now: () => 0 }),
  ],
]

describe.each(logs)('a log in %s', (_, open) => {
  it('names to a new reader every task that it may see and does not get, and no hidden one', async () => {
    await fc.assert(
      fc.asyncProperty(tasks, fc.integer({ min: 3000, max: 40_000 }), async (list, maxBytes) => {
        const log = await open(maxBytes)
        const events = list.flatMap(({ hidden, ...options }, n) =>
          turn(`${hidden ? 'hidden' : 'task'}-${n}`, options).map(hide),
        )
        for (const event of events) await log.append(event)
        await log.close()
        const snapshot = await log.snapshot?.()
        // Nothing is known of a stream whose open tasks exceed the limit.
        if (snapshot === undefined) return
        const { ids, forgotten } = await readAll(log)
        const visible = [...new Set(events.map(({ taskId }) => taskId))].filter((id) => !isHidden(id))
        const named = (forgotten?.tasks ?? []).map(({ taskId }) => taskId)
        expect(named.filter(isHidden)).toEqual([])
        expect((forgotten?.tasks ?? []).filter((task) => 'audience' in task)).toEqual([])
        expect(named.filter((id) => !visible.includes(id))).toEqual([])
        expect(visible.filter((id) => !ids.has(id) && !named.includes(id))).toEqual([])
      }),
      { numRuns: runs(60, 300) },
    )
  })
})

it('a stream reports what it forgets', async () => {
  const reported: unknown[] = []
  const onDiagnostic = (diagnostic: unknown): void => void reported.push(diagnostic)
  const limits = { maxBytes: 6000 }
  const stream = createStream({ stream: 's', epoch: 'e', limits, now: () => 0, onDiagnostic })
  for (let n = 0; n < 8; n++) for (const event of turn(`task-${n}`)) await stream.append(event)
  expect(reported[0]).toMatchObject({
    code: 'tasks-forgotten',
    detail: { tasks: expect.arrayContaining([expect.objectContaining({ taskId: 'task-0' })]) },
  })
})

describe('a list of forgotten tasks', () => {
  it('tells nothing of what the beginnings of tasks do not tell', () => {
    const begin = { ...envelope('task'), kind: 'task-created', initiator: 'user' } as ContextAnyEvent
    const hidden = { audience: ['observer'] }
    const later = { ...envelope('task'), timestamp: '2026-09-09T09:09:09Z', metadata: hidden }
    const status = { ...later, kind: 'task-status', status: 'completed' } as ContextAnyEvent
    const announced = {
      ...envelope('task'),
      kind: 'subtask-created',
      subtaskId: 'sub',
      prompt: 'Go',
      metadata: hidden,
    }
    const unknown = { ...later, taskId: 'other', kind: 'task-status', status: 'completed', metadata: {} }
    const events = [begin, announced, status, unknown] as ContextAnyEvent[]
    const cut = foldEvents(emptyView, events).tasks
    expect(cut.length).toBe(3)
    const { timestamp } = envelope('task')
    const task = { contextId: 'ctx-1', taskId: 'task', timestamp }
    expect(visibleForgotten(forget(undefined, cut), filter)).toEqual({ tasks: [task], before: timestamp })
  })

  it('is bounded, and says so', async () => {
    const limits = { maxBytes: 6000 }
    const stream = createStream({ stream: 's', epoch: 'e', limits, now: () => 0 })
    for (let n = 0; n < 2000; n++) for (const event of turn(`task-${n}`)) await stream.append(event)
    const { forgotten } = (await stream.log.snapshot?.()) ?? {}
    expect(forgotten?.more).toBe(true)
    expect(JSON.stringify(forgotten).length).toBeLessThan(2 ** 16 + 1000)
    // To a reader who may see none of them, there may have been others.
    const none = visibleForgotten<ContextAnyEvent>(forgotten, { id: 'none', apply: () => undefined })
    expect(none).toEqual({ tasks: [], before: '1970-01-01T00:00:00.000Z', more: true })
  })

  it('survives the wire with and without its optional fields', () => {
    const timestamp = '2026-01-01T00:00:00Z'
    const task = { contextId: 'c', taskId: 't', timestamp }
    const source = { stream: 's', epoch: 'e', through: 4, earliest: 5 }
    for (const forgotten of [
      { tasks: [task], before: timestamp },
      { tasks: [{ ...task, parentTaskId: 'p', path: ['a', 'b'] }], before: timestamp, more: true as const },
    ]) {
      const reset = { type: 'reset', reason: 'evicted', ...source, events: [], forgotten } as const
      expect(run(batchDecoder()).push(encodeBatch(reset, { viewer: 'all' }))).toEqual([reset])
    }
  })
})
