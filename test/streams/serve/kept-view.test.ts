// What the view behind snapshots forgets, and when it is given up.
import type { ContextAnyEvent } from 'agentwire'
import { createStream, emptyView, foldEvents, type Stream } from 'agentwire/streams'
import { describe, expect, it } from 'vitest'
import { boundedView } from '../../../src/streams/serve/kept-view.ts'
import { delta, timestamp } from '../log/support.ts'

const envelope = (taskId: string) => ({ contextId: 'ctx-1', taskId, timestamp })

/** A task that writes a text of 1000 characters and an artifact, perhaps with a subtask, and perhaps ends. */
function turn(taskId: string, { ends = true, subtask = false } = {}): ContextAnyEvent[] {
  const events: object[] = [
    { kind: 'task-created', ...envelope(taskId), initiator: 'user' },
    { kind: 'content-complete', ...envelope(taskId), content: 'x'.repeat(1000), segment: 0 },
    {
      kind: 'file-write',
      ...envelope(taskId),
      artifactId: `file-${taskId}`,
      name: 'a',
      data: 'b',
      complete: true,
    },
  ]
  if (subtask) {
    const child = { ...envelope(`${taskId}-child`), parentTaskId: taskId }
    events.push({ kind: 'subtask-created', ...envelope(taskId), subtaskId: child.taskId, prompt: 'Go' })
    events.push({ kind: 'task-created', ...child, initiator: 'agent' })
    events.push({ kind: 'task-status', ...child, status: 'completed' })
  }
  if (ends) events.push({ kind: 'task-status', ...envelope(taskId), status: 'completed' })
  return events as ContextAnyEvent[]
}

const ids = (view: ReturnType<typeof boundedView>) =>
  view &&
  [...view.tasks, ...view.artifacts].map((item) => ('artifactId' in item ? item.artifactId : item.taskId))

describe('boundedView', () => {
  const events = [...turn('a', { subtask: true }), ...turn('b', { ends: false }), ...turn('c'), ...turn('d')]
  const view = foldEvents(emptyView, events)
  const size = JSON.stringify([...view.tasks, ...view.artifacts]).length

  it('is the view itself within the limit', () => {
    expect(boundedView(view, size)).toBe(view)
  })
  it('forgets ended root tasks, oldest first, with subtasks and artifacts, down to half of the limit', () => {
    expect(ids(boundedView(view, size - 100))).toEqual(['b', 'd', 'file-b', 'file-d'])
  })
  it('keeps what has not ended, even if it is more than half', () => {
    expect(ids(boundedView(view, 2000))).toEqual(['b', 'file-b'])
  })
  it('is undefined if what has not ended is larger than the limit', () => {
    expect(boundedView(view, 1000)).toBeUndefined()
  })
  it('keeps a root task while a subtask is open', () => {
    const open = {
      kind: 'task-status',
      ...envelope('a-child'),
      parentTaskId: 'a',
      status: 'working',
    } as const
    const child = foldEvents(emptyView, [...turn('a'), open, ...turn('b')])
    expect(ids(boundedView(child, 2800))).toEqual(['a', 'a-child', 'file-a'])
  })
})

async function fill(limits: object, events: Iterable<ContextAnyEvent>): Promise<Stream> {
  const stream = createStream({ stream: 's', epoch: 'e', limits, now: () => 0 })
  for (const event of events) await stream.append(event)
  return stream
}

describe('a stream', () => {
  it('keeps a view of a bounded number of its tasks, the latest of them', async () => {
    const turns = Array.from({ length: 200 }, (_, n) => turn(`task-${n}`))
    const stream = await fill({ maxBytes: 20_000 }, turns.flat())
    const { tasks } = await stream.view()
    expect(tasks.length).toBeGreaterThan(5)
    expect(tasks.length).toBeLessThan(40)
    expect(tasks.at(-1)?.taskId).toBe('task-199')
    const snapshot = await stream.log.snapshot?.()
    expect(foldEvents(emptyView, snapshot?.events ?? []).tasks.length).toBe(tasks.length)
  })

  it('has no snapshot once an open task is larger than the limit', async () => {
    const deltas = Array.from({ length: 60 }, (_, n) => ({ ...delta(n), delta: 'x'.repeat(1000) }))
    const stream = await fill({ maxBytes: 20_000 }, deltas)
    expect(await stream.log.snapshot?.()).toBeUndefined()
    expect(await stream.log.read()).toMatchObject({ type: 'reset' })
    const { body } = stream.respond('', { viewer: { audience: 'user' } })
    const { value } = await (body as ReadableStream<Uint8Array>).getReader().read()
    expect(new TextDecoder().decode(value)).toMatch(/stream-reset\n.*\n(?!.*"events")data: /)
    expect(await stream.view()).toEqual(emptyView)
  })
})
