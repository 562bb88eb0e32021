// Pages of a history, folded one below the other, are the view.
import fc from 'fast-check'
import {
  createViewStore,
  emptyView,
  foldEvents,
  type HistoryPage,
  historyPage,
  type TaskView,
  type View,
} from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import type { HistoryPageOptions } from '../../../../src/streams/view/snapshot/history-page.ts'
import { runs } from '../../../support/runs.ts'
import { soundStreams } from '../../verify/support.ts'
import { restored } from '../restored.ts'
import { turn } from '../turns.ts'

/** Conversations of several turns, one after the other, which write to the same artifacts. */
const views: fc.Arbitrary<View> = fc
  .array(soundStreams({ ended: true }), { minLength: 1, maxLength: 4 })
  .map((streams) =>
    streams.flatMap((events, n) => {
      const text = JSON.stringify(events).replaceAll(/"(taskId|parentTaskId|subtaskId)":"/g, `"$1":"${n}-`)
      return JSON.parse(text) as typeof events
    }),
  )
  .map((events) => foldEvents(emptyView, events))

const optionsOf = fc.record(
  { limit: fc.integer({ min: 1, max: 3 }), maxBytes: fc.integer({ min: 1, max: 20_000 }) },
  { requiredKeys: [] },
)

function pagesOf(view: View, options: HistoryPageOptions): HistoryPage[] {
  const pages = [historyPage(view, options)]
  for (let older = pages[0]?.older; older !== undefined; older = pages.at(-1)?.older) {
    pages.push(historyPage(view, { ...options, before: older }))
  }
  return pages
}

const roots = (view: View): TaskView[] => view.tasks.filter((task) => task.parentTaskId === null)

describe('historyPage', () => {
  it('gives pages that fold to the view, each within its limits', () => {
    fc.assert(
      fc.property(views, optionsOf, (view, options) => {
        const store = createViewStore()
        for (const page of pagesOf(view, options)) {
          const own = foldEvents(emptyView, page.events)
          expect(own.tasks.length).toBeGreaterThan(0)
          expect(roots(own).length).toBeLessThanOrEqual(options.limit ?? 20)
          const size = Buffer.byteLength(JSON.stringify(page.events))
          if (roots(own).length > 1) expect(size).toBeLessThanOrEqual(options.maxBytes ?? 2 ** 20)
          // The tasks of one conversation have ids of their own.
          if (page.older !== undefined) expect(own.tasks.map(({ taskId }) => taskId)).toContain(page.older)
          store.prepend(page)
        }
        expect(restored(store.getSnapshot(), true)).toEqual(restored(view, true))
      }),
      { numRuns: runs(100) },
    )
  })

  it('begins with the newest task, and names what is before it', () => {
    const view = foldEvents(emptyView, [turn('a'), turn('b'), turn('c')].flat())
    const page = historyPage(view, { limit: 2 })
    expect(foldEvents(emptyView, page.events).tasks.map(({ taskId }) => taskId)).toEqual(['b', 'c'])
    const last = historyPage(view, { limit: 2, before: page.older ?? '' })
    expect(foldEvents(emptyView, last.events).tasks.map(({ taskId }) => taskId)).toEqual(['a'])
    expect(last).not.toHaveProperty('older')
  })

  it('is empty before a task that the view does not have', () => {
    const view = foldEvents(emptyView, turn('a'))
    for (const before of ['gone', '5:ctx-11:b', '__proto__']) {
      expect(historyPage(view, { before })).toEqual({ events: [] })
    }
    expect(historyPage(emptyView)).toEqual({ events: [] })
  })

  it.each([
    [{ limit: 0 }, '"limit" must be an integer >= 1, got 0'],
    [{ maxBytes: 0.5 }, '"maxBytes" must be an integer >= 1, got 0.5'],
    [{ before: '' }, '"before" must be'],
    [{ page: 1 }, 'got "page"'],
  ])('refuses %j', (options, message) => {
    expect(() => historyPage(emptyView, options as HistoryPageOptions)).toThrow(message)
  })
})

describe('prepend', () => {
  it('calls the listeners, and keeps what the view has of the same task', () => {
    const store = createViewStore(foldEvents(emptyView, turn('b')))
    const listener = vi.fn()
    store.subscribe(listener)
    store.prepend({ events: [...turn('a'), ...turn('b').slice(0, 1)] })
    expect(listener).toHaveBeenCalledOnce()
    expect(store.getSnapshot().tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
      ['a', 'completed'],
      ['b', 'completed'],
    ])
  })
})
