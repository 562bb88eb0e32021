/** The stream of a log, which is resumed and checked by its cursors. */
import { type Diagnostic, run } from '../../../core/machine.ts'
import { dialectTitles } from '../../../inspect/index.ts'
import type { Violation } from '../../../rules/violation.ts'
import { verifier } from '../../../streams/verify/index.ts'
import { watchStream } from '../../../streams/watch/index.ts'
import type { State } from '../state.ts'

/** Reads a log until it is closed, over as many connections as it takes. */
export async function readLog(
  state: State,
  signal: AbortSignal,
  connect: (lastEventId: string | undefined) => Response | Promise<Response>,
): Promise<void> {
  state.dialect = dialectTitles.core
  const onDiagnostic = ({ code, message }: Diagnostic): void => {
    // A connection that is lost loses nothing: the next one brings the rest.
    if (code !== 'disconnected') state.recording.losses.add(code)
    state.recording.report({ severity: 'warn', code, message })
  }
  let checks = run(verifier())
  const report = (violations: readonly Violation[]): void => {
    for (const { severity, rule, message, eventIndex, path } of violations) {
      const isAtEnd = eventIndex >= state.recording.events.length
      state.recording.report({
        severity,
        code: rule,
        message,
        ...(!isAtEnd && { index: eventIndex }),
        ...(path !== undefined && { path }),
      })
    }
  }
  for await (const { received } of watchStream(connect, { signal, onDiagnostic })) {
    if (received.type === 'reset') {
      checks = run(verifier())
      state.restart()
    }
    if (received.type === 'events' || received.type === 'reset') {
      for (const event of received.events ?? []) {
        state.recording.add(event)
        report(checks.push(event))
      }
    }
    if (received.type === 'closed') report(checks.end())
    state.grown()
  }
}
