/** The eight kinds of the measured conversation, for validators that are told what an event looks like. */

/** What a field holds. A `?` marks optional fields. */
export type Field = 'text' | 'id' | 'count' | 'fraction' | 'flag' | 'time' | 'object' | 'any'

/** Fields by name. */
export type Fields = Readonly<Record<string, Field | `${Field}?`>>

const envelope: Fields = { contextId: 'id', taskId: 'id', timestamp: 'time', parentTaskId: 'id?' }

/** Kind → its fields. */
export const kinds: Readonly<Record<string, Fields>> = {
  'task-status': { ...envelope, status: 'id' },
  'thought-delta': { ...envelope, thoughtId: 'id', delta: 'text', index: 'count' },
  'thought-stream': {
    ...envelope,
    thoughtId: 'id',
    thoughtType: 'id',
    verbosity: 'id',
    content: 'text',
    index: 'count',
    metadata: 'object?',
  },
  'tool-start': { ...envelope, toolCallId: 'id', toolName: 'id', arguments: 'object', metadata: 'object?' },
  'tool-progress': {
    ...envelope,
    toolCallId: 'id',
    progress: 'fraction?',
    message: 'text?',
    metadata: 'object?',
  },
  'tool-complete': {
    ...envelope,
    toolCallId: 'id',
    toolName: 'id',
    success: 'flag',
    result: 'any?',
    metadata: 'object?',
  },
  'content-delta': { ...envelope, delta: 'text', index: 'count' },
  'content-complete': { ...envelope, content: 'text', finishReason: 'text?' },
}

/** An RFC 3339 date-time with time zone. */
export const time: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Maps each field to what `schemaOf` makes of it. */
export function mapFields<S>(
  fields: Fields,
  schemaOf: (field: Field, isOptional: boolean) => S,
): Record<string, S> {
  const entries = Object.entries(fields).map(([name, type]) => {
    const isOptional = type.endsWith('?')
    return [name, schemaOf((isOptional ? type.slice(0, -1) : type) as Field, isOptional)]
  })
  return Object.fromEntries(entries)
}
