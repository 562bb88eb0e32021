/** Events and folds for the tests of views. */
import fc from 'fast-check'
import type { ContextAnyEvent } from '../../../src/index.ts'

export const context = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }

export const created: ContextAnyEvent = { kind: 'task-created', ...context, initiator: 'user' }

/** Events from their own fields; each gets the fields of {@link context}. */
export function events(...list: object[]): ContextAnyEvent[] {
  return list.map((event) => ({ ...context, ...event })) as unknown as ContextAnyEvent[]
}

/** A chunk of the file `f`. */
export function file(data: string, index: number, complete: boolean, more: object = {}): object {
  return { kind: 'file-write', artifactId: 'f', data, index, complete, ...more }
}

/** A write of the record `f`. */
export function record(data: object, more: object = {}): object {
  return { kind: 'data-write', artifactId: 'f', data, ...more }
}

/** Streams in which some events have an audience label. */
export function labelled(streams: fc.Arbitrary<readonly ContextAnyEvent[]>): fc.Arbitrary<ContextAnyEvent[]> {
  const label = fc.constantFrom(['operator'], ['user', 'operator'], ['parent', 'user'], [])
  const labels = fc.array(fc.tuple(fc.nat(80), label), { maxLength: 8 })
  return fc.tuple(streams, labels).map(([stream, few]) => {
    const byPosition = new Map(few)
    return stream.map((event, i): ContextAnyEvent => {
      const audience = byPosition.get(i)
      if (audience === undefined) return event
      const { metadata } = event as { metadata?: object }
      return { ...event, metadata: { ...metadata, audience } } as ContextAnyEvent
    })
  })
}
