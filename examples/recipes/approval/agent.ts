import type { EventDraft } from 'turnstream'
import type { Store, Stream, TaskName } from 'turnstream/server'

/** The conversation of a user. Each new message runs the agent, until its task ends or the user cancels it. */
export async function openConversation(store: Store, owner: string, contextId = 'main'): Promise<Stream> {
  return store.open(
    { owner, contextId },
    {
      onInput: (stream, { taskId, input }) =>
        stream.run({ contextId, taskId, input }, (signal) =>
          bookTable(stream, { contextId, taskId }, signal),
        ),
    },
  )
}

/** Books a table, if the user approves within 60 seconds. */
export async function* bookTable(
  stream: Pick<Stream, 'answer'>,
  task: TaskName,
  signal: AbortSignal,
): AsyncGenerator<EventDraft> {
  const inputId = crypto.randomUUID()
  const toolCall = { id: crypto.randomUUID(), function: { name: 'book', arguments: '{"seats":2}' } }
  const metadata = { toolCall, timeout: 60 }
  yield { kind: 'input-required', inputId, inputType: 'tool-execution', prompt: 'Book?', metadata }
  yield { kind: 'task-status', status: 'waiting-input' }
  const call = (await stream.answer({ inputId, ...task }, { signal }))?.call // None if declined or expired.
  if (call === undefined) return
  const { toolCallId, toolName, arguments: approved } = call // Perhaps edited by the user.
  yield { kind: 'tool-start', toolCallId, toolName, arguments: { ...approved } }
  yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: 'Booked.' }
}
