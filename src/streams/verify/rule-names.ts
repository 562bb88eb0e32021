/** The names of all rules, by the file that checks them. */

/** The names of {@link eventRules}. */
export type EventRuleName =
  | EventLevelRuleName
  | TaskStartRuleName
  | TaskRuleName
  | TaskEndRuleName
  | TaskErrorRuleName
  | LoopRuleName
  | TextRuleName
  | ToolRuleName
  | RequestRuleName
  | ArtifactRuleName
  | ChunkRuleName

export type EventLevelRuleName =
  | 'well-formed'
  | 'timestamp-format'
  | 'time-order'
  | 'order-per-task'
  | 'internal-hidden'
  | 'unknown-kind'
  | 'unknown-field'

export type TaskStartRuleName =
  | 'created-first'
  | 'created-once'
  | 'known-parent'
  | 'subtask-initiator'
  | 'subtask-parent'
  | 'subtask-pair'
  | 'subtask-first'

export type TaskRuleName =
  | 'status-order'
  | 'nothing-after-end'
  | 'single-result'
  | 'no-result-after-failure'
  | 'result-repeats-content'
  | 'result-artifacts'

export type TaskEndRuleName = 'task-ends' | 'waiting-for-something' | 'children-end-first'

export type TaskErrorRuleName =
  | 'error-with-failure'
  | 'fatal-error-ends-task'
  | 'attempt-order'
  | 'tool-error-before-end'
  | 'stream-error-outside'

export type LoopRuleName = 'iteration-order'

export type TextRuleName =
  | 'delta-index'
  | 'whole-repeats-deltas'
  | 'segment-restarts'
  | 'segment-open-at-success'
  | 'segment-open-at-failure'
  | 'thought-once'
  | 'thought-index'
  | 'thought-labels'
  | 'confidence-range'
  | 'related-known'
  | 'silent-while-waiting'

export type ToolRuleName =
  | 'tool-call-once'
  | 'tool-call-open'
  | 'tool-name'
  | 'arguments-before-start'
  | 'progress-range'
  | 'progress-order'
  | 'tool-outcome'
  | 'tool-open-at-success'
  | 'tool-open-at-failure'
  | 'tool-alone'

export type RequestRuleName =
  | 'input-once'
  | 'input-open'
  | 'user-answers'
  | 'answerer-named'
  | 'input-details'
  | 'answer-in-time'
  | 'auth-once'
  | 'auth-open'
  | 'auth-url'
  | 'auth-url-safe'
  | 'answer-after-end'
  | 'user-not-bypassed'

export type ArtifactRuleName = 'artifact-type' | 'artifact-version' | 'expected-version' | 'rows-match-schema'

export type ChunkRuleName =
  | 'chunk-index'
  | 'chunk-metadata'
  | 'chunk-decodes'
  | 'size-hints'
  | 'one-write'
  | 'write-open-at-success'
