/** Which fields of events ACP has no place for, as data. */

import { answerCommon, answerLosses } from '../../dialects/shared/answer.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../dialects/shared/coverage.ts'
import type { EventKind } from '../../events/event.ts'

/**
 * The fields that each kind loses. `?`: of some events, of which the writer reports it.
 * `*`: some events of the kind are dropped.
 */
export const losses: LossTable = {
  ...answerLosses,
  // Only those that end the task.
  'task-status': ['*', 'message', '?error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  'tool-start': ['*', 'iteration', 'metadata'],
  'tool-progress': ['*', 'progress', 'iteration', 'metadata'],
  'tool-complete': ['*', 'iteration', 'metadata'],
  // In one piece. Its name is the URI of the resource.
  'file-write': ['*', 'artifactId', 'name', 'description', 'version', 'digest', 'metadata'],
  // What a session states of itself.
  'data-write': ['*', '?data', 'artifactId', 'name', 'description', 'version', 'expectedVersion', 'metadata'],
}

const declared = defineCoverage(losses, answerCommon)

/** How much of each event kind survives {@link toAcp}. Ids, times and positions do not count. */
export const acpCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to ACP may drop or change, by event kind. `*`: some events of the kind are dropped, with a diagnostic
 * each.
 */
export const acpLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
