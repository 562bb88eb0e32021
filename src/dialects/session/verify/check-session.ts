/** The checks of every event: envelope, connection, payload, delivery and stage. */
import { describeValue } from '../../../core/require.ts'
import { isTimestamp } from '../../../validation/predicates.ts'
import { readSessionAck, seqOf } from '../delivery/event-id.ts'
import { isSessionEventName, maySend, type SessionDirection } from '../wire/names.ts'
import { validateSessionPayload } from '../wire/payload-rules.ts'
import type { CheckContext } from './check-context.ts'
import { type SessionStage, sessionStages } from './stages.ts'
import { noAnswer, withoutCounters } from './state.ts'

/** Events that need no session. */
const WITHOUT_SESSION = /^(user\.(create_session|reconnect)|system\.)/

/** Checks name, direction, timestamp and session: M01 to M03. */
export function checkEnvelope(context: CheckContext, direction: SessionDirection | undefined): void {
  const { name, event } = context
  const { timestamp, session_id } = event
  if (!isSessionEventName(name)) {
    const message = `Expected one of the 45 documented events, got ${describeValue(name)}.`
    context.violation('known-event', message, { path: '/event', actual: name })
  }
  if (direction !== undefined && !maySend(direction, name)) {
    const message = `Expected an event that a ${direction} may send, got ${name}.`
    context.violation('event-direction', message, { path: '/event', actual: name })
  }
  const isOmitted = name.startsWith('user.') && (timestamp ?? null) === null
  if (!isOmitted && !isTimestamp(timestamp)) {
    const message = `Expected an RFC 3339 timestamp with zone, got ${describeValue(timestamp)}.`
    context.violation('timestamp', message, { path: '/timestamp', actual: timestamp })
  }
  if (!WITHOUT_SESSION.test(name) && typeof session_id !== 'string') {
    const message = `Expected a string as session_id, got ${describeValue(session_id)}.`
    context.violation('session-id', message, { path: '/session_id' })
  }
}

/** Checks that the connection and the session are open: M04 and M05. */
export function checkConnection(context: CheckContext): void {
  const { name } = context
  const { phase } = context.state
  if (phase === 'ended') {
    const isNew = /^user\.(create|reconnect)/.test(name)
    if (isNew) context.update({ phase: 'connected' })
    else if (!name.startsWith('system.')) {
      context.violation('after-session-end', `${name} after agent.session_end.`)
    }
    return
  }
  const isFirst = phase === 'new' && !name.startsWith('user.')
  if (isFirst) {
    if (name !== 'system.connected') {
      const message = `Expected system.connected as the first event of the server, got ${name}.`
      context.violation('connected-first', message)
    }
    context.update({ phase: 'connected' })
  }
  if (phase === 'open' || WITHOUT_SESSION.test(name)) return
  const isRefused = name === 'agent.state_restored' && context.metadata.state_integrity === 'failed'
  const isOpening = name === 'agent.session_created' || name === 'agent.state_restored'
  // Without a connection only connected-first is reported.
  if (!isOpening && !isFirst) {
    const message = `Expected agent.session_created or agent.state_restored before ${name}.`
    context.violation('session-opened', message)
  }
  if (!isRefused) context.update({ phase: 'open' })
}

/** Checks content and metadata: M20 and M21. */
export function checkPayload(context: CheckContext): void {
  for (const { path, message } of validateSessionPayload(context.event)) {
    if (path === '/session_id') continue
    context.violation(path.endsWith('/error_code') ? 'error-code' : 'payload', message, { path })
  }
}

/** Checks numbers and acknowledgements: M15. */
export function checkDelivery(context: CheckContext): void {
  const { highest, acked } = context.state
  const seq = seqOf(context.event)
  if (seq !== undefined && !context.name.startsWith('user.')) {
    const expected = highest + 1
    if (highest >= 0 && seq !== expected) {
      const message = `Expected seq ${expected}, got ${seq}.`
      context.violation('seq-contiguous', message, { path: '/seq', actual: seq, expected })
    }
    context.update({ highest: Math.max(highest, seq) })
  }
  const ack = context.name === 'user.ack' ? readSessionAck(context.event) : undefined
  if (ack === undefined) return
  if (ack < acked || (highest >= 0 && ack > highest)) {
    const range = ack < acked ? `>= ${acked}` : `<= ${highest}`
    const message = `Expected last_seq ${range}, got ${ack}.`
    context.violation('ack-range', message, { path: '/content/last_seq', actual: ack })
  }
  context.update({ acked: Math.max(acked, ack) })
}

/** Checks the order of stages: M06. */
export function checkStage(context: CheckContext): void {
  const { name, metadata } = context
  if (name === 'user.message' && metadata.message_type !== 'feedback') startRound(context)
  const transition = Object.hasOwn(sessionStages, name) ? sessionStages[name] : undefined
  if (transition === undefined) return
  const [expected, to] = transition
  const { stage } = context.state
  if (!expected.includes(stage) && !isException(context, stage)) {
    const message = `Expected ${name} in stage ${expected.join(' or ')}, got it in stage ${stage}.`
    context.violation('stage-order', message, { path: '/event', actual: stage, expected })
  }
  if (name === 'plan.start') startRound(context)
  context.update({ stage: to })
}

function startRound(context: CheckContext): void {
  const open = withoutCounters(context.state.open)
  context.update({ stage: 'idle', tasks: null, answer: noAnswer, open })
}

/** Whether an event is allowed in a stage that the table does not list. */
function isException({ name, metadata, isLenient }: CheckContext, stage: SessionStage): boolean {
  if (name === 'pipeline.completed') return metadata.status === 'failed' && stage !== 'done'
  const isRestart = stage === 'solving' || stage === 'solved' || stage === 'cancelled'
  return isLenient && name === 'solver.start' && isRestart
}
