/**
 * Events of all versions of the format, read as one: the version of the document, and those that its implementation
 * has spoken since.
 *
 *     document    stream        tool_result { isError }   toolCallId   toolArgs, output: text
 *     2           stream        tool_error { error }      callId       objects, any JSON        at, seq, messageId
 *     3           text_chunk    tool_error { error }      callId       objects, any JSON        at, runId
 */

import type { DecodeResult } from '../../../core/decode-result.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { type Fields, isIntegerIn } from '../../../validation/predicates.ts'
import type { Shape } from '../../../validation/shape.ts'
import { MAX_EPOCH_MS } from '../../shared/epoch-time.ts'
import { decodeWith } from './decode.ts'
import { agentEventShapes } from './shapes.generated.ts'
import type {
  AgentErrorEvent,
  AgentFinalEvent,
  AgentStreamEvent,
  AgentThoughtEvent,
} from './types.generated.ts'
import type { UnknownAgentEvent } from './types.ts'

/** An event of any version, with the names of {@link AgentEvent}. */
export type RunEvent =
  | AgentThoughtEvent
  | AgentStreamEvent
  | AgentFinalEvent
  | AgentErrorEvent
  | RunCallEvent
  | RunProgressEvent
  | RunResultEvent
  // Not in the document
  | { type: 'start' }
  | { type: 'cancelled'; reason: string }
  | RunViewEvent

export interface RunCallEvent {
  type: 'tool_call'
  toolName: string
  /** The arguments: an object, or the JSON text of one. */
  toolArgs: unknown
  toolCallId?: string
}

export interface RunProgressEvent {
  type: 'tool_progress'
  toolName?: string
  data: unknown
  toolCallId?: string
}

export interface RunResultEvent {
  type: 'tool_result'
  toolName?: string
  /** The result: any JSON. */
  output: unknown
  isError?: boolean
  toolCallId?: string
}

/** A snapshot of a run. */
export interface RunViewEvent {
  type: 'run_view'
  /** The text so far; the message of a run that failed or was cancelled. */
  content: string
  steps: readonly RunStep[]
  status: 'running' | 'completed' | 'failed' | 'cancelled'
  hooks?: readonly unknown[]
  audio?: unknown
  /** The question that the run waits for. */
  awaitingInput?: unknown
}

/** A thought, and the call that follows it. */
export interface RunStep {
  thought: string
  action?: {
    callId: string
    toolName: string
    toolArgs: unknown
    /** `completed`, `failed`, or without a result yet. */
    status?: unknown
    error?: unknown
    progress?: readonly unknown[]
  }
  /** The result of the call, as text. */
  observation?: unknown
  /** Milliseconds since 1970. */
  startedAt?: number
  completedAt?: number
}

/** Other names of types. Their `fields` are renamed; `adds` is what the name states. */
const typeAliases: Readonly<
  Record<
    string,
    { readonly type: string; readonly fields?: Readonly<Record<string, string>>; readonly adds?: Fields }
  >
> = {
  text_chunk: { type: 'stream' },
  tool_error: { type: 'tool_result', fields: { error: 'output' }, adds: { isError: true } },
  // As the sample code of the document adapts the events of tools.
  progress: { type: 'tool_progress' },
  result: { type: 'tool_result' },
}

/** Other names of fields, in any type. */
const fieldAliases: Readonly<Record<string, string>> = { callId: 'toolCallId' }

const list: Shape = ['maybe', ['list', 'any']]
const time: Shape = ['maybe', ['int', 0, MAX_EPOCH_MS]]
const action: Shape = ['maybe', ['fields', { callId: 'id', toolName: 'id', progress: list }]]
const runEventShapes = {
  ...agentEventShapes,
  tool_call: { ...agentEventShapes.tool_call, toolArgs: 'any' },
  tool_progress: { ...agentEventShapes.tool_progress, toolName: ['maybe', 'id'] },
  tool_result: { ...agentEventShapes.tool_result, toolName: ['maybe', 'id'], output: 'any' },
  start: {},
  cancelled: { reason: 'text' },
  run_view: {
    content: 'text',
    steps: ['list', ['fields', { thought: 'text', action, startedAt: time, completedAt: time }]],
    status: ['of', 'running', 'completed', 'failed', 'cancelled'],
    hooks: list,
    audio: ['maybe', 'any'],
    awaitingInput: ['maybe', 'any'],
  },
} as typeof agentEventShapes

/** What events of later versions state about themselves. */
export interface RunEnvelope {
  /** When the event was sent, in milliseconds since 1970. */
  readonly at?: number
  /** Increases with each event, not always by 1. */
  readonly seq?: number
  /** The run of the event. */
  readonly runId?: string
  /** The fields that no type of event has. Omitted if there are none. */
  readonly others?: Fields
}

/** Decodes an event of any version. Never throws. */
export function decodeRunEvent(value: unknown): DecodeResult<RunEvent, UnknownAgentEvent> {
  return decodeWith<RunEvent>(runEventShapes, value, renamed)
}

/** What a decoded event states besides the fields of its type. */
export function envelopeOf(event: RunEvent | UnknownAgentEvent): RunEnvelope {
  const known = runEventShapes[event.type]
  const envelope: Mutable<RunEnvelope> = {}
  let others: [string, unknown][] | undefined
  for (const field of Object.keys(event)) {
    if (field === 'type' || (known !== undefined && Object.hasOwn(known, field))) continue
    const value = (event as unknown as Fields)[field]
    if (value === undefined) continue
    if (field === 'at' && isIntegerIn(value, 0, MAX_EPOCH_MS)) envelope.at = value as number
    else if (field === 'seq' && Number.isSafeInteger(value)) envelope.seq = value as number
    else if (field === 'runId' && typeof value === 'string' && value !== '') envelope.runId = value
    else {
      others ??= []
      others.push([field, value])
    }
  }
  if (others !== undefined) envelope.others = Object.fromEntries(others)
  return envelope
}

/** An event with the names of the document; the event itself if it has no other ones. */
function renamed(event: Fields): Fields {
  const type = event.type as string
  const alias = Object.hasOwn(typeAliases, type) ? typeAliases[type] : undefined
  if (alias === undefined && !Object.hasOwn(event, 'callId')) return event
  const names: Readonly<Record<string, string>> = { ...fieldAliases, ...alias?.fields }
  const entries = Object.entries(event).map(([field, value]): [string, unknown] => {
    const name = Object.hasOwn(names, field) ? (names[field] as string) : field
    return [Object.hasOwn(event, name) ? field : name, value]
  })
  return { ...Object.fromEntries(entries), ...alias?.adds, type: alias?.type ?? type }
}
