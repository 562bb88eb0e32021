/** How much of each event survives mapping, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'

export const losses: LossTable = {
  'task-created': [],
  'task-status': ['*'], // Statuses without an equivalent are dropped.
  'task-complete': [],
  'content-delta': ['*'], // What was sent before.
  'content-complete': ['*', '?content'], // Of another text than its deltas, readers keep those.
  'content-replace': ['?contentId', '?content'], // Text is appended.
  'tool-start': ['*'], // A call starts once.
  'tool-progress': ['*', '?progress'], // Of a call that is running; it never goes back.
  'tool-complete': ['*'],
  'input-required': [],
  'thought-stream': ['*'],
  'task-error': [],
}

const declared = defineCoverage(losses)

/**
 * How much of each core event survives mapping to the session protocol.
 *
 * - `full`: `fromSessionEvents` restores the event exactly, unknown fields included
 * - `partial`: only some events of the kind are mapped, see {@link sessionLosses}
 * - `omitted`: the protocol has no equivalent; the event is reported as `dropped:<kind>`
 */
export const sessionCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields of each core event that mapping to the session protocol loses: `*` if some events of the kind are dropped,
 * each with a diagnostic. An event that is mapped loses none, unless its text is not that of its deltas, or replaces another, or
 * its progress goes back.
 */
export const sessionLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
