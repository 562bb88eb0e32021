/** Connecting again after a connection was lost. */
import { sleep } from '../core/timer.ts'
import { backoffDelay } from '../streams/watch/backoff.ts'
import { messageOf, unexpectedStatus } from './response.ts'

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

/** How to connect, and who learns of it. */
export interface Connector {
  readonly connect: (lastEventId: string | undefined) => Promise<Response>
  readonly signal: AbortSignal
  /** Called before each attempt, with why and from where it reads on. */
  readonly onLost: (message: string) => void
  /** Called when an attempt has succeeded. */
  readonly onResumed: () => void
  /** Called when there are no more attempts, with why. */
  readonly onGivenUp: (message: string) => void
}

/** The attempts to connect again. Each is reported. */
export class Reconnects {
  readonly #connector: Connector
  #failures = 0

  constructor(connector: Connector) {
    this.#connector = connector
  }

  /** The connection brought something: the next wait is a short one. */
  received(): void {
    this.#failures = 0
  }

  /**
   * The next connection. `undefined` if there is none: the server refuses, or too many attempts have failed.
   *
   * @param reason - Why the connection was lost.
   */
  async next(reason: string, { lastEventId, retry }: Resume): Promise<Response | undefined> {
    const { connect, signal, onLost, onResumed, onGivenUp } = this.#connector
    for (let fault = reason; ; ) {
      if (++this.#failures > MAX_FAILURES) {
        onGivenUp(givenUp(fault, `${MAX_FAILURES} attempts have failed`))
        return undefined
      }
      const place =
        lastEventId === '' ? 'the start' : `the message with the id ${JSON.stringify(lastEventId)}`
      onLost(`The connection was lost (${fault}): reading on from ${place}.`)
      const backoff = { failures: this.#failures, min: MIN_DELAY_MS, retry, max: MAX_DELAY_MS }
      await sleep(backoffDelay(backoff, Math.random), signal)
      if (signal.aborted) return undefined
      try {
        const response = await connect(lastEventId === '' ? undefined : lastEventId)
        const { ok, status } = response
        if (ok) {
          onResumed()
          return response
        }
        fault = unexpectedStatus(status)
        if (status < 500 && !TEMPORARY.includes(status)) {
          onGivenUp(givenUp(fault, 'the server refuses'))
          return undefined
        }
      } catch (error) {
        if (signal.aborted) return undefined
        fault = messageOf(error)
      }
    }
  }
}

/** The message for a connection that was lost for good. */
export function givenUp(reason: string, why: string): string {
  return `The connection was lost (${reason}) and cannot be resumed: ${why}.`
}
