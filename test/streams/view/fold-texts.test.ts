// Tests that texts with different ids do not affect each other.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent, EventOf } from '../../../src/index.ts'
import { closeDangling, compact, partsOf, type TextPart, tasksOf } from '../../../src/streams/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { errorsIn, fold } from '../verify/support.ts'

const ids = [undefined, 'text-1', 'text-2'] as const

function isContent(
  event: ContextAnyEvent,
): event is ContextAnyEvent & EventOf<'content-delta' | 'content-complete'> {
  return event.kind === 'content-delta' || event.kind === 'content-complete'
}

/** The parts of one text, by task. */
function textsOf(events: readonly ContextAnyEvent[], id: string | undefined): Record<string, TextPart[]> {
  const entries = tasksOf(fold(events)).map((task) => {
    const texts = partsOf(task).flatMap((part) => (part.type === 'text' ? [part] : []))
    return [task.taskId, texts.filter(({ contentId }) => contentId === id)] as const
  })
  return Object.fromEntries(entries)
}

describe('texts with different ids', () => {
  it('each fold as if there were no others', () => {
    fc.assert(
      fc.property(legalStreams({ ended: false, maxChoices: 80 }), fc.constantFrom(...ids), (events, id) => {
        const alone = events.filter((event) => !isContent(event) || event.contentId === id)
        expect(textsOf(events, id)).toEqual(textsOf(alone, id))
        expect(textsOf(compact(events), id)).toEqual(textsOf(alone, id))
      }),
      { numRuns: runs(300) },
    )
  })

  it('are in the order in which they began', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false, maxChoices: 80 }), (events) => {
        const open = new Set<string | undefined>()
        const begun = events.filter(isContent).filter(({ kind, contentId }) => {
          const isNew = !open.has(contentId)
          if (kind === 'content-delta') open.add(contentId)
          else open.delete(contentId)
          return isNew
        })
        const [task] = tasksOf(fold(events))
        const texts = task && partsOf(task).filter((part) => part.type === 'text')
        expect(texts?.map(({ contentId, at }) => [contentId, at])).toEqual(
          begun.map(({ contentId, timestamp }) => [contentId, timestamp]),
        )
      }),
      { numRuns: runs(300) },
    )
  })

  it('are all completed by closeDangling', () => {
    fc.assert(
      fc.property(legalStreams({ ended: false, subtasks: false, maxChoices: 80 }), (events) => {
        const closing = closeDangling(fold(events), { reason: 'cut', at: '2026-02-01T00:00:00Z' })
        expect(errorsIn([...events, ...closing])).toEqual([])
        const [task] = tasksOf(fold([...events, ...closing]))
        const statuses = task && partsOf(task).flatMap((part) => (part.type === 'text' ? [part.status] : []))
        if (closing.length > 0) expect(statuses?.filter((status) => status !== 'complete')).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('keep their usage and sources', () => {
    const base = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }
    const metadata = { usage: [{ inputTokens: 3 }], sources: [{ url: 'https://tides.example' }] }
    const view = fold([
      { kind: 'content-delta', ...base, contentId: 'a', delta: 'Hi', index: 0 },
      { kind: 'content-complete', ...base, contentId: 'a', content: 'Hi', metadata },
    ])
    const [task] = tasksOf(view)
    expect(task && partsOf(task)).toMatchObject([{ contentId: 'a', text: 'Hi', metadata }])
  })
})
