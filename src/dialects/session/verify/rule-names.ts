/** The names of the rules by noun, and violations of them. */

import type { Violation } from '../../../rules/violation.ts'

export type ConnectionRuleName =
  | 'known-event'
  | 'extension-event'
  | 'event-direction'
  | 'timestamp'
  | 'session-id'
  | 'connected-first'
  | 'session-opened'
  | 'after-session-end'
  | 'seq-contiguous'
  | 'ack-range'
  | 'error-code'
  | 'payload'

/** The rules about pairs of events with one id, which the second one ends. */
export type PairedRuleName = 'tool-result' | 'confirm-answer' | 'recovery'

export type PairRuleName =
  | PairedRuleName
  | 'left-open'
  | 'state-restored'
  | 'state-exported'
  | 'state-validity'
  | 'session-end-reason'

export type RoundRuleName =
  | 'stage-order'
  | 'final-answer'
  | 'plan-tasks'
  | 'solver-results'
  | 'task-counts'
  | 'progress'
  | 'chunk-index'
  | 'answer-text'
  | 'attempts'
  | 'aggregate-counts'
  | 'pipeline-times'

/** The name of a rule. */
export type SessionRuleName = ConnectionRuleName | PairRuleName | RoundRuleName

/** A violation of a rule. */
export type SessionViolation = Violation<SessionRuleName> & {
  /** The session. Omitted if the event belongs to none, or the connection is concerned. */
  sessionId?: string
}
