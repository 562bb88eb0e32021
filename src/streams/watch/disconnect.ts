/** Why a connection ended before the stream did. */
import type { Diagnostic } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'

/** Why a connection ended, as reported in `detail.reason`. */
export type Disconnect =
  /** `connect` rejected. */
  | { readonly reason: 'rejected'; readonly error: unknown }
  /** A status after which a later request may succeed. */
  | { readonly reason: 'status'; readonly status: number; readonly retryAfterMs: number }
  /** The body failed. */
  | { readonly reason: 'broken'; readonly error: unknown }
  /** The body ended. */
  | { readonly reason: 'ended' }
  /** Nothing came for too long. */
  | { readonly reason: 'idle'; readonly idleMs: number }
  /** Events are missing. */
  | { readonly reason: 'gap' }

const MAX_MESSAGE = 200

/** The diagnostic `disconnected`. */
export function disconnected(disconnect: Disconnect, failures: number, delayMs: number): Diagnostic {
  return {
    code: 'disconnected',
    message: `${describe(disconnect)} Reconnecting in ${delayMs} ms.`,
    detail: { ...disconnect, failures, delayMs },
  }
}

function describe(disconnect: Disconnect): string {
  switch (disconnect.reason) {
    case 'rejected':
      return `Expected a connection, got an error: ${messageOf(disconnect.error)}.`
    case 'status':
      return `Expected an event stream, got status ${disconnect.status}.`
    case 'broken':
      return `Expected the end of the stream, got an error of the connection: ${messageOf(disconnect.error)}.`
    case 'ended':
      return 'Expected the end of the stream, got the end of the connection.'
    case 'idle':
      return `Expected data within ${disconnect.idleMs} ms, got none.`
    case 'gap':
      return 'Expected the next events, got later ones or those of another epoch.'
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return describeValue(error)
  return String(error.message).slice(0, MAX_MESSAGE).replace(/\.$/, '')
}
