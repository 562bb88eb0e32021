/** The rules of a legal session, as data. */

/** One rule. */
export interface SessionRule {
  /** The number of the rule. Several names may share one. */
  readonly id: `M${number}`
  /** `error`: the session is not legal. `warn`: it is legal but suspicious. */
  readonly severity: 'error' | 'warn'
  /** What the rule requires, in English. May change in any release. */
  readonly summary: string
  /** Whether lenient mode skips the rule, as real servers violate it. */
  readonly strictOnly?: true
}

/**
 * The rules by name. Names are stable; summaries may change in any release.
 *
 * @see docs/spec/event-payloads.md
 */
export const sessionRules = {
  'known-event': { id: 'M01', severity: 'warn', summary: 'An event is one of the 45 documented events.' },
  'event-direction': {
    id: 'M01',
    severity: 'error',
    summary: 'Clients send user.* events, servers all others; heartbeats go both ways.',
  },
  timestamp: {
    id: 'M02',
    severity: 'error',
    summary: 'A server event has an RFC 3339 timestamp with zone; a client event may omit it.',
    strictOnly: true,
  },
  'session-id': {
    id: 'M03',
    severity: 'error',
    summary: 'An event has a session_id, unless it precedes the session.',
    strictOnly: true,
  },
  'connected-first': {
    id: 'M04',
    severity: 'error',
    summary: 'The first event of the server is system.connected.',
  },
  'session-opened': {
    id: 'M04',
    severity: 'error',
    summary: 'A session is created or restored before other events use it.',
  },
  'after-session-end': {
    id: 'M05',
    severity: 'error',
    summary: 'After agent.session_end only system.* events follow.',
  },
  'stage-order': {
    id: 'M06',
    severity: 'error',
    summary: 'A round plans, solves, aggregates and completes, in this order.',
  },
  'final-answer': {
    id: 'M06',
    severity: 'error',
    summary: 'A round has one final answer, between solver.start and pipeline.completed.',
    strictOnly: true,
  },
  'plan-tasks': {
    id: 'M07',
    severity: 'error',
    summary: 'task_count equals the number of tasks, and task ids are unique.',
  },
  'solver-results': {
    id: 'M08',
    severity: 'error',
    summary:
      'Results belong to planned tasks, and total_tasks equals their number and the sum of the counts.',
  },
  'task-counts': { id: 'M08', severity: 'warn', summary: 'task_count equals total_tasks.' },
  progress: {
    id: 'M09',
    severity: 'error',
    summary: 'Progress is from 0 to 100 and does not decrease; completed_steps is at most total_steps.',
  },
  'tool-result': {
    id: 'M10',
    severity: 'error',
    summary: 'A tool call has a unique call_id and one result.',
  },
  'left-open': {
    id: 'M10',
    severity: 'warn',
    summary: 'Tool calls, questions and recoveries end before the session does.',
  },
  'chunk-index': {
    id: 'M11',
    severity: 'error',
    summary: 'chunk_index of partial answers starts at 0 and increases by 1.',
  },
  'answer-text': {
    id: 'M11',
    severity: 'warn',
    summary: 'The final answer equals the concatenated partial answers.',
    strictOnly: true,
  },
  'confirm-answer': {
    id: 'M12',
    severity: 'error',
    summary: 'A question has one answer with its step_id, and a select question has options.',
  },
  attempts: { id: 'M13', severity: 'error', summary: 'attempt increases, up to max_attempts.' },
  recovery: {
    id: 'M14',
    severity: 'error',
    summary: 'A recovery starts once and then succeeds or fails once.',
  },
  'seq-contiguous': { id: 'M15', severity: 'error', summary: 'seq increases by 1.', strictOnly: true },
  'ack-range': {
    id: 'M15',
    severity: 'error',
    summary: 'last_seq does not decrease and does not exceed the highest seq sent.',
  },
  'state-restored': {
    id: 'M16',
    severity: 'error',
    summary: 'agent.state_restored follows a reconnect of the client.',
  },
  'state-exported': {
    id: 'M16',
    severity: 'warn',
    summary: 'agent.state_exported follows user.request_state.',
  },
  'state-validity': { id: 'M17', severity: 'error', summary: 'valid_until is later than exported_at.' },
  'aggregate-counts': {
    id: 'M18',
    severity: 'error',
    summary: 'task_count equals completed_tasks plus failed_tasks.',
  },
  'pipeline-times': {
    id: 'M19',
    severity: 'warn',
    summary: 'total_time_ms is at least the sum of the stage times.',
  },
  'error-code': {
    id: 'M20',
    severity: 'error',
    summary: 'An error event has its documented error_code.',
    strictOnly: true,
  },
  payload: {
    id: 'M21',
    severity: 'error',
    summary: 'Content and metadata have the fields the payload rules require.',
    strictOnly: true,
  },
  'session-end-reason': {
    id: 'M22',
    severity: 'warn',
    summary: 'The reason user_request follows a user.cancel.',
  },
} as const

/** The name of a rule. */
export type SessionRuleName = keyof typeof sessionRules

/** A violation of a rule. */
export interface SessionViolation {
  /** The violated rule. */
  readonly rule: SessionRuleName
  /** The severity of the rule. */
  readonly severity: SessionRule['severity']
  /** What was expected and what came, in English. May change in any release. */
  readonly message: string
  /**
   * Position of the event, from `startIndex`; at the end, the position after the last event.
   */
  readonly eventIndex: number
  /** The name of the event. Omitted at the end. */
  readonly event?: string
  /** JSON pointer into the event. Omitted: the event as a whole. */
  readonly path?: string
  /** The expected value. Omitted if it is not one value. */
  readonly expected?: unknown
  /** The actual value. Omitted if there is none. */
  readonly actual?: unknown
}
