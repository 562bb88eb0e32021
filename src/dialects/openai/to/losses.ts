/** How much of each event kind survives mapping to Chat Completions, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'

/**
 * The fields that each kind loses; `null` for the kinds that are dropped. `?`: of some events, of which the writer reports it.
 * `*`: some events of the kind are dropped.
 */
export const losses: LossTable = {
  'task-created': ['*', 'initiator', 'metadata'],
  // Only those that end the task; one that is canceled stops.
  'task-status': [
    ...['*', '?status', 'message', 'error'],
    ...['metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  ],
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
  'tool-arguments-delta': ['*', 'iteration', 'metadata'],
  'tool-start': ['*', '?arguments', 'iteration', 'metadata'],
  'iteration-reset': null,
  'tool-progress': null,
  'tool-complete': null,
  'task-error': null,
  'subtask-created': null,
  'input-required': null,
  'input-received': null,
  'input-canceled': null,
  'auth-required': null,
  'auth-completed': null,
  'auth-failed': null,
  'file-write': null,
  'data-write': null,
  'dataset-write': null,
  'artifact-delta': null,
  custom: null,
  'internal:llm-call': null,
  'internal:thought-process': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
  'internal:checkpoint': null,
}

/** Ids, times and positions: a completion has one id and one time, and its calls have theirs. */
const COMMON = [
  ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'timestampEnd'],
  ...['thoughtId', 'index', 'indexEnd'],
]

const declared = defineCoverage(losses, COMMON)

/** How much of each event kind survives {@link toChatCompletions}. Ids, times and positions do not count. */
export const openaiCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to Chat Completions may drop or change, by event kind. `*`: some events of the kind are dropped,
 * with a diagnostic each.
 */
export const openaiLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
