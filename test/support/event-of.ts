/** An event of a task, in cases where only its fields matter. */
import type { ContextAnyEvent } from '../../src/events/event.ts'

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }

/** An event of one task. */
export const eventOf = (fields: object): ContextAnyEvent => ({ ...context, ...fields }) as ContextAnyEvent
