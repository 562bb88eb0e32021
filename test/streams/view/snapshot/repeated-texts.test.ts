// Proves that a snapshot keeps each text of a task whose texts repeat each other.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { emptyView, foldEvents, snapshotEvents } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { runs } from '../../../support/runs.ts'

/** A text: how many milliseconds it takes, and whether it is streamed. */
const text = fc.record({ content: fc.constantFrom('', 'a'), ms: fc.nat(1), isStreamed: fc.boolean() })

it('folds to the same texts', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      let now = Date.parse('2026-01-31T10:30:00Z')
      const at = (fields: object): ContextAnyEvent =>
        ({
          contextId: 'c',
          taskId: 't',
          timestamp: new Date(now).toISOString(),
          ...fields,
        }) as ContextAnyEvent
      const events = texts.flatMap(({ content, ms, isStreamed }) => {
        const deltas = isStreamed ? [at({ kind: 'content-delta', delta: content, index: 0 })] : []
        now += ms
        return [...deltas, at({ kind: 'content-complete', content })]
      })
      const view = foldEvents(emptyView, [at({ kind: 'task-created', initiator: 'agent' }), ...events])
      const { parts } = foldEvents(emptyView, snapshotEvents(view)).tasks[0] ?? {}
      expect(parts).toEqual(view.tasks[0]?.parts)
    }),
    { numRuns: runs(500) },
  )
})
