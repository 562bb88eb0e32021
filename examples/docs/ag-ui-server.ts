import { type ContextAnyEvent, run } from 'turnstream'
import { type AgUiEvent, type AgUiRunInput, decodeRunAgentInput, toAgUi } from 'turnstream/ag-ui'
import { encodeJson, eventStreamHeaders } from 'turnstream/sse'

/** Any agent: answers a request, which has the messages of the thread and answers to questions, with events. */
export type Agent = (request: AgUiRunInput) => AsyncIterable<ContextAnyEvent>

/** What the mapper knows of each thread, as a task that asks continues in the next run. */
const states = new Map<string, ReturnType<typeof toAgUi>['initial']>()

async function* runOf(request: AgUiRunInput, agent: Agent): AsyncGenerator<AgUiEvent> {
  const { threadId, runId } = request
  const machine = toAgUi({ threadId, runId, messages: request.messages })
  const mapper = run(machine, { state: states.get(threadId) ?? machine.initial })
  for await (const event of agent(request)) yield* mapper.push(event)
  yield* mapper.end()
  states.set(threadId, mapper.state)
}

/** Answers the POST of an AG-UI client. */
export async function answer(request: Request, agent: Agent): Promise<Response> {
  const input: unknown = await request.json().catch(() => undefined) // A body that is not JSON is invalid.
  const decoded = decodeRunAgentInput(input)
  if (decoded.status === 'invalid') return Response.json(decoded.issues, { status: 400 })
  const events = runOf(decoded.event, agent)
  const encoder = new TextEncoder()
  let position = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next()
      // AG-UI has no ids. Clients that know them can ask where to go on.
      if (done === true) controller.close()
      else
        controller.enqueue(encoder.encode(encodeJson(value, { id: `${decoded.event.runId}/${position++}` })))
    },
    cancel: async () => void (await events.return(undefined)),
  })
  return new Response(body, { headers: eventStreamHeaders })
}
