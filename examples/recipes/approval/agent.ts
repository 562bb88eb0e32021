import type { EventDraft } from 'turnstream'
import type { Store, Stream, TaskName } from 'turnstream/server'

/** The conversation of a user. Each new message runs the agent, until its task ends or the user cancels it. */
export async function openConversation(store: Store, owner: string, contextId = 'main'): Promise<Stream> {
  return store.open(
    { owner, contextId },
    {
      onInput: (stream, { taskId, input }) =>
        stream.run({ contextId, taskId, input }, () => bookTable(stream, { contextId, taskId })),
    },
  )
}

/** Books a table, if the user approves within 60 seconds. */
export async function* bookTable(stream: Stream, task: TaskName): AsyncGenerator<EventDraft> {
  const call = { toolCallId: `book-${task.taskId}`, toolName: 'book', arguments: '{"seats":2}' }
  const schema = { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } } }
  const options = { ...task, prompt: () => 'Book?', editable: { schema }, timeoutMs: 60_000 }
  const [approval] = yield* stream.approve([call], options)
  if (approval?.status !== 'approved') return // It was declined, or has expired.
  const { toolCallId, toolName, arguments: approved } = approval.call // Perhaps edited by the user.
  yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(approved) }
  yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: 'Booked.' }
}
