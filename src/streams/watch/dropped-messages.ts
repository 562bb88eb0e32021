/** Reporting the messages of a connection that may be no stream of this library. */
import type { Diagnostic } from '../../core/machine.ts'

/** How many dropped messages are reported of a connection before it brings anything. */
const MAX_REPORTED = 32

/** The codes of messages that are dropped as those of another protocol would be. */
const FOREIGN: readonly string[] = ['invalid-event', 'no-event-id']

/** Reports the diagnostics of a connection: of dropped messages a bounded number until it brings a batch or a reset. */
export class DroppedMessages {
  /** How many messages were dropped before anything was received; 0 from then on. */
  count = 0
  /** Why the last message was dropped. */
  last: Diagnostic | undefined
  #hasReceived = false
  readonly #onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined

  constructor(onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined) {
    this.#onDiagnostic = onDiagnostic
  }

  /** Reports a diagnostic of the decoder. */
  report(diagnostic: Diagnostic): void {
    if (this.#hasReceived || !FOREIGN.includes(diagnostic.code)) {
      this.#onDiagnostic?.(diagnostic)
      return
    }
    this.count++
    this.last = diagnostic
    if (this.count < MAX_REPORTED) this.#onDiagnostic?.(diagnostic)
    if (this.count !== MAX_REPORTED) return
    const message = `Expected messages of a stream, got ${MAX_REPORTED} others. No more are reported before the first event.`
    this.#onDiagnostic?.({ code: 'unknown-stream', message, detail: { last: diagnostic } })
  }

  /** The connection has brought a batch or a reset. */
  received(): void {
    this.#hasReceived = true
    this.count = 0
  }
}
