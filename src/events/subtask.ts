/**
 * Subtasks: an agent delegates work to another agent.
 *
 *     subtask-created (in the parent) → task-created (in the child) → … → the child's end
 */

/**
 * A task creates a subtask. From here on, events with the `subtaskId` as their `taskId` come from the
 * sub-agent; the subtask ends with its own terminal event.
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
  /** The new task. The `taskId` of the event is its parent. */
  subtaskId: string
  /** The agent that runs the subtask. Omitted if unknown. */
  agentId?: string
  /** The instructions for the sub-agent. */
  prompt: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
