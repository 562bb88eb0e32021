/** Connecting again after a connection was lost. */
import { backoffDelay } from '../../../streams/watch/backoff.ts'
import type { State } from '../state.ts'
import { type LiveStream, messageOf, unexpectedStatus } from './connect.ts'

/** The longest first wait before reconnecting, in milliseconds, unless the server states a longer one. */
const MIN_DELAY_MS = 500
/** The longest wait, in milliseconds. */
const MAX_DELAY_MS = 30_000
/** So many connections in a row that bring nothing are the last. */
const MAX_FAILURES = 10
/** Statuses below 500 after which another attempt may succeed. */
const TEMPORARY = [408, 425, 429]

/** Where a stream is continued. */
export interface Resume {
  /** The id of the last message. Empty: the stream is read from its start. */
  readonly lastEventId: string
  /** The reconnection time that the server sent, in milliseconds. `undefined`: none. */
  readonly retry: number | undefined
}

/** The attempts to connect again. Each is reported. */
export class Reconnects {
  readonly #state: State
  readonly #connect: LiveStream['connect']
  readonly #signal: AbortSignal
  #failures = 0

  constructor(state: State, connect: LiveStream['connect'], signal: AbortSignal) {
    this.#state = state
    this.#connect = connect
    this.#signal = signal
  }

  /** The connection brought something: the next wait is a short one. */
  received(): void {
    this.#failures = 0
  }

  /**
   * The next connection. `undefined` if there is none: the stream is at its end, the server refuses, or too many attempts
   * have failed.
   *
   * @param reason - Why the connection was lost.
   */
  async next(reason: string, { lastEventId, retry }: Resume): Promise<Response | undefined> {
    const state = this.#state
    for (let fault = reason; ; ) {
      if (++this.#failures > MAX_FAILURES)
        return reportLost(state, fault, `${MAX_FAILURES} attempts have failed`)
      const place =
        lastEventId === '' ? 'the start' : `the message with the id ${JSON.stringify(lastEventId)}`
      const message = `The connection was lost (${fault}): reading on from ${place}.`
      state.recording.report({ severity: 'warn', code: 'disconnected', message })
      state.progress = 'Reconnecting'
      state.grown()
      const backoff = { failures: this.#failures, min: MIN_DELAY_MS, retry, max: MAX_DELAY_MS }
      await delay(backoffDelay(backoff, Math.random), this.#signal)
      if (this.#signal.aborted) return undefined
      try {
        const response = await this.#connect(lastEventId === '' ? undefined : lastEventId)
        if (response.ok) {
          state.progress = 'Live'
          return response
        }
        const { status } = response
        fault = unexpectedStatus(status)
        if (status < 500 && !TEMPORARY.includes(status)) return reportLost(state, fault, 'the server refuses')
      } catch (error) {
        if (this.#signal.aborted) return undefined
        fault = messageOf(error)
      }
    }
  }
}

/** Reports that a connection was lost for good. */
export function reportLost(state: State, reason: string, why: string): undefined {
  const message = `The connection was lost (${reason}) and cannot be resumed: ${why}.`
  state.recording.losses.add('disconnected')
  state.recording.report({ severity: 'error', code: 'disconnected', message })
}

/** Waits, or until the signal is aborted. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
