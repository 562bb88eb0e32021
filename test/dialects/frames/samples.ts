/** The published example of each kind in one task, to check which fields are lost. */
import {
  type ContextAnyEvent,
  type ContextEvent,
  type EventKind,
  type EventOf,
  eventKinds,
} from '../../../src/index.ts'
import { fieldsOfExample } from '../../support/examples.ts'

/** Fields that an example needs in order to be mapped, at a loss. */
const inTask: { readonly [K in EventKind]?: Partial<EventOf<K>> } = {
  'tool-progress': { metadata: { stream: 'stdout', chunk: 'x', step: 'one' } },
}

/** The sample event of a kind, in the task `main`. */
export function sampleOf<K extends EventKind>(kind: K): ContextEvent<EventOf<K>> {
  const at = { contextId: 'c', taskId: 'main', timestamp: '2026-01-31T10:30:00.000Z' }
  return { kind, ...at, ...fieldsOfExample(kind), ...inTask[kind] } as unknown as ContextEvent<EventOf<K>>
}

/** All sample events. */
export const allSamples: readonly ContextAnyEvent[] = eventKinds.map(
  (kind) => sampleOf(kind) as ContextAnyEvent,
)
