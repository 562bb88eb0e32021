/** The stream of a log, which is resumed and checked by its cursors. */
import { type Diagnostic, run } from '../../../core/machine.ts'
import { dialectTitles } from '../../../inspect/index.ts'
import type { Violation } from '../../../rules/violation.ts'
import { verifier } from '../../../streams/verify/index.ts'
import { watchStream } from '../../../streams/watch/index.ts'
import { RawLines } from '../../model/raw-lines.ts'
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
  const raw = new RawLines()
  state.recording.raw = raw
  const connectLines = async (
    lastEventId: string | undefined,
  ): Promise<Response | ReadableStream<string>> => {
    const response = await connect(lastEventId)
    return response.ok && response.body ? inLines(response.body, raw) : response
  }
  for await (const { received } of watchStream(connectLines, { signal, onDiagnostic })) {
    if (received.type === 'reset') {
      checks = run(verifier())
      state.restart()
      state.recording.raw = raw
    }
    if (received.type === 'events' || received.type === 'reset') {
      for (const event of received.events ?? []) {
        state.recording.add(event, raw.dataLine)
        report(checks.push(event))
      }
    }
    if (received.type === 'closed') report(checks.end())
    state.grown()
  }
}

/** A body line by line: what is received belongs to the line that was read last. */
function inLines(body: ReadableStream<Uint8Array>, raw: RawLines): ReadableStream<string> {
  const source = body.getReader()
  const decoder = new TextDecoder()
  let lines: string[] = []
  return new ReadableStream(
    {
      async pull(controller) {
        while (lines.length === 0) {
          const { done, value } = await source.read()
          if (done) return controller.close()
          lines = decoder.decode(value, { stream: true }).match(/[^\r\n]*[\r\n]|[^\r\n]+/g) ?? []
        }
        const line = lines.shift() ?? ''
        raw.push(line)
        controller.enqueue(line)
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
