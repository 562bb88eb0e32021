// The view behind snapshots is bounded, and given up if it cannot be.
import type { ContextAnyEvent, Diagnostic } from 'turnstream'
import {
  type Batch,
  createStream,
  emptyView,
  foldEvents,
  type Reset,
  readFilter,
  type Stream,
} from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import { delta } from '../log/support.ts'
import { restored } from '../view/restored.ts'
import { envelope, turn } from '../view/turns.ts'

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

  it('forgets an open task that is larger than the limit, and no other', async () => {
    const deltas = Array.from({ length: 60 }, (_, n) => ({ ...delta(n), delta: 'x'.repeat(1000) }))
    const stream = await fill({ maxBytes: 20_000 }, deltas)
    expect(await stream.log.snapshot?.()).toHaveProperty('forgotten')
    for (const event of turn('later')) await stream.append(event)
    expect((await stream.view()).tasks.map(({ taskId }) => taskId)).toContain('later')
    expect(JSON.stringify(await stream.log.snapshot?.()).length).toBeLessThan(40_000)
  })

  it('forgets an artifact that small changes have made larger than the limit', async () => {
    const data = { kind: 'data-write', artifactId: 'a', data: { text: 'x'.repeat(1000) }, version: 1 }
    const change = (version: number) => ({
      kind: 'artifact-delta',
      artifactId: 'a',
      baseVersion: version,
      version: version + 1,
      change: {
        type: 'json-patch',
        patch: Array.from({ length: 60 }, (_, n) => ({
          op: 'copy',
          from: '/text',
          path: `/copy-${version}-${n}`,
        })),
      },
    })
    const events = [data, change(1), change(2), change(3)].map((event) => ({ ...envelope('a'), ...event }))
    const stream = await fill({ maxBytes: 120_000, maxEvents: 1 }, events as ContextAnyEvent[])
    expect(JSON.stringify(events).length).toBeLessThan(20_000)
    expect(JSON.stringify(await stream.log.snapshot?.()).length).toBeLessThan(120_000)
  })

  it('reports each task once that several audiences lose', async () => {
    const lost: unknown[] = []
    const limits = { maxBytes: 20_000, maxEvents: 1 }
    const onDiagnostic = ({ detail }: Diagnostic): void => {
      lost.push(...(detail as { tasks: { taskId: string }[] }).tasks.map(({ taskId }) => taskId))
    }
    const stream = createStream({ stream: 's', epoch: 'e', limits, now: () => 0, onDiagnostic })
    const label = { metadata: { audience: ['operator'] } }
    const secret = {
      ...envelope('task-0'),
      kind: 'custom',
      name: 'acme.secret',
      data: 'x'.repeat(5000),
      ...label,
    }
    await stream.append(secret as ContextAnyEvent)
    for (const event of Array.from({ length: 100 }, (_, n) => turn(`task-${n}`)).flat()) {
      await stream.append(event)
    }
    expect(lost.length).toBeGreaterThan(20)
    expect(new Set(lost).size).toBe(lost.length)
    const user = await stream.log.snapshot?.(readFilter({ audience: 'user' }))
    expect(user?.forgotten?.tasks.length).toBe(lost.length)
  })

  it('is empty before its first event', async () => {
    expect(await (await fill({}, [])).view()).toEqual(emptyView)
  })

  it.each([
    ['their JSON', delta(0), JSON.stringify(delta(0)).length],
    [
      '64 KiB for each change of an artifact',
      {
        ...envelope('a'),
        kind: 'artifact-delta',
        artifactId: 'a',
        baseVersion: 1,
        version: 2,
        change: { type: 'json-patch', patch: [] },
      } as unknown as ContextAnyEvent,
      65_536,
    ],
  ])('measures its view after events of more than half of `maxBytes`: %s', async (_, event, bytes) => {
    const stream = await fill({ maxBytes: bytes * 8, maxEvents: 1 }, [])
    const measured = vi.spyOn(JSON, 'stringify')
    const at: number[] = []
    try {
      for (let n = 0; n < 13; n++) {
        measured.mockClear()
        await stream.append(event)
        const isMeasured = measured.mock.calls.some(([value]) => Object.hasOwn(Object(value), 'parts'))
        if (isMeasured) at.push(n)
      }
    } finally {
      measured.mockRestore()
    }
    // The first event is evicted by the second.
    expect(at).toEqual([5, 10])
  })

  it('measures its view no more than twice for each `maxBytes` of events', async () => {
    const maxBytes = 100_000
    const events = Array.from({ length: 400 }, (_, n) => ({ ...delta(n), delta: 'x'.repeat(800) }))
    const measured = vi.spyOn(JSON, 'stringify')
    try {
      const tasks = events.map((event, n) => ({ ...event, taskId: `task-${n % 40}` }))
      await fill({ maxBytes, maxEvents: 1 }, tasks)
      const views = measured.mock.calls.filter(([value]) => Object.hasOwn(Object(value), 'parts'))
      const size = JSON.stringify(events).length
      expect(views.length).toBeGreaterThan(40)
      expect(views.length).toBeLessThanOrEqual(40 * Math.ceil((2 * size) / maxBytes))
    } finally {
      measured.mockRestore()
    }
  })
})

describe('the view of a stream over a log', () => {
  const events = turn('a', { subtask: true }).concat(
    Array.from({ length: 30 }, (_, n) => ({ ...delta(n), taskId: 'b', delta: 'x'.repeat(9000) })),
  )

  it.each([
    ['', {}],
    [' after a reset', { maxEvents: 3 }],
  ])('is the fold of all its events%s, while it is open and once it is closed', async (_, limits) => {
    const { log } = await fill(limits, events)
    const over = createStream({ log })
    const expected = restored(foldEvents(emptyView, events), true)
    expect(restored(await over.view(), true)).toEqual(expected)
    await log.close()
    expect(restored(await over.view(), true)).toEqual(expected)
  })

  it('is that of the snapshot, if events are evicted while it is read', async () => {
    const { log } = await fill({}, [])
    const source = { stream: 's', epoch: 'e' } as const
    const batch = (after: number, through: number, list: ContextAnyEvent[]): Batch => ({
      type: 'batch',
      ...source,
      after,
      through,
      events: list,
      seqs: list.map((_, n) => after + 1 + n),
    })
    const reset: Reset = { type: 'reset', reason: 'evicted', ...source, through: 8, earliest: 5 }
    const parts = [batch(-1, 0, [delta(0)]), reset, batch(6, 7, [delta(2)]), batch(7, 7, [])]
    const asked: unknown[] = []
    const view = await createStream({
      log: {
        ...log,
        async read(cursor) {
          asked.push(cursor)
          return parts.shift() as Batch | Reset
        },
        snapshot: async () => ({ epoch: 'e', through: 6, events: [delta(1)] }),
      },
    }).view()
    expect(view).toEqual(foldEvents(emptyView, [delta(1), delta(2)]))
    expect(asked).toEqual([undefined, ...[0, 6, 7].map((seq) => ({ ...source, seq }))])
  })

  it('is empty if events are lost of which the log has no snapshot', async () => {
    const { log } = await fill({ maxEvents: 3 }, events)
    const { append, read, close } = log
    expect(await createStream({ log: { append, read, close } }).view()).toEqual(emptyView)
  })
})
