/** What is lost of the events that are mapped to AG-UI, as data. */

/** The lost fields by kind. `*`: some events of the kind are dropped. */
export const mappedLosses = {
  // The task of a run is that of a user.
  'task-created': ['*', 'initiator'],
  // Only those that end a run or let it wait.
  'task-status': ['*', 'message', 'error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  'task-complete': ['*', 'artifacts'],
  'subtask-created': ['*'],
  // Empty deltas are left out.
  'content-delta': ['*', 'iteration', 'index', 'indexEnd', 'timestampEnd'],
  'content-complete': ['*', 'iteration'],
  'content-replace': ['*', 'iteration'],
  'iteration-reset': ['*'],
  'thought-delta': ['*', 'iteration', 'thoughtType', 'verbosity', 'index', 'indexEnd', 'timestampEnd'],
  'thought-stream': ['*', 'iteration', 'thoughtType', 'verbosity', 'index'],
  'tool-arguments-delta': ['*', 'iteration', 'index', 'indexEnd', 'timestampEnd'],
  'tool-start': ['*', 'iteration'],
  'tool-progress': ['*', 'iteration'],
  'tool-complete': ['*', 'iteration'],
  // Sent with the end of the run.
  'input-required': ['*'],
  'auth-required': ['*'],
  'data-write': ['*', 'name', 'description', 'version', 'expectedVersion', 'metadata.version'],
  // Only a JSON Patch, and a JSON Merge Patch that merges no objects: as one.
  'artifact-delta': ['*', 'baseVersion', 'version', 'change'],
  custom: ['*'],
} as const
