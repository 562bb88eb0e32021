/** The kinds of events by name. Free of validators, so that the wire can know them cheaply. */

/** The kinds meant for clients. */
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

/** The kinds meant for operators; never sent to a client unless the server decides to. */
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

/** What the names of internal kinds begin with. */
export const INTERNAL_PREFIX = 'internal:'
