// What a view forgets to stay within a limit.

import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { emptyView, foldEvents, snapshotEvents } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { boundedView } from '../../../src/streams/view/bounded-view.ts'
import { runs } from '../../support/runs.ts'
import { envelope, turn } from './turns.ts'

const ids = (bounded: ReturnType<typeof boundedView>) =>
  [...bounded.view.tasks, ...bounded.view.artifacts].map((item) =>
    'artifactId' in item ? item.artifactId : item.taskId,
  )

describe('boundedView', () => {
  const events = [...turn('a', { subtask: true }), ...turn('b', { ends: false }), ...turn('c'), ...turn('d')]
  const view = foldEvents(emptyView, events)
  const size = JSON.stringify([...view.tasks, ...view.artifacts]).length

  it('is the view itself within the limit', () => {
    expect(boundedView(view, size)?.view).toBe(view)
  })
  it('forgets ended root tasks, oldest first, with subtasks and artifacts, down to half of the limit', () => {
    expect(ids(boundedView(view, size - 100))).toEqual(['b', 'd', 'file-b', 'file-d'])
  })
  it('keeps what has not ended, even if it is more than half', () => {
    expect(ids(boundedView(view, 2000))).toEqual(['b', 'file-b'])
  })
  it('forgets what has not ended if that is larger than the limit', () => {
    expect(ids(boundedView(view, 1000))).toEqual([])
  })
  it('forgets what alone is larger than the limit before all others, whether it has ended or not', () => {
    const large = { kind: 'content-complete', ...envelope('large'), content: 'x'.repeat(9000) } as const
    const all = foldEvents(emptyView, [...turn('a'), ...turn('large', { ends: false }), large, ...turn('b')])
    expect(ids(boundedView(all, 8000))).toEqual(['a', 'b', 'file-a', 'file-b'])
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

it('boundedView keeps an artifact that a kept task has a part for, whoever wrote to it last', () => {
  const shared = (taskId: string, text: string) =>
    ({
      ...{ kind: 'file-write', ...envelope(taskId), artifactId: 'shared', data: text },
      ...{ index: 0, complete: true },
    }) as const
  const [begin, ...end] = turn('a')
  if (begin === undefined) throw new Error('No turn.')
  const live = turn('b', { ends: false })
  const view = foldEvents(emptyView, [...live, shared('b', 'x'), begin, shared('a', 'y'), ...end])
  const size = JSON.stringify([...view.tasks, ...view.artifacts]).length
  expect(ids(boundedView(view, size - 100))).toEqual(['b', 'file-b', 'shared'])
})

const parts = fc.array(
  fc.oneof(
    fc.nat().map((data) => ({ kind: 'custom', name: 'a.b', data })),
    fc.record({ kind: fc.constant('content-delta'), delta: fc.string(), index: fc.constant(0) }),
    fc.nat(40).map((n) => ({
      kind: 'tool-progress',
      toolCallId: 'c',
      progress: 0,
      metadata: { stream: `s${n}`, chunk: '' },
    })),
    fc.nat(9).map((n) => ({ kind: 'data-write', artifactId: `d${n}`, data: {} })),
  ),
  { maxLength: 60 },
)
const id = fc.tuple(fc.constantFrom('a', '\u0001'), fc.nat(4000)).map(([text, n]) => text.repeat(n + 1))

it('boundedView bounds the snapshot, whatever the length of ids', () => {
  fc.assert(
    fc.property(parts, id, id, fc.nat(100_000), (list, taskId, parentTaskId, limit) => {
      const created = { kind: 'task-created', initiator: 'agent', parentTaskId }
      const events = [created, ...list].map((event) => ({ ...envelope(taskId), ...event }))
      const view = foldEvents(emptyView, events as unknown as ContextAnyEvent[])
      const bounded = boundedView(view, limit)
      expect(JSON.stringify(snapshotEvents(bounded.view)).length).toBeLessThanOrEqual(
        Math.max('[]'.length, 12 * limit),
      )
    }),
    { numRuns: runs(200) },
  )
})

/** Root tasks of different sizes, and how much each takes up in the view, with all that belongs to it. */
const trees = fc
  .array(fc.record({ ends: fc.boolean(), subtask: fc.boolean(), length: fc.nat(300) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((turns) => {
    const events = turns.flatMap(({ length, ...options }, n) =>
      turn(`t${n}`, options).map((event) =>
        event.kind === 'content-complete' ? { ...event, content: 'x'.repeat(length) } : event,
      ),
    )
    const view = foldEvents(emptyView, events)
    const roots = turns.map(({ ends }, n) => {
      const items = [...view.tasks, ...view.artifacts].filter(({ taskId }) => taskId.startsWith(`t${n}`))
      return { ends, size: items.reduce((sum, item) => sum + JSON.stringify(item).length, 0), name: `t${n}` }
    })
    return { view, roots }
  })

it('boundedView forgets as few root tasks as needed, at any limit', () => {
  fc.assert(
    fc.property(trees, fc.nat(20), fc.integer({ min: -1, max: 1 }), ({ view, roots }, n, off) => {
      const total = roots.reduce((sum, { size }) => sum + size, 0)
      // The size after each of the roots that may be forgotten, from none to all.
      const rests = [total]
      for (const { ends, size } of roots) if (ends) rests.push((rests.at(-1) ?? 0) - size)
      const limits = [total, rests.at(-1) ?? 0, ...rests.map((rest) => rest * 2)].map((size) => size + off)
      const maxBytes = limits[n % limits.length] ?? total
      const bounded = boundedView(view, maxBytes)
      if (total <= maxBytes) {
        expect(bounded).toEqual({ view, cut: [] })
        return
      }
      const sum = (list: typeof roots): number => list.reduce((all, { size }) => all + size, 0)
      let kept = roots.filter(({ size }) => size <= maxBytes)
      if (sum(kept) > maxBytes)
        for (const root of roots)
          if (root.ends && sum(kept) * 2 > maxBytes) kept = kept.filter((each) => each !== root)
      while (kept.length > 0 && sum(kept) > maxBytes) {
        const longest = kept.reduce((a, b) => (b.size > a.size ? b : a))
        kept = kept.filter((each) => each !== longest)
      }
      const isKept = ({ taskId }: { readonly taskId: string }): boolean =>
        kept.some(({ name }) => taskId.startsWith(name))
      const { tasks, artifacts } = view
      expect(bounded.view).toEqual({
        ...view,
        tasks: tasks.filter(isKept),
        artifacts: artifacts.filter(isKept),
      })
    }),
    { numRuns: runs(200) },
  )
})
