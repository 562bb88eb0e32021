/** Checking whether a session is legal. */

import type { Machine } from '../../../core/machine.ts'
import { isTimestamp } from '../../../validation/predicates.ts'
import { readSessionAck, seqOf } from '../delivery/event-id.ts'
import { isSessionEventName, maySend, type SessionDirection } from '../wire/names.ts'
import { validateSessionPayload } from '../wire/payload-rules.ts'
import { change, stepOf } from '../wire/step.ts'
import { type Check, checkOf, must, violation } from './check.ts'
import { attempts, eventChecks } from './check-events.ts'
import { type SessionStage, type SessionViolation, sessionStages } from './rules.ts'
import { isCounted, noAnswer, type SessionVerifierState, withoutCounts } from './state.ts'

/** Settings of {@link sessionVerifier}. */
export interface SessionVerifierOptions {
  /**
   * `strict` asks for what the document says, `lenient` for what real servers keep to: rules that
   * are `strictOnly` are not asked for, and solving may begin once for each task.
   *
   * @defaultValue `'strict'`
   */
  readonly mode?: 'strict' | 'lenient'
  /** Who sends all of the stream. Absent: it has both sides. */
  readonly direction?: SessionDirection
  /**
   * Position of the first event that will be passed, from 0. Above 0 the session counts as open, and what
   * ends may have begun before.
   *
   * @defaultValue 0
   */
  readonly startIndex?: number
}

/** What a {@link sessionVerifier} takes: any event, decoded or not, of either side. */
export interface VerifiedEvent {
  readonly event: string
}

/**
 * Checks a session against {@link sessionRules}, event by event. What comes out are the rules that
 * do not hold; each time one does not, the verifier goes on as if it had meant what came.
 *
 * At the end it says what was left open. The diagnostic `forgotten` says that more than 1024 things were
 * open at once, and the oldest is not followed any more.
 *
 * @example
 * ```ts
 * const verifier = run(sessionVerifier())
 * for (const event of events) for (const { rule, path } of verifier.push(event)) console.warn(rule, path)
 * ```
 */
export function sessionVerifier(
  options: SessionVerifierOptions = {},
): Machine<SessionVerifierState, VerifiedEvent, SessionViolation> {
  return {
    initial: {
      phase: (options.startIndex ?? 0) > 0 ? 'open' : 'new',
      stage: 'idle',
      tasks: null,
      answer: noAnswer,
      open: {},
      highest: -1,
      acked: -1,
      asked: [],
    },
    step(before, event) {
      const check = checkOf(before, event, options)
      envelope(check, options.direction)
      connection(check)
      payload(check)
      delivery(check)
      stages(check)
      attempts(check)
      if (Object.hasOwn(eventChecks, check.name)) eventChecks[check.name]?.(check)
      return stepOf(check)
    },
    end(state) {
      const left = Object.keys(state.open).filter((key) => !isCounted(key))
      const out = left.map((key) => violation('left-open', { actual: key }))
      return { state: { ...state, open: {} }, out }
    },
  }
}

/** What needs no session. */
const WITHOUT_SESSION = /^(user\.(create_session|reconnect)|system\.)/

// M01 to M03
function envelope(check: Check, direction: SessionDirection | undefined): void {
  const { name, event } = check
  const { timestamp, session_id } = event
  must(check, 'known-event', isSessionEventName(name), '/event', name)
  must(check, 'event-direction', direction === undefined || maySend(direction, name), '/event', name)
  const isUntold = name.startsWith('user.') && (timestamp ?? null) === null
  must(check, 'timestamp', isUntold || isTimestamp(timestamp), '/timestamp', timestamp)
  must(check, 'session-id', WITHOUT_SESSION.test(name) || typeof session_id === 'string', '/session_id')
}

// M04 and M05
function connection(check: Check): void {
  const { name } = check
  const { phase } = check.state
  if (phase === 'ended') {
    const isNew = /^user\.(create|reconnect)/.test(name)
    if (isNew) change(check, { phase: 'connected' })
    must(check, 'after-session-end', isNew || name.startsWith('system.'))
    return
  }
  const isFirst = phase === 'new' && !name.startsWith('user.')
  if (isFirst) {
    must(check, 'connected-first', name === 'system.connected')
    change(check, { phase: 'connected' })
  }
  if (phase === 'open' || WITHOUT_SESSION.test(name)) return
  const isRefused = name === 'agent.state_restored' && check.metadata.state_integrity === 'failed'
  const isOpening = name === 'agent.session_created' || name === 'agent.state_restored'
  // Who did not even connect is told that first.
  must(check, 'session-opened', isOpening || isFirst)
  if (!isRefused) change(check, { phase: 'open' })
}

// M20 and M21
function payload(check: Check): void {
  for (const { path } of validateSessionPayload(check.event)) {
    if (path !== '/session_id')
      must(check, path.endsWith('/error_code') ? 'error-code' : 'payload', false, path)
  }
}

// M15
function delivery(check: Check): void {
  const { highest, acked } = check.state
  const seq = seqOf(check.event)
  if (seq !== undefined && !check.name.startsWith('user.')) {
    must(check, 'seq-contiguous', highest < 0 || seq === highest + 1, '/seq', seq, highest + 1)
    change(check, { highest: Math.max(highest, seq) })
  }
  const ack = check.name === 'user.ack' ? readSessionAck(check.event) : undefined
  if (ack === undefined) return
  must(check, 'ack-range', ack >= acked && (highest < 0 || ack <= highest), '/content/last_seq', ack)
  change(check, { acked: Math.max(acked, ack) })
}

// M06
function stages(check: Check): void {
  const { name, metadata } = check
  if (name === 'user.message' && metadata.message_type !== 'feedback') newRound(check)
  const move = Object.hasOwn(sessionStages, name) ? sessionStages[name] : undefined
  if (move === undefined) return
  const [from, to] = move
  const { stage } = check.state
  must(check, 'stage-order', from.includes(stage) || mayAlso(check, stage), '/event', stage, from)
  if (name === 'plan.start') newRound(check)
  change(check, { stage: to })
}

function newRound(check: Check): void {
  const open = withoutCounts(check.state.open)
  change(check, { stage: 'idle', tasks: null, answer: noAnswer, open })
}

function mayAlso({ name, metadata, isLenient }: Check, stage: SessionStage): boolean {
  if (name === 'pipeline.completed') return metadata.status === 'failed' && stage !== 'done'
  const again = stage === 'solving' || stage === 'solved' || stage === 'cancelled'
  return isLenient && name === 'solver.start' && again
}
