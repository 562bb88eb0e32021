/** Rules of the connection: envelope, payload, opening and end of sessions, numbers and acknowledgements. */

import { expectBound, expectEqual, reportUnexpected } from '../../../rules/expect.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_OFF,
  ERROR_WARN_OFF,
  type Rules,
  WARN,
  WARN_STRICT_ONLY,
} from '../../../rules/rule.ts'
import { isTimestamp } from '../../../validation/predicates.ts'
import { readSessionAck, seqOf } from '../delivery/event-id.ts'
import { isSessionEventName, isSessionExtension, maySend } from '../wire/names.ts'
import { validateSessionPayload } from '../wire/payload-rules.ts'
import type { CheckContext } from './context.ts'
import type { ConnectionRuleName } from './rule-names.ts'

export const connectionRules: Rules<ConnectionRuleName> = {
  'known-event': defineRule('M01', 'stated', WARN, 'An event is one of the documented events or extensions.'),
  'extension-event': defineRule(
    'M01',
    'added',
    WARN_STRICT_ONLY,
    'An event is documented, and not an extension of real servers.',
  ),
  'event-direction': defineRule(
    'M01',
    'stated',
    ERROR,
    'Clients send user.* events, servers all others; heartbeats go both ways.',
  ),
  timestamp: defineRule(
    'M02',
    'stated',
    ERROR_LENIENT_OFF,
    'A server event has an RFC 3339 timestamp with zone; a client event may omit it.',
  ),
  'session-id': defineRule(
    'M03',
    'stated',
    ERROR_LENIENT_OFF,
    'An event has a session_id, unless it precedes the session.',
  ),
  'connected-first': defineRule(
    'M04',
    'inferred',
    ERROR,
    'The first event of the server is system.connected.',
  ),
  'session-opened': defineRule(
    'M04',
    'inferred',
    ERROR,
    'A session is created or restored before other events use it.',
  ),
  'after-session-end': defineRule(
    'M05',
    'inferred',
    ERROR,
    'After agent.session_end only system.* events follow.',
  ),
  'seq-contiguous': defineRule('M15', 'added', ERROR_WARN_OFF, 'seq increases by 1.'),
  'ack-range': defineRule(
    'M15',
    'inferred',
    ERROR,
    'last_seq does not decrease and does not exceed the highest seq sent.',
  ),
  'error-code': defineRule(
    'M20',
    'stated',
    ERROR_LENIENT_OFF,
    'An error event has its documented error_code.',
  ),
  payload: defineRule(
    'M21',
    'stated',
    ERROR_LENIENT_OFF,
    'Content and metadata have the fields the payload rules require.',
  ),
}

/** Events that need no session. A server refuses a request of an unknown session with `agent.error`. */
const WITHOUT_SESSION = /^(user\.(create_session|reconnect)|system\.|agent\.error$)/

/** Checks name, direction, timestamp and session. */
export function checkEnvelope(context: CheckContext): void {
  const { name, event } = context
  const { direction } = context.settings
  const { timestamp, session_id } = event
  if (!isSessionEventName(name)) {
    reportUnexpected(context, 'known-event', '/event', 'a documented event or an extension', name)
  } else if (isSessionExtension(name)) {
    reportUnexpected(context, 'extension-event', '/event', 'a documented event, not an extension', name)
  }
  if (direction !== undefined && !maySend(direction, name)) {
    reportUnexpected(context, 'event-direction', '/event', `an event that a ${direction} may send`, name)
  }
  const isOmitted = name.startsWith('user.') && (timestamp ?? null) === null
  if (!isOmitted && !isTimestamp(timestamp)) {
    reportUnexpected(context, 'timestamp', '/timestamp', 'an RFC 3339 timestamp with zone', timestamp)
  }
  if (!WITHOUT_SESSION.test(name) && typeof session_id !== 'string') {
    reportUnexpected(context, 'session-id', '/session_id', 'a string as session_id', session_id)
  }
}

/** Checks that the connection and the session are open. */
export function checkConnection(context: CheckContext): void {
  const { name } = context
  const { phase } = context.round
  const isOpening = name === 'agent.session_created' || name === 'agent.state_restored'
  if (phase === 'ended' && !isOpening) {
    if (/^(system\.|user\.(create|reconnect))/.test(name)) return
    context.report('after-session-end', `${name} after agent.session_end.`)
    return
  }
  const isFirst = !context.state.isConnected && !name.startsWith('user.')
  if (isFirst) {
    if (name !== 'system.connected') {
      const message = `Expected system.connected as the first event of the server, got ${name}.`
      context.report('connected-first', message)
    }
    context.state.isConnected = true
  }
  if (phase === 'open' || WITHOUT_SESSION.test(name)) return
  const isRefused = name === 'agent.state_restored' && context.metadata.state_integrity === 'failed'
  // Without a connection only connected-first is reported.
  if (!isOpening && !isFirst) {
    context.report(
      'session-opened',
      `Expected agent.session_created or agent.state_restored before ${name}, got neither.`,
    )
  }
  // What was restored continues in any stage.
  if (!isRefused) context.updateRound({ phase: 'open', isPartial: name === 'agent.state_restored' })
}

/** Checks content and metadata. */
export function checkPayload(context: CheckContext): void {
  for (const { path, message } of validateSessionPayload(context.event)) {
    if (path === '/session_id') continue
    context.report(path.endsWith('/error_code') ? 'error-code' : 'payload', message, { path })
  }
}

/** Checks numbers and acknowledgements. */
export function checkDelivery(context: CheckContext): void {
  const { highest, acked } = context.state
  const seq = seqOf(context.event)
  if (seq !== undefined && !context.name.startsWith('user.')) {
    if (highest >= 0) expectEqual(context, 'seq-contiguous', '/seq', highest + 1, seq)
    context.state.highest = Math.max(highest, seq)
  }
  const ack = context.name === 'user.ack' ? readSessionAck(context.event) : undefined
  if (ack === undefined) return
  expectBound(context, 'ack-range', '/content/last_seq', '>=', acked, ack)
  if (highest >= 0 && ack >= acked) expectBound(context, 'ack-range', '/content/last_seq', '<=', highest, ack)
  context.state.acked = Math.max(acked, ack)
}
