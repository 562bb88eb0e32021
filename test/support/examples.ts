/** The published examples of events. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type ContextAnyEvent, type EventKind, type EventOf, PROTOCOL_VERSION } from 'turnstream'

/** The folder of the published schemas of this version. */
export const SCHEMAS: string = `schemas/events/${PROTOCOL_VERSION}`

/** The folder with the examples of a kind. */
export function examplesFolder(kind: EventKind): string {
  return `${SCHEMAS}/examples/${kind.replace(':', '-')}`
}

/** The published examples of a kind, the one with the most fields last. */
export function examplesOf<K extends EventKind>(kind: K): Extract<ContextAnyEvent, { kind: K }>[] {
  const folder = examplesFolder(kind)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
    .sort((a, b) => fieldCount(a) - fieldCount(b))
}

/** The published example of a kind with the most fields. */
export function exampleOf<K extends EventKind>(kind: K): Extract<ContextAnyEvent, { kind: K }> {
  const example = examplesOf(kind).at(-1)
  if (example === undefined) throw new Error(`Add ${examplesFolder(kind)}/minimal.json and full.json.`)
  return example
}

/** The fields of {@link exampleOf} without kind, context and timestamp. */
export function fieldsOfExample<K extends EventKind>(kind: K): Omit<EventOf<K>, 'kind' | 'timestamp'> {
  const {
    kind: _,
    timestamp,
    contextId,
    taskId,
    parentTaskId,
    path,
    ...fields
  } = exampleOf(kind) as never as Record<string, unknown>
  return fields as never
}

function fieldCount(event: { metadata?: object }): number {
  return Object.keys(event).length + Object.keys(event.metadata ?? {}).length
}
