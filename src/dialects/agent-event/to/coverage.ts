/** What is lost of the events that are mapped to AgentEvents, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'

/** The whole thought and the start of a call have the text of their deltas. A `task-error` would end the run. */
export const losses: LossTable = {
  // Only the end: a canceled task ends with an error, of which only the message is sent.
  'task-status': ['*', 'message', 'metadata', '?status', '?error'],
  // Another text than the one that was sent.
  'task-complete': ['artifacts', 'metadata', '?content'],
  'content-delta': ['*', 'contentId', 'iteration', 'metadata', '?content'],
  // The end of a segment is visible only if a tool call or the end of the run follows.
  'content-complete': ['*', 'contentId', 'iteration', 'finishReason', 'metadata', '?content'],
  // Text is appended.
  'content-replace': ['contentId', 'iteration', 'metadata', '?content'],
  'tool-start': [
    ...['*', 'iteration', 'metadata.provider', 'metadata.concurrent', 'metadata.signature'],
    ...['metadata.redacted', 'metadata.*', '?arguments'],
  ],
  // With metadata.data, which is sent as it is.
  'tool-progress': ['*', 'iteration', '?progress', '?message', '?metadata'],
  // A result that is not a string is sent as JSON text.
  'tool-complete': ['*', 'iteration', 'metadata', '?result', '?error'],
  'thought-stream': ['*', 'iteration', 'metadata', '?thoughtType', '?verbosity'],
}

/** Ids, times and positions: AgentEvents have none. */
const COMMON = [
  ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'timestampEnd'],
  ...['toolCallId', 'thoughtId', 'index', 'indexEnd'],
]

const declared = defineCoverage(losses, COMMON)

/**
 * How much of each event kind {@link toAgentEvents} keeps. Ids, times and positions do not count: AgentEvents have
 * none.
 */
export const agentEventCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to AgentEvents may drop or change, by event kind: each diagnostic `lossy:<field>` names one
 * of them, or a field that the schema does not know. `*`: some events of the kind are dropped, with a diagnostic each.
 */
export const agentEventLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
