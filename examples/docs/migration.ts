import { type ContextAnyEvent, createEmitter, type EventDraft, run } from 'turnstream'
import { type Violation, verifier } from 'turnstream/streams'

/** The events that an application has sent so far. */
export type OwnEvent =
  | { type: 'start'; question: string }
  | { type: 'token'; text: string }
  | { type: 'tool'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'toolResult'; id: string; name: string; output: unknown }
  | { type: 'done' }
  | { type: 'error'; message: string }

/** Maps each event of the application. The compiler reports a type that is missing here. */
function mapper(): (event: OwnEvent) => EventDraft[] {
  let text = ''
  // turnstream states where a text ends, and repeats it whole, for clients that show no deltas.
  const endText = (): EventDraft[] => {
    const content = text
    text = ''
    return content === '' ? [] : [{ kind: 'content-complete', content }]
  }
  return (event) => {
    switch (event.type) {
      case 'start':
        return [
          { kind: 'task-created', initiator: 'user', metadata: { input: event.question } },
          { kind: 'task-status', status: 'working' },
        ]
      case 'token':
        text += event.text
        return [{ kind: 'content-delta', delta: event.text }]
      case 'tool': {
        const { id: toolCallId, name: toolName, input } = event
        return [...endText(), { kind: 'tool-start', toolCallId, toolName, arguments: input }]
      }
      case 'toolResult': {
        const { id: toolCallId, name: toolName, output } = event
        return [{ kind: 'tool-complete', toolCallId, toolName, success: true, result: output }]
      }
      case 'done':
        return [...endText(), { kind: 'task-status', status: 'completed' }, { kind: 'task-complete' }]
      case 'error': {
        const error = { code: 'provider_error', message: event.message, retry: 'retryable' } as const
        return [{ kind: 'task-status', status: 'failed', error }]
      }
    }
  }
}

/** Writes both streams. Violations of the rules are logged; no event is held back. */
export function dualWrite(
  task: { contextId: string; taskId: string },
  send: { own(event: OwnEvent): void; turnstream(event: ContextAnyEvent): void },
  log: (violation: Violation) => void,
): (event: OwnEvent) => void {
  const { emit } = createEmitter(task)
  const draftsOf = mapper()
  const checks = run(verifier({ mode: 'standard' }))
  return (event) => {
    send.own(event)
    for (const draft of draftsOf(event)) {
      const emitted = emit(draft)
      for (const violation of checks.push(emitted)) log(violation)
      send.turnstream(emitted)
    }
  }
}
