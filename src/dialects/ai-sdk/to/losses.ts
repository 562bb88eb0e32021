/** What is lost of the events that are mapped to chunks, as data. */

import { type LossTable, ofRuns } from '../../shared/coverage.ts'

/** Where the pieces of a merged event end. */
const merged = ['~indexEnd', '~timestampEnd']

/** Deltas after a merged one are counted as one less. */
const counted = ['~iteration', '?index', ...merged]

/** The lost fields by kind. `*`: only some events of the kind have a chunk: of those of subtasks, few have. */
export const losses: LossTable = {
  // Without the input: the message of the user is one of its own.
  'task-created': ['*', 'initiator', '~metadata.input', '?metadata.*'],
  // Only waiting and final statuses, and `working`, which a message implies.
  'task-status': ['*', 'message', 'error', 'metadata.reason', '~metadata.blockedBy', ...ofRuns, 'metadata.*'],
  // Another text than the one that was streamed.
  // Without usage or finish reason, readers take those of the texts.
  'task-complete': ['?content', '?artifacts', '?metadata'],
  'content-delta': ['*', '?contentId', ...counted],
  'content-complete': ['*', '?contentId', '?content', '~iteration', '?finishReason', '?metadata'],
  // The type of a thought is in the chunk that begins it.
  // Only as the step begins again, in version 7.
  'content-replace': ['*', '?contentId', '?content', '~iteration'],
  'iteration-reset': ['*', '~iteration'],
  'thought-delta': ['*', '?thoughtType', '?verbosity', ...counted],
  'thought-stream': ['*', '?content', '~index', '~iteration'],
  'tool-arguments-delta': ['*', ...counted],
  // The input is sent before, to have it approved.
  'tool-start': ['*', '~iteration', '?metadata'],
  // Output as text, the rest as data that is not kept in the message.
  'tool-progress': ['*', '~iteration', 'metadata.stream', '?metadata.chunk'],
  'tool-complete': ['*', '~iteration', '?result', '?error', '?metadata'],
  // Of a request to approve a call: what `tool-approval-request` has fields for.
  'input-required': ['?requireUser', '?inputType', '?prompt', '?schema', '?options', '?metadata'],
  'input-received': ['*', '?providedBy', '?userId', '?agentId', '?outcome', '?metadata'],
  'input-canceled': ['*'],
  'auth-required': [],
  'auth-completed': [],
  'auth-failed': [],
  // A file is sent when it is complete, in one piece.
  'file-write': ['*', '?data', '?index', '~version', 'digest', 'metadata', ...merged],
  'data-write': ['*', '?name', 'description', '~version', '~expectedVersion', 'metadata'],
  'dataset-write': [
    '*',
    '?rows',
    '?name',
    'description',
    '~index',
    'complete',
    'schema',
    '~version',
    'metadata',
    ...merged,
  ],
  // As the whole artifact.
  'artifact-delta': ['*', '~baseVersion', '~version', '~change'],
  'subtask-created': [],
  'task-error': ['*'],
  // `transient: false` is left out.
  custom: ['?transient', 'metadata'],
}
