/**
 * Subtasks: an agent hands work to another agent.
 *
 *     subtask-created (in the parent) → task-created (in the child) → … → the child's end
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { id, maybe, open, timestamp } from './fields.ts'

/**
 * A task spawns another. From here on, events with the `subtaskId` as their `taskId` come from the
 * sub-agent; its own terminal event is the subtask's end.
 *
 * @see docs/spec/internal-event-protocol.md#sub-agent-events
 * @example full
 * ```json
 * {
 *   "kind": "subtask-created",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "subtaskId": "task-charts-2",
 *   "agentId": "chart-reader",
 *   "prompt": "Find the shallows on the way out of Brest",
 *   "timestamp": "2026-03-14T08:00:07Z"
 * }
 * ```
 */
export interface SubtaskCreatedEvent {
  kind: 'subtask-created'
  /** The task that is spawned. The event's own `taskId` is the parent. */
  subtaskId: string
  /** Which agent takes the work. Absent: not told. */
  agentId?: string
  /** What the sub-agent is asked to do. */
  prompt: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const subtaskCreatedEventSchema: Schema<SubtaskCreatedEvent> = schemaOf<SubtaskCreatedEvent>()(
  open({
    kind: z.literal('subtask-created'),
    subtaskId: id,
    agentId: maybe(id),
    prompt: z.string(),
    timestamp,
  }),
)
