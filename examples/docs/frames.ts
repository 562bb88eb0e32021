import { type ContextAnyEvent, type Diagnostic, run } from 'turnstream'
import { decodeFrame, encodeFrame, frameVerifier, fromFrames, toFrames } from 'turnstream/frames'

export interface ReadLog {
  readonly events: readonly ContextAnyEvent[]
  /** Invalid frames, violated rules, and diagnostics of the conversion. */
  readonly diagnostics: readonly string[]
}

/** Converts a log, one frame per line, to events. */
export function readLog(lines: Iterable<string>, version: 'v1' | 'v2'): ReadLog {
  const events: ContextAnyEvent[] = []
  const diagnostics: string[] = []
  const onDiagnostic = ({ code, message }: Diagnostic): void => void diagnostics.push(`${code}: ${message}`)
  const mapper = run(fromFrames(), { onDiagnostic })
  const verifier = run(frameVerifier({ version }), { onDiagnostic })
  for (const line of lines) {
    const decoded = decodeFrame(parsed(line), { version })
    if (decoded.status === 'invalid') {
      diagnostics.push(...decoded.issues.map(({ path, message }) => `${path} ${message}`.trim()))
      continue
    }
    for (const { rule, stream, seq } of verifier.push(decoded.event))
      diagnostics.push(`${rule}: ${stream} ${seq}`)
    events.push(...mapper.push(decoded.event))
  }
  for (const { rule, stream } of verifier.end()) diagnostics.push(`${rule}: ${stream} at the end`)
  return { events: [...events, ...mapper.end()], diagnostics }
}

/** Converts events to a log of version 1; losses are reported as diagnostics. */
export function writeLog(
  events: Iterable<ContextAnyEvent>,
  sessionId: string,
  onDiagnostic: (diagnostic: Diagnostic) => void,
): string[] {
  const newId = (): string => crypto.randomUUID()
  const { push, end } = run(toFrames({ version: 'v1', sessionId, newId }), { onDiagnostic })
  return [...[...events].flatMap(push), ...end()].map(encodeFrame)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
