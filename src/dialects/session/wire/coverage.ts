/** How much of each event survives mapping, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type Losses } from '../../shared/coverage.ts'

const table: Losses = defineCoverage({
  'task-created': [],
  'task-status': ['*'], // Statuses without an equivalent are dropped.
  'task-complete': [],
  'content-delta': [],
  'content-complete': [],
  'content-replace': null,
  'iteration-reset': null,
  'tool-start': [],
  'tool-arguments-delta': null,
  'tool-progress': [],
  'tool-complete': ['*'], // A call that has not started has no end.
  'input-required': [],
  'input-received': null,
  'input-canceled': null,
  'auth-required': null,
  'auth-completed': null,
  'auth-failed': null,
  'file-write': null,
  'data-write': null,
  'dataset-write': null,
  'artifact-delta': null,
  'subtask-created': null,
  'thought-delta': null,
  'thought-stream': [],
  'task-error': [],
  custom: null,
  'internal:thought-process': null,
  'internal:llm-call': null,
  'internal:checkpoint': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
})

/**
 * How much of each core event survives mapping to the session protocol.
 *
 * - `full`: `fromSessionEvents` restores the event exactly, unknown fields included
 * - `partial`: only some events of the kind are mapped, see {@link sessionLosses}
 * - `omitted`: the protocol has no equivalent; the event is reported as `dropped:<kind>`
 */
export const sessionCoverage: Readonly<Record<EventKind, Coverage>> = table.coverage

/**
 * The fields of each core event that mapping to the session protocol loses: `*` if some events of the kind are dropped,
 * each with a diagnostic. No event that is mapped loses a field.
 */
export const sessionLosses: Readonly<Record<EventKind, readonly string[]>> = table.losses
