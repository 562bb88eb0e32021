/** How much of each event kind survives mapping to chunks, as data. */

import type { EventKind } from '../../../events/event.ts'
import { type Coverage, defineCoverage, type LossTable } from '../../shared/coverage.ts'
import { merged } from './losses.ts'

/** Deltas after a merged one are counted as one less. */
const counted = ['index', ...merged]

/** The lost fields by kind. `*`: only some events of the kind have a chunk: of those of subtasks, few have. */
const lossTable: LossTable = {
  // Without the input: the message of the user is one of its own.
  'task-created': ['*', 'initiator', 'metadata.input', 'metadata.*'],
  // Only waiting and final statuses, and `working`, which a message implies.
  'task-status': ['*', 'message', 'error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  // The text only if none was streamed.
  // Without usage or finish reason, readers take those of the texts.
  'task-complete': ['content', 'artifacts', 'metadata'],
  // The number of its step may be another.
  'content-delta': ['*', 'contentId', 'iteration', ...counted],
  'content-complete': ['*', 'contentId', 'content', 'iteration', 'finishReason', 'metadata'],
  // The type of a thought is in the chunk that begins it.
  // Only as the step begins again, in version 7.
  'content-replace': ['*', 'contentId', 'content', 'iteration'],
  'iteration-reset': ['*', 'iteration'],
  'thought-delta': ['*', 'thoughtType', 'verbosity', 'iteration', ...counted],
  'thought-stream': ['*', 'content', 'index', 'iteration'],
  'tool-arguments-delta': ['*', 'iteration', ...counted],
  // The input is sent before, to have it approved.
  'tool-start': ['*', 'iteration', 'metadata'],
  // Output as text, the rest as data that is not kept in the message.
  'tool-progress': ['*', 'iteration', 'metadata.stream', 'metadata.chunk'],
  'tool-complete': ['*', 'iteration', 'result', 'error', 'metadata'],
  // Of a request to approve a call: what `tool-approval-request` has fields for.
  'input-required': ['requireUser', 'inputType', 'prompt', 'schema', 'options', 'metadata'],
  'input-received': ['*', 'providedBy', 'userId', 'agentId', 'outcome', 'metadata'],
  'input-canceled': ['*'],
  'auth-required': [],
  'auth-completed': [],
  'auth-failed': [],
  // A file is sent when it is complete, in one piece.
  'file-write': ['*', 'data', 'index', 'version', 'digest', 'metadata', ...merged],
  'data-write': ['*', 'name', 'description', 'version', 'expectedVersion', 'metadata'],
  'dataset-write': [
    '*',
    'rows',
    'name',
    'description',
    'index',
    'complete',
    'schema',
    'version',
    'metadata',
    ...merged,
  ],
  // As the whole artifact.
  'artifact-delta': ['*', 'baseVersion', 'version', 'change'],
  'subtask-created': [],
  'task-error': ['*'],
  // `transient: false` is left out.
  custom: ['transient', 'metadata'],
  'internal:thought-process': null,
  'internal:llm-call': null,
  'internal:checkpoint': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
}

/** Fields of every event, those of its context reported once. */
const COMMON = [
  'contextId',
  'taskId',
  'parentTaskId',
  'path',
  'timestamp',
  'metadata.audience',
  'metadata.signature',
]

const declared = defineCoverage(lossTable, COMMON)

/**
 * How much of each event kind survives {@link toUiMessageStream} without the extension. With it every kind is mapped in
 * full.
 */
export const aiSdkCoverage: Readonly<Record<EventKind, Coverage>> = declared.coverage

/**
 * The fields that mapping to chunks may drop or change, by event kind: each diagnostic `lossy:<field>` names one of them,
 * or a field that the schema does not know. `*`: some events of the kind are dropped, with a diagnostic each.
 */
export const aiSdkLosses: Readonly<Record<EventKind, readonly string[]>> = declared.losses
