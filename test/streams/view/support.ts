/** Events and folds for the tests of views. */
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
