import { type ContextAnyEvent, createEmitter } from 'turnstream'
import type { Ledger } from 'turnstream/commands'

/** Books a table, if the user approves within 60 seconds. */
export async function* bookTable(
  ledger: Pick<Ledger, 'answer'>,
  task: { contextId: string; taskId: string },
  signal: AbortSignal,
): AsyncGenerator<ContextAnyEvent> {
  const { emit } = createEmitter(task)
  const inputId = crypto.randomUUID()
  const toolCall = { id: crypto.randomUUID(), function: { name: 'book', arguments: '{"seats":2}' } }
  const metadata = { toolCall, timeout: 60 }
  yield emit({ kind: 'task-created', initiator: 'user' })
  yield emit({ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: 'Book?', metadata })
  yield emit({ kind: 'task-status', status: 'waiting-input' })
  const { contextId } = task
  const call = (await ledger.answer({ inputId, contextId }, { signal }))?.call // None if declined or expired.
  if (call !== undefined) {
    const { toolCallId, toolName, arguments: approved } = call // Perhaps edited by the user.
    yield emit({ kind: 'tool-start', toolCallId, toolName, arguments: { ...approved } })
    yield emit({ kind: 'tool-complete', toolCallId, toolName, success: true, result: 'Booked.' })
  }
  yield emit({ kind: 'task-status', status: 'completed' })
}
