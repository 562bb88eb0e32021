import { type ContextAnyEvent, iterate, pipe } from 'turnstream'
import { type AgUiRunInput, fromAgUi } from 'turnstream/ag-ui'
import { jsonDecoder } from 'turnstream/sse'

/** Asks an AG-UI agent, whatever framework it is written with. */
export async function* ask(url: string, content: string): AsyncGenerator<ContextAnyEvent> {
  const input: AgUiRunInput = {
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: crypto.randomUUID(), role: 'user', content }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (!response.ok || response.body === null) throw new Error(`Expected a stream, got ${response.status}.`)
  const onDiagnostic = ({ code, message }: { code: string; message: string }): void =>
    console.warn(code, message)
  yield* iterate(pipe(jsonDecoder(), fromAgUi({ request: input })), response.body, { onDiagnostic })
}
