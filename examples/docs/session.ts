import { type ContextAnyEvent, type Diagnostic, run } from 'turnstream'
import {
  createSessionEvent,
  decodeSessionEvent,
  formatSessionEventId,
  fromSessionEvents,
  type SessionEvent,
  selectReplay,
  sessionOutbox,
  sessionReceiver,
  sessionVerifier,
  toSessionEvents,
} from 'turnstream/session'

type OnDiagnostic = (diagnostic: Diagnostic) => void
const now = (): Date => new Date()

export interface SessionServer {
  emit(event: ContextAnyEvent): void
  /** Ends the stream of events. */
  end(): void
  /** Handles a message of the client. */
  receive(text: string): void
}

/** The server side of a session: sends events, and resends those that were lost. */
export function sessionServer(
  session_id: string,
  send: (text: string) => void,
  onDiagnostic: OnDiagnostic,
): SessionServer {
  const mapper = run(toSessionEvents({ sessionId: session_id }), { onDiagnostic })
  const outbox = run(sessionOutbox<SessionEvent>(), { onDiagnostic })
  let seq = 0
  const deliver = (events: readonly SessionEvent[]): void => {
    for (const event of events) {
      const sent = { ...event, seq, event_id: formatSessionEventId({ connection: session_id, seq }) }
      seq++
      outbox.push(sent)
      send(JSON.stringify(sent))
    }
  }
  return {
    emit: (event) => deliver(mapper.push(event)),
    end: () => deliver(mapper.end()),
    receive(text) {
      const decoded = decodeSessionEvent(parsed(text), { direction: 'client' })
      if (decoded.status !== 'known') return
      const { event } = decoded
      if (event.event === 'user.ack') outbox.push(event)
      if (event.event !== 'user.reconnect') return
      const { events } = selectReplay(outbox.state.kept, event.content)
      for (const kept of events) send(JSON.stringify(kept))
    },
  }
}

export interface SessionClient {
  /** Handles a message of the server. */
  receive(text: string): void
  /** The acknowledgement to send now and then: the server can drop what it covers. */
  ack(): string
  /** The first message of the next connection. */
  reconnect(): string
}

/** The client side: handles each event once, in any form that servers send in practice. */
export function sessionClient(
  session_id: string,
  onEvent: (event: ContextAnyEvent) => void,
  onDiagnostic: OnDiagnostic,
): SessionClient {
  const receiver = run(sessionReceiver(), { onDiagnostic })
  const verifier = run(sessionVerifier({ mode: 'lenient', direction: 'server', startIndex: 1 }), {
    onDiagnostic,
  })
  const mapper = run(fromSessionEvents(), { onDiagnostic })
  return {
    receive(text) {
      const decoded = decodeSessionEvent(parsed(text), { mode: 'lenient', direction: 'server' })
      if (decoded.status === 'invalid') return
      for (const repair of decoded.repairs) onDiagnostic(repair)
      for (const event of receiver.push(decoded.event)) {
        for (const { rule, message } of verifier.push(event)) onDiagnostic({ code: rule, message })
        for (const core of mapper.push(event)) onEvent(core)
      }
    },
    ack() {
      const { highest: last_seq } = receiver.state
      const content = last_seq < 0 ? null : { last_seq }
      return JSON.stringify(createSessionEvent('user.ack', content, undefined, { now, session_id }))
    },
    reconnect() {
      const { highest } = receiver.state
      const content = highest < 0 ? { session_id } : { session_id, last_seq: highest }
      return JSON.stringify(createSessionEvent('user.reconnect', content, undefined, { now }))
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
