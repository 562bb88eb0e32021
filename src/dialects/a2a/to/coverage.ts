/** How much of each event kind A2A can represent without the extension. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable, ofRuns } from '../../shared/coverage.ts'

const lineage = ['parentTaskId', 'path']
const series = ['~timestamp', '~indexEnd', '~timestampEnd', ...lineage]
/** What only the first chunk of an artifact states. */
const described = ['?artifactId', '?name', '?description', '?metadata']

/** The fields that are lost. */
export const losses: LossTable = {
  'task-created': ['initiator', '?metadata', ...lineage],
  'task-status': [
    ...['*', 'metadata.reason', '~metadata.blockedBy', ...ofRuns, 'metadata.*'],
    ...['?status', '?message', '?error'],
    ...lineage,
  ],
  'task-complete': ['*', 'artifacts', 'metadata', '?content', ...lineage],
  // Empty texts and files.
  'content-delta': ['*', '~iteration', 'metadata', '?contentId', '?delta', ...series],
  'content-complete': [
    ...['*', '~iteration', 'finishReason', 'metadata', '~timestamp', '?contentId', '?content'],
    ...lineage,
  ],
  'content-replace': ['~iteration', '~timestamp', '?contentId', '?content', ...lineage],
  'input-required': [],
  'input-received': ['*', '~inputId', 'providedBy', 'userId', 'agentId', 'outcome', 'metadata', ...lineage],
  'input-canceled': ['*', '~inputId', 'reason', 'metadata', ...lineage],
  'auth-required': [],
  'auth-completed': ['*', '~authId', 'userId', 'metadata', ...lineage],
  'auth-failed': ['*', '~authId', 'reason', 'metadata', '?message', ...lineage],
  'file-write': ['*', '~version', 'digest', '?data', '?mimeType', '?encoding', ...described, ...series],
  'data-write': [
    ...['~version', '~expectedVersion', '~timestamp', '?data', '?artifactId', '?metadata'],
    ...lineage,
  ],
  'dataset-write': ['*', '~version', 'schema', '?rows', ...described, ...series],
  'artifact-delta': ['*', '~baseVersion', '~version', '~timestamp', 'metadata', '~change', ...lineage],
}

const all = defineCoverage(losses)

/**
 * How much of each event kind {@link toA2a} maps without the extension:
 *
 * - `full`: every field, also those that the schema does not name
 * - `partial`: without the fields of {@link a2aLosses}; each that a page could show is reported as `lossy:<field>`
 * - `omitted`: nothing; reported as `dropped:<kind>`
 *
 * With the extension every kind is mapped in full, except the `internal:` kinds, which are always dropped.
 */
export const a2aCoverage: Readonly<Record<EventKind, Coverage>> = all.coverage

/**
 * The fields of each event kind that {@link toA2a} may lose without the extension. `*`: some events of the kind are
 * dropped, each with a diagnostic.
 */
export const a2aLosses: Readonly<Record<EventKind, readonly string[]>> = all.losses
