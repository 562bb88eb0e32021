/** The names of all rules, by the file of `rules/` that checks them. */

/** The names of {@link eventRules}. */
export type EventRuleName =
  | EventLevelRuleName
  | TimeRuleName
  | TaskStartRuleName
  | TaskRuleName
  | AfterEndRuleName
  | LineageRuleName
  | SubtaskRuleName
  | TaskEndRuleName
  | WaitingRuleName
  | IterationRuleName
  | TaskErrorRuleName
  | SeriesRuleName
  | ContentRuleName
  | ThoughtRuleName
  | ToolRuleName
  | ToolArgumentsRuleName
  | InputRuleName
  | AuthRuleName
  | RequestRuleName
  | ArtifactRuleName
  | ChunkRuleName

export type EventLevelRuleName =
  | 'well-formed'
  | 'timestamp-format'
  | 'order-per-task'
  | 'internal-hidden'
  | 'unknown-kind'
  | 'unknown-field'
  | 'unicode-text'

export type TimeRuleName = 'time-order'

export type TaskStartRuleName = 'created-first' | 'created-once' | 'subtask-initiator'

export type TaskRuleName = 'status-order' | 'result-repeats-content' | 'result-artifacts'

export type AfterEndRuleName = 'nothing-after-end' | 'single-result' | 'no-result-after-failure'

export type LineageRuleName = 'known-parent'

export type SubtaskRuleName = 'subtask-parent' | 'subtask-pair' | 'subtask-first'

export type TaskEndRuleName = 'task-ends' | 'completed-status' | 'children-end-first'

export type WaitingRuleName = 'waiting-for-something' | 'silent-while-waiting'

export type IterationRuleName = 'iteration-order' | 'iteration-kept' | 'reset-after-start'

export type TaskErrorRuleName =
  | 'error-with-failure'
  | 'fatal-error-ends-task'
  | 'attempt-order'
  | 'tool-error-before-end'
  | 'stream-error-outside'

export type SeriesRuleName = 'delta-index' | 'whole-repeats-deltas' | 'segment-restarts'

export type ContentRuleName = 'segment-open-at-success' | 'segment-open-at-failure' | 'replaced-known'

export type ThoughtRuleName =
  | 'thought-once'
  | 'thought-labels'
  | 'thought-index'
  | 'confidence-range'
  | 'related-known'

export type ToolRuleName =
  | 'tool-call-once'
  | 'tool-call-open'
  | 'tool-name'
  | 'progress-range'
  | 'progress-order'
  | 'tool-outcome'
  | 'tool-open-at-success'
  | 'tool-open-at-failure'
  | 'tool-alone'

export type ToolArgumentsRuleName = 'arguments-before-start'

export type InputRuleName =
  | 'input-once'
  | 'input-open'
  | 'user-answers'
  | 'answerer-named'
  | 'input-details'
  | 'answer-in-time'

export type AuthRuleName = 'auth-once' | 'auth-open' | 'auth-url' | 'auth-url-safe'

export type RequestRuleName = 'answer-after-end' | 'user-not-bypassed' | 'responder-sees'

export type ArtifactRuleName = 'artifact-type' | 'artifact-version' | 'expected-version' | 'rows-match-schema'

export type ChunkRuleName =
  | 'chunk-index'
  | 'chunk-metadata'
  | 'chunk-decodes'
  | 'size-hints'
  | 'one-write'
  | 'write-open-at-success'
