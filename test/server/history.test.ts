// What a stream gives of its history: pages of what a viewer may see.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { memoryStore } from 'turnstream/server'
import { createViewStore, emptyView, foldEvents, type Viewer } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { turn } from '../streams/view/turns.ts'
import { silentSteps } from '../support/hidden-events.ts'
import { runs } from '../support/runs.ts'

async function conversation() {
  const store = memoryStore()
  const stream = await store.open('context/ctx-1')
  for (const id of ['a', 'b', 'c']) for (const event of turn(id)) await stream.append(event)
  return stream
}

describe('history', () => {
  it('has all tasks, page by page, as the view of the same viewer', async () => {
    const stream = await conversation()
    const viewer = { audience: 'user' } as const
    const store = createViewStore()
    let page = await stream.history({ viewer, limit: 1 })
    store.prepend(page)
    expect(store.getSnapshot().tasks.map(({ taskId }) => taskId)).toEqual(['c'])
    for (; page.older !== undefined; store.prepend(page)) {
      page = await stream.history({ viewer, limit: 1, before: page.older })
    }
    const ids = ({ tasks }: { tasks: readonly { taskId: string }[] }) => tasks.map(({ taskId }) => taskId)
    expect(ids(store.getSnapshot())).toEqual(ids(await stream.view(viewer)))
  })

  it('shows nothing that its viewer may not see', async () => {
    const stream = await conversation()
    const hidden = { ...turn('d')[0], metadata: { audience: ['operator'] } }
    await stream.append(hidden as never)
    const { events } = await stream.history({ viewer: { audience: 'user' } })
    expect(JSON.stringify(events)).not.toContain('"d"')
    const all = await stream.history({ viewer: 'all' })
    expect(foldEvents(emptyView, all.events).tasks.map(({ taskId }) => taskId)).toContain('d')
  })

  it('is the same whatever is hidden, page by page', async () => {
    const viewer: Viewer = { audience: 'user' }
    const limit = fc.integer({ min: 1, max: 3 })
    /** All pages, and the view. */
    const pagesOf = async (events: readonly ContextAnyEvent[], limit: number): Promise<unknown[]> => {
      const stream = await memoryStore().open('context/ctx-1')
      for (const event of events) await stream.append(event)
      const pages: unknown[] = [await stream.view(viewer)]
      let before: string | undefined
      do {
        const page = await stream.history({ viewer, limit, ...(before !== undefined && { before }) })
        pages.push(page)
        before = page.older
      } while (before !== undefined)
      return pages
    }
    await fc.assert(
      fc.asyncProperty(silentSteps, limit, async (steps, limit) => {
        const events = steps.flatMap(({ before, event, after }) => [...before, event, ...after])
        const bare = steps.map(({ event }) => event)
        expect(await pagesOf(events, limit)).toEqual(await pagesOf(bare, limit))
      }),
      { numRuns: runs(100) },
    )
  })

  it.each([
    [{}, /"viewer"/],
    [{ viewer: { audience: 'user' }, limit: 0 }, /"limit" must be an integer >= 1, got 0/],
    [{ viewer: { audience: 'user' }, page: 2 }, /got "page"/],
  ])('refuses %j', async (options, message) => {
    const stream = await conversation()
    await expect(stream.history(options as never)).rejects.toThrow(message)
  })
})
