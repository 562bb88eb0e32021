/** How much of each event kind survives mapping to Chat Completions, as data. */

import type { EventKind } from '../../../events/event.ts'
import { answerCommon, answerLosses } from '../../shared/answer.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'

/**
 * The fields that each kind loses. `?`: of some events, of which the writer reports it.
 * `*`: some events of the kind are dropped.
 */
export const losses: LossTable = {
  ...answerLosses,
  // Only those that end the task; one that is canceled stops.
  'task-status': [
    ...['*', '?status', 'message', 'error'],
    ...['metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  ],
  'tool-start': ['*', '?arguments', 'iteration', 'metadata'],
}

const declared = defineCoverage(losses, answerCommon)

/** How much of each event kind survives {@link toChatCompletions}. Ids, times and positions do not count. */
export const openaiCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to Chat Completions may drop or change, by event kind. `*`: some events of the kind are dropped,
 * with a diagnostic each.
 */
export const openaiLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
