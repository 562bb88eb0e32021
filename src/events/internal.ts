/**
 * Internal events: for logs, metrics and debugging. They never reach a client unless the server
 * decides to let them.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../schema.ts'
import { anyObject, count, id, maybe, open, timestamp } from './fields.ts'

/**
 * What the agent loop makes of the moment. Not a thought of the model.
 *
 * @see Internal Event Protocol, “Thought Streaming Events”
 */
export interface InternalThoughtProcessEvent {
  kind: 'internal:thought-process'
  /** Round of the agent loop. */
  iteration: number
  /** Where in the round. */
  stage: 'pre-llm' | 'post-llm' | 'pre-tool' | 'post-tool'
  reasoning: string
  /** The loop's state as far as it wants to tell. Values are trusted to be JSON and never walked. */
  state: Record<string, unknown>
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalThoughtProcessEventSchema: Schema<InternalThoughtProcessEvent> =
  schemaOf<InternalThoughtProcessEvent>()(
    open({
      kind: z.literal('internal:thought-process'),
      iteration: count,
      stage: z.enum(['pre-llm', 'post-llm', 'pre-tool', 'post-tool']),
      reasoning: z.string(),
      state: anyObject,
      timestamp,
    }),
  )

/**
 * The model is called.
 *
 * @see Internal Event Protocol, “Internal/Debug Events”
 */
export interface InternalLlmCallEvent {
  kind: 'internal:llm-call'
  /** Round of the agent loop. */
  iteration: number
  /** The model, in the provider's spelling. */
  model: string
  /** Messages sent. */
  messageCount: number
  /** Tools offered. */
  toolCount: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalLlmCallEventSchema: Schema<InternalLlmCallEvent> = schemaOf<InternalLlmCallEvent>()(
  open({
    kind: z.literal('internal:llm-call'),
    iteration: count,
    model: z.string(),
    messageCount: count,
    toolCount: count,
    timestamp,
  }),
)

/**
 * The agent's state was saved.
 *
 * @see Internal Event Protocol, “Internal/Debug Events”
 */
export interface InternalCheckpointEvent {
  kind: 'internal:checkpoint'
  /** Round of the agent loop. */
  iteration: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalCheckpointEventSchema: Schema<InternalCheckpointEvent> =
  schemaOf<InternalCheckpointEvent>()(
    open({
      kind: z.literal('internal:checkpoint'),
      iteration: count,
      timestamp,
    }),
  )

/**
 * A tool begins to run, told to operators only. Not the same as `tool-start`: neither stands for
 * the other.
 *
 * @see Streaming & Eventing Architecture, “Event Types & Structure”
 */
export interface InternalToolStartEvent {
  kind: 'internal:tool-start'
  toolCallId: string
  toolName: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalToolStartEventSchema: Schema<InternalToolStartEvent> =
  schemaOf<InternalToolStartEvent>()(
    open({
      kind: z.literal('internal:tool-start'),
      toolCallId: id,
      toolName: id,
      timestamp,
    }),
  )

/**
 * A tool has finished, told to operators only.
 *
 * @see Streaming & Eventing Architecture, “Event Types & Structure”
 */
export interface InternalToolCompleteEvent {
  kind: 'internal:tool-complete'
  toolCallId: string
  toolName: string
  success: boolean
  /** What went wrong. With `success: false`. */
  error?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalToolCompleteEventSchema: Schema<InternalToolCompleteEvent> =
  schemaOf<InternalToolCompleteEvent>()(
    open({
      kind: z.literal('internal:tool-complete'),
      toolCallId: id,
      toolName: id,
      success: z.boolean(),
      error: maybe(z.string()),
      timestamp,
    }),
  )
