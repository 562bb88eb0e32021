/** What is lost of the events that are mapped to AG-UI, as data. */

import { type LossTable, ofRuns } from '../../shared/coverage.ts'

/** The series of a merged delta is one delta. */
const series = ['~iteration', '~index', '~indexEnd', '~timestampEnd']
const labels = ['thoughtType', 'verbosity']

/** AG-UI has artifacts as objects only, the client itself answers, and `RUN_ERROR` would end the run. */
export const losses: LossTable = {
  // The task of a run is that of a user.
  'task-created': ['*', 'initiator'],
  // Only those that end a run or let it wait; a subagent that is canceled ends as one that has finished.
  'task-status': [
    ...['*', 'message', 'error', '?status'],
    ...['metadata.reason', '~metadata.blockedBy', ...ofRuns, 'metadata.*'],
  ],
  'task-complete': ['*', 'artifacts'],
  'subtask-created': ['*'],
  // Empty deltas are left out.
  'content-delta': ['*', ...series],
  'content-complete': ['*', '~iteration', '?content'],
  'content-replace': ['*', '~iteration', '?content'],
  'iteration-reset': ['*'],
  'thought-delta': ['*', ...labels, ...series],
  // What was sent of a thought or of arguments cannot be changed by the whole.
  'thought-stream': ['*', '~iteration', ...labels, '~index', '?content'],
  'tool-arguments-delta': ['*', ...series],
  'tool-start': ['*', '~iteration', '?arguments'],
  'tool-progress': ['*', '~iteration'],
  // Values that are nested too deeply.
  'tool-complete': ['*', '~iteration', '?result'],
  // Sent with the end of the run.
  'input-required': ['*'],
  'auth-required': ['*'],
  'data-write': ['*', 'name', 'description', '~version', '~expectedVersion', 'metadata.version'],
  // Only a JSON Patch, and a JSON Merge Patch that merges no objects: as one.
  'artifact-delta': ['*', '~baseVersion', '~version', 'change'],
  custom: ['*'],
}
