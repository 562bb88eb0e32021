/** Which fields of events ACP has no place for, as data. */

import { type Coverage, defineCoverage, type LossTable } from '../../dialects/shared/coverage.ts'
import type { EventKind } from '../../events/event.ts'

/**
 * The fields that each kind loses; `null` for the kinds that are dropped. `?`: of some events, of which the writer reports it.
 * `*`: some events of the kind are dropped.
 */
export const losses: LossTable = {
  'task-created': ['*', 'initiator', 'metadata'],
  // Only those that end the task.
  'task-status': ['*', 'message', '?error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  // Of another text than the one that was streamed, and of several reasons, one.
  'task-complete': [
    ...['?content', 'artifacts', '?metadata.finishReason', 'metadata.duration', 'metadata.iterations'],
    ...['metadata.tokensUsed', 'metadata.usage', 'metadata.*'],
  ],
  'content-delta': ['*', 'contentId', 'iteration', 'metadata'],
  'content-complete': [
    ...['*', '?content', 'contentId', 'iteration', '?finishReason'],
    ...['metadata.sources', 'metadata.usage', 'metadata.*'],
  ],
  'content-replace': ['?content', 'contentId', 'iteration', 'metadata'],
  'thought-delta': ['*', 'thoughtType', 'verbosity', 'iteration', 'metadata'],
  'thought-stream': ['*', '?content', 'thoughtType', 'verbosity', 'iteration', 'metadata'],
  // The arguments are sent when they are complete.
  'tool-arguments-delta': ['*', 'iteration', 'metadata'],
  'tool-start': ['*', 'iteration', 'metadata'],
  'iteration-reset': null,
  'tool-progress': ['*', 'progress', 'iteration', 'metadata'],
  'tool-complete': ['*', 'iteration', 'metadata'],
  'task-error': null,
  'subtask-created': null,
  'input-required': null,
  'input-received': null,
  'input-canceled': null,
  'auth-required': null,
  'auth-completed': null,
  'auth-failed': null,
  // In one piece. Its name is the URI of the resource.
  'file-write': ['*', 'artifactId', 'name', 'description', 'version', 'digest', 'metadata'],
  // What a session states of itself.
  'data-write': ['*', '?data', 'artifactId', 'name', 'description', 'version', 'expectedVersion', 'metadata'],
  'dataset-write': null,
  'artifact-delta': null,
  custom: null,
  'internal:llm-call': null,
  'internal:thought-process': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
  'internal:checkpoint': null,
}

/** Ids, times and positions: messages and calls have their own ids, and updates follow each other. */
const COMMON = [
  ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'timestampEnd'],
  ...['thoughtId', 'index', 'indexEnd'],
]

const declared = defineCoverage(losses, COMMON)

/** How much of each event kind survives {@link toAcp}. Ids, times and positions do not count. */
export const acpCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to ACP may drop or change, by event kind. `*`: some events of the kind are dropped, with a diagnostic
 * each.
 */
export const acpLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
