/** The names of all event kinds. Imports no validators, so that the SSE codec can use it. */

/** The kinds of events for clients. */
export const externalKinds = [
  // Task
  'task-created',
  'task-status',
  'task-complete',
  // Content
  'content-delta',
  'content-complete',
  // Tool
  'tool-start',
  'tool-arguments-delta',
  'tool-progress',
  'tool-complete',
  // Input and authentication
  'input-required',
  'input-received',
  'input-canceled',
  'auth-required',
  'auth-completed',
  'auth-failed',
  // Artifact
  'file-write',
  'data-write',
  'dataset-write',
  'artifact-delta',
  // Subtask
  'subtask-created',
  // Thought
  'thought-delta',
  'thought-stream',
  // Error
  'task-error',
] as const

/** The kinds of events for operators. Not sent to clients unless the server explicitly allows it. */
export const internalKinds = [
  'internal:thought-process',
  'internal:llm-call',
  'internal:checkpoint',
  'internal:tool-start',
  'internal:tool-complete',
] as const

/** All kinds of {@link PROTOCOL_VERSION}. */
export const eventKinds: readonly [...typeof externalKinds, ...typeof internalKinds] = [
  ...externalKinds,
  ...internalKinds,
]

/** The prefix of internal kinds. */
export const INTERNAL_PREFIX = 'internal:'
