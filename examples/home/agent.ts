import type { EventDraft } from 'turnstream'
import type { AgentTask } from 'turnstream/server'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Writes as a model does, word by word. */
async function* write(text: string): AsyncGenerator<EventDraft> {
  for (const delta of text.split(/(?<= )/)) {
    yield { kind: 'content-delta', delta }
    await sleep(150)
  }
}

/** An agent without a model. It asks before it books. */
export async function* agent({ input, approve }: AgentTask): AsyncGenerator<EventDraft> {
  yield* write(
    `You wrote “${input}”. The restaurant at the harbor has a table at eight, with a view of the boats.`,
  )
  const [approval] = yield* approve([{ toolCallId: 'book', toolName: 'book', arguments: '{"seats":2}' }])
  if (approval?.status !== 'approved') return
  const { toolCallId, toolName, arguments: approved } = approval.call
  yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(approved) }
  yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: 'Table 7.' }
  yield* write('It is booked: table 7, by the window.')
}
