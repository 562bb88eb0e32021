/** How much of each event kind A2A can represent without the extension. */

import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'
import { reportLosses } from '../../shared/losses.ts'
import type { A2aWriter } from './a2a-writer.ts'

const lineage = ['parentTaskId', 'path']
const series = ['timestamp', 'indexEnd', 'timestampEnd', ...lineage]

/** The fields that are always lost. */
const lost: LossTable = {
  'task-created': ['initiator', ...lineage],
  'task-status': ['metadata', ...lineage],
  'task-complete': ['artifacts', 'metadata', ...lineage],
  'content-delta': ['iteration', 'metadata', ...series],
  'content-complete': ['iteration', 'finishReason', 'metadata', 'timestamp', ...lineage],
  'content-replace': ['iteration', 'timestamp', ...lineage],
  'iteration-reset': null,
  'tool-start': null,
  'tool-arguments-delta': null,
  'tool-progress': null,
  'tool-complete': null,
  'input-required': [],
  'input-received': ['inputId', 'providedBy', 'userId', 'agentId', 'outcome', 'metadata', ...lineage],
  'input-canceled': ['inputId', 'reason', 'metadata', ...lineage],
  'auth-required': [],
  'auth-completed': ['authId', 'userId', 'metadata', ...lineage],
  'auth-failed': ['authId', 'reason', 'metadata', ...lineage],
  'file-write': ['version', 'digest', ...series],
  'data-write': ['version', 'expectedVersion', 'timestamp', ...lineage],
  'dataset-write': ['version', 'schema', ...series],
  'artifact-delta': ['baseVersion', 'version', 'timestamp', 'metadata', ...lineage],
  'subtask-created': null,
  'thought-delta': null,
  'thought-stream': null,
  'task-error': null,
  custom: null,
  'internal:thought-process': null,
  'internal:llm-call': null,
  'internal:checkpoint': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
}

const descriptor = ['artifactId', 'name', 'description', 'metadata']

/** The fields that some events lose, each reported where it is lost. */
const lostSometimes: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'task-created': ['metadata'],
  'task-status': ['*', 'status', 'message', 'error'],
  'task-complete': ['*', 'content'],
  // Empty texts and files.
  'content-delta': ['*', 'contentId', 'delta'],
  'content-complete': ['contentId', 'content'],
  'content-replace': ['contentId', 'content'],
  'input-received': ['*'],
  'input-canceled': ['*'],
  'auth-completed': ['*'],
  'auth-failed': ['*', 'message'],
  'file-write': ['*', 'data', 'mimeType', 'encoding', ...descriptor],
  'data-write': ['data', 'artifactId', 'metadata'],
  'dataset-write': ['rows', ...descriptor],
  'artifact-delta': ['*', 'change'],
}

const always = defineCoverage(lost).losses
const all = defineCoverage(
  Object.fromEntries(
    Object.entries(lost).map(([kind, fields]) => [
      kind,
      fields === null ? null : [...fields, ...(lostSometimes[kind as EventKind] ?? [])],
    ]),
  ) as unknown as LossTable,
)

/**
 * How much of each event kind {@link toA2a} maps without the extension:
 *
 * - `full`: every field, also those that the schema does not name
 * - `partial`: without the fields of {@link a2aLosses}; each is reported as `lossy:<field>`
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

/** Reports each field of an event that A2A has no equivalent for. */
export function reportLostFields(writer: A2aWriter, event: ContextAnyEvent): void {
  // All fields of a request are in the data of its message.
  if (event.kind !== 'input-required' && event.kind !== 'auth-required') reportLosses(writer, event, always)
}
