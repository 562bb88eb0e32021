/** What is lost of the events that are mapped to frames, as data. */

/** The lost fields by kind. `*`: only some events of the kind have a frame. */
export const mappedLosses = {
  // Only the input, of a user.
  'task-created': ['*', 'initiator', 'metadata.agentId', 'metadata.model', 'metadata.input', 'metadata.*'],
  // Only final statuses.
  'task-status': ['*', 'message', 'error', 'metadata.reason', 'metadata.blockedBy', 'metadata.*'],
  // As the end of the session; its text only if none was streamed.
  'task-complete': ['*', 'content', 'artifacts', 'metadata'],
  // Of several open texts, one as it comes.
  'content-delta': ['*', 'contentId', 'iteration', 'index', 'indexEnd', 'timestampEnd'],
  // As its deltas, and one more for what they lack. Texts that no tool separates are read as one.
  'content-complete': ['contentId', 'content', 'iteration', 'finishReason', 'metadata'],
  'tool-start': [
    'iteration',
    'metadata.provider',
    'metadata.concurrent',
    'metadata.signature',
    'metadata.redacted',
    'metadata.*',
  ],
  // Only output.
  'tool-progress': [
    '*',
    'iteration',
    'progress',
    'message',
    'metadata.step',
    'metadata.stepsCompleted',
    'metadata.stepsTotal',
    'metadata.remainingMs',
    'metadata.stream',
    'metadata.*',
  ],
  // The result becomes output if none was streamed. Not before tool-start.
  'tool-complete': [
    '*',
    'iteration',
    'result',
    'error',
    'metadata.duration',
    'metadata.cached',
    'metadata.retries',
    'metadata.*',
  ],
  // Only with an embedded frame.
  'internal:thought-process': ['*'],
  'internal:checkpoint': ['*'],
} as const
