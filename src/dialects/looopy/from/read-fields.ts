/** The fields of each kind: other spellings, other values, and kinds without an equivalent. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { EventKind } from '../../../events/event.ts'
import { eventShapes } from '../../../events/shapes.generated.ts'
import { type Fields, isFields, isId } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { type EventInEnvelope, withNames } from './read-envelope.ts'
import { type LooopyBuilder, type LooopyTask, newTask, taskKey } from './state.ts'

/** What the fields of an event become. */
type Reading = (event: EventInEnvelope, task: Readonly<LooopyTask>) => Fields

/** An event with the names and values of turnstream, as far as they are known. The decoder has the last word. */
export function readFields(builder: LooopyBuilder, event: EventInEnvelope): Fields {
  const { kind, contextId, taskId } = event
  // The decoder reports ids that are no texts.
  if (typeof kind !== 'string' || ![contextId, taskId].every(isId)) return event
  if (Object.hasOwn(readings, kind)) {
    return readings[kind]?.(event, boundedGet(builder.state.tasks, taskKey(event)) ?? newTask) ?? event
  }
  return Object.hasOwn(eventShapes, kind) ? event : customEvent(event, kind)
}

/** Other values of `status`. */
const statuses = {
  cancelled: 'canceled',
  'input-required': 'waiting-input',
  'auth-required': 'waiting-auth',
  rejected: 'failed',
}
const thoughtTypes = {
  analysis: 'reasoning',
  thinking: 'reasoning',
  debugging: 'reasoning',
  strategizing: 'strategy',
}
const inputTypes = { data: 'custom' }

const readings: Readonly<Record<string, Reading>> = {
  'task-status': (event) => {
    const { status, error, ...rest } = event
    const stated = isFields(status) ? status : { state: status }
    const { state, message = rest.message, ...more } = stated
    const read = oneOf(state, 'status', statuses)
    const failure = error ?? more.error
    return withOriginal(
      {
        ...rest,
        status: read.value,
        ...(message !== undefined && { message }),
        ...(failure !== undefined && { error: errorOf(failure) }),
      },
      { ...more, ...read.original },
    )
  },
  'task-error': (event) => ({ ...event, error: errorOf(event.error ?? event.message) }),
  'content-delta': (event, { delta }) => {
    const named = withNames(event, { content: 'delta', chunkIndex: 'index' })
    return { ...named, index: named.index ?? delta }
  },
  'content-complete': (event) => withNames(event, { finish_reason: 'finishReason' }),
  'thought-stream': (event, { thought }) => {
    const named = withNames(event, {
      thought: 'content',
      thought_type: 'thoughtType',
      thought_id: 'thoughtId',
    })
    const index = named.index ?? thought
    const type = oneOf(named.thoughtType ?? 'reasoning', 'thoughtType', thoughtTypes)
    const thoughtId =
      named.thoughtId ??
      `${event.taskId}:thought-${Math.max(thought, typeof index === 'number' ? index : 0) + 1}`
    const verbosity = named.verbosity ?? 'normal'
    return withOriginal({ ...named, thoughtId, thoughtType: type.value, verbosity, index }, type.original)
  },
  // A call that the server leaves to its client.
  'tool-call': (event) => ({ ...event, kind: 'tool-start' }),
  'tool-input-required': (event) => {
    const { toolCallId, toolName, toolArguments, ...rest } = event
    const type = oneOf(rest.inputType, 'inputType', inputTypes)
    return withOriginal(
      { ...rest, kind: 'input-required', inputType: type.value },
      { toolCallId, toolName, toolArguments, ...type.original },
    )
  },
  'input-required': withValueOf('inputType', inputTypes),
  'input-received': withValueOf('providedBy', { any: 'user' }),
  'auth-required': withValueOf('authType', { pat: 'custom' }),
  'file-write': (event) => {
    const { metadata, encoding } = event
    const stated = encoding ?? fieldsOf(metadata).encoding
    return stated === undefined ? event : { ...event, encoding: stated }
  },
  // The server does not state the model.
  'internal:llm-call': (event) => ({ ...event, model: event.model ?? '' }),
} satisfies Partial<Record<EventKind | 'tool-call' | 'tool-input-required', Reading>>

/** A value, or what stands for another value of its field; then also the original. */
function oneOf(
  value: unknown,
  field: string,
  others: Readonly<Record<string, string>>,
): { readonly value: unknown; readonly original?: Fields } {
  if (typeof value !== 'string' || !Object.hasOwn(others, value)) return { value }
  return { value: others[value], original: { [field]: value } }
}

/** Reads an event of which one field has other values. */
function withValueOf(field: string, others: Readonly<Record<string, string>>): Reading {
  return (event) => {
    const { value, original } = oneOf(event[field], field, others)
    return withOriginal({ ...event, [field]: value }, original)
  }
}

/** An error as text, or with the fields of turnstream. */
function errorOf(error: unknown): unknown {
  if (typeof error === 'string') return { code: 'internal', message: error, retry: 'terminal' }
  return isFields(error) ? { code: 'internal', retry: 'terminal', ...error } : error
}

/** An event that keeps what turnstream has no field for in its metadata. */
function withOriginal(event: Fields, original: Fields = {}): Fields {
  const stated = Object.entries(original).filter(([, value]) => value !== undefined)
  const metadata = event.metadata ?? {}
  // Metadata of another type is left for the decoder to report.
  if (stated.length === 0 || !isFields(metadata)) return event
  // A key of the sender's own stays: the values are then kept beside it.
  const key = Object.hasOwn(metadata, 'looopy') ? unusedKey(metadata) : 'looopy'
  return { ...event, metadata: { ...metadata, [key]: Object.fromEntries(stated) } }
}

/** The first of `looopy#2`, `looopy#3`… that the metadata does not have. */
function unusedKey(metadata: Fields): string {
  let n = 2
  while (Object.hasOwn(metadata, `looopy#${n}`)) n++
  return `looopy#${n}`
}

/** Whether a custom event is an internal one of the server. */
export function isInternal({ name }: { readonly name?: unknown }): boolean {
  return typeof name === 'string' && /^looopy\.internal(?:\.|$)/.test(name)
}

/** An event of a kind without an equivalent. */
function customEvent(event: EventInEnvelope, kind: string): Fields {
  const { contextId, taskId, timestamp, parentTaskId, path, kind: _, ...data } = event
  const name = `looopy.${kind.match(/[A-Za-z0-9_-]+/g)?.join('.') ?? 'event'}`
  return {
    kind: 'custom',
    contextId,
    taskId,
    timestamp,
    name,
    data,
    ...(parentTaskId !== undefined && { parentTaskId }),
    ...(path !== undefined && { path }),
  }
}
