/** The rules of a legal session, as data. */

/** One rule. */
export interface SessionRule {
  /** The rule's number; several slugs may share one. */
  readonly id: `M${number}`
  /** `error`: the stream is not legal. `warn`: it is legal, and probably not meant so. */
  readonly severity: 'error' | 'warn'
  /** What must hold, for people. */
  readonly summary: string
  /** Real servers do otherwise: the lenient mode does not ask for it. Absent: it does. */
  readonly strictOnly?: true
}

/**
 * The rules by slug. Slugs are stable; texts may change in any release.
 *
 * @see docs/spec/event-payloads.md
 */
export const sessionRules = {
  'known-event': { id: 'M01', severity: 'warn', summary: 'The event is one of the documented 45.' },
  'event-direction': {
    id: 'M01',
    severity: 'error',
    summary: 'Only clients send user.*, only servers the rest.',
  },
  timestamp: {
    id: 'M02',
    severity: 'error',
    summary: 'A server tells when, with zone; a client may.',
    strictOnly: true,
  },
  'session-id': { id: 'M03', severity: 'error', summary: 'The event names its session.', strictOnly: true },
  'connected-first': { id: 'M04', severity: 'error', summary: 'The server first sends system.connected.' },
  'session-opened': {
    id: 'M04',
    severity: 'error',
    summary: 'A session is created or restored before it is used.',
  },
  'after-session-end': { id: 'M05', severity: 'error', summary: 'Only system.* follows agent.session_end.' },
  'stage-order': {
    id: 'M06',
    severity: 'error',
    summary: 'Plan, solve, aggregate and sum up, in this order.',
  },
  'final-answer': {
    id: 'M06',
    severity: 'error',
    summary: 'One final answer, between solver.start and pipeline.completed.',
    strictOnly: true,
  },
  'plan-tasks': {
    id: 'M07',
    severity: 'error',
    summary: 'task_count counts the tasks, whose ids are unique.',
  },
  'solver-results': {
    id: 'M08',
    severity: 'error',
    summary: 'Results are of planned tasks, and the counts add up.',
  },
  'task-counts': { id: 'M08', severity: 'warn', summary: 'task_count and total_tasks are equal.' },
  progress: {
    id: 'M09',
    severity: 'error',
    summary: 'Progress is 0 to 100, does not fall, and no step is too many.',
  },
  'tool-result': { id: 'M10', severity: 'error', summary: 'A call has a call_id of its own and one result.' },
  'left-open': { id: 'M10', severity: 'warn', summary: 'What was called, asked or begun has an end.' },
  'chunk-index': { id: 'M11', severity: 'error', summary: 'Partial answers count from 0 without gaps.' },
  'answer-text': {
    id: 'M11',
    severity: 'warn',
    summary: 'The partial answers joined are the final one.',
    strictOnly: true,
  },
  'confirm-answer': {
    id: 'M12',
    severity: 'error',
    summary: 'A question has one answer with its step_id, and options to select from.',
  },
  attempts: { id: 'M13', severity: 'error', summary: 'Attempts rise, up to max_attempts.' },
  recovery: { id: 'M14', severity: 'error', summary: 'A recovery begins, and then succeeds or fails once.' },
  'seq-contiguous': { id: 'M15', severity: 'error', summary: 'seq rises by 1.', strictOnly: true },
  'ack-range': { id: 'M15', severity: 'error', summary: 'last_seq does not fall, nor exceed what was sent.' },
  'state-restored': {
    id: 'M16',
    severity: 'error',
    summary: 'A state is restored when a client reconnects.',
  },
  'state-exported': {
    id: 'M16',
    severity: 'warn',
    summary: 'A state is exported when a client requests it.',
  },
  'state-validity': { id: 'M17', severity: 'error', summary: 'valid_until is after exported_at.' },
  'aggregate-counts': {
    id: 'M18',
    severity: 'error',
    summary: 'Completed and failed tasks add up to task_count.',
  },
  'pipeline-times': {
    id: 'M19',
    severity: 'warn',
    summary: 'The whole takes at least as long as its stages.',
  },
  'error-code': {
    id: 'M20',
    severity: 'error',
    summary: 'An error has the error_code documented for it.',
    strictOnly: true,
  },
  payload: {
    id: 'M21',
    severity: 'error',
    summary: 'Content and metadata are as the table asks.',
    strictOnly: true,
  },
  'session-end-reason': { id: 'M22', severity: 'warn', summary: 'user_request follows a user.cancel.' },
} as const

/** The slug of a rule. */
export type SessionRuleName = keyof typeof sessionRules

/** A rule that does not hold. */
export interface SessionViolation {
  /** The rule that is broken. */
  readonly rule: SessionRuleName
  /** How bad that is, as the rule says. */
  readonly severity: SessionRule['severity']
  /** What must hold, for people, in English. May change in any release. */
  readonly message: string
  /** The event's name. Absent: the stream ended. */
  readonly event?: string
  /** JSON pointer to what is wrong in the event. Absent: the event as a whole. */
  readonly path?: string
  /** What would have been right, where that is one value. */
  readonly expected?: unknown
  /** What was there instead. */
  readonly actual?: unknown
}

/** Where a round of planning and solving stands. */
export type SessionStage =
  | 'idle'
  | 'planning'
  | 'planned'
  | 'solving'
  | 'cancelled'
  | 'solved'
  | 'aggregating'
  | 'aggregated'
  | 'done'

/** From which stages an event leads to which; events that are not listed belong to every stage. */
export const sessionStages: Readonly<
  Record<string, readonly [from: readonly SessionStage[], to: SessionStage]>
> = {
  'plan.start': [['idle', 'done', 'cancelled'], 'planning'],
  'plan.step_completed': [['planning'], 'planning'],
  'plan.validation_error': [['planning'], 'planning'],
  'plan.coercion_error': [['planning'], 'planning'],
  'plan.completed': [['planning'], 'planned'],
  'plan.cancelled': [['planning'], 'done'],
  'solver.start': [['planned'], 'solving'],
  'solver.progress': [['solving', 'cancelled'], 'solving'],
  'solver.retry': [['solving', 'cancelled'], 'solving'],
  'solver.restarted': [['solving', 'cancelled'], 'solving'],
  'solver.step_failed': [['solving', 'cancelled'], 'solving'],
  'solver.cancelled': [['solving', 'cancelled'], 'cancelled'],
  'solver.completed': [['solving', 'cancelled'], 'solved'],
  'aggregate.start': [['solved', 'cancelled'], 'aggregating'],
  'aggregate.completed': [['aggregating'], 'aggregated'],
  'pipeline.completed': [['aggregated'], 'done'],
}
