/** What is lost of the events that are mapped to AgentEvents, as data. */

/** The lost fields of each event, by kind: those that are reported. `*`: some events of the kind are dropped. */
export const ownLosses = {
  // Only the end.
  'task-status': ['*', 'message', 'metadata'],
  'task-complete': ['artifacts', 'metadata'],
  // Of several open texts, one as it comes.
  'content-delta': ['*', 'contentId', 'iteration', 'metadata'],
  'content-complete': ['contentId', 'iteration', 'finishReason', 'metadata'],
  'tool-start': [
    'iteration',
    'metadata.provider',
    'metadata.concurrent',
    'metadata.signature',
    'metadata.redacted',
    'metadata.*',
  ],
  // Not of an unknown call.
  'tool-progress': ['*', 'iteration'],
  // Not before tool-start.
  'tool-complete': ['*', 'iteration', 'metadata'],
  'thought-stream': ['iteration', 'metadata'],
} as const
