import { createEmitter } from 'turnstream'
import { createLedger, type LocalLedger, type Sender, type TaskSendCommand } from 'turnstream/commands'
import type { Stream } from 'turnstream/streams'

/** The ledger of a stream: all events of the agent pass through it. `start` gets each new message of a client. */
export const openLedger = (stream: Stream, start: (message: TaskSendCommand) => void): LocalLedger =>
  createLedger({
    append: (event) => stream.append(event),
    onOutput: (output) => {
      if (output.type === 'send') start(output.command)
    },
  })

/** `POST /commands`: responds with what became of the command. */
export async function takeCommand(ledger: LocalLedger, request: Request, user: Sender): Promise<Response> {
  const command: unknown = await request.json().catch(() => undefined) // What is no JSON is `invalid`.
  return Response.json(await ledger.submit(command, user))
}

/** An agent that asks before it calls a tool, and waits for 60 seconds. */
export async function bookTable(ledger: LocalLedger, args: object): Promise<void> {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  const toolCall = { id: 'call-1', function: { name: 'book', arguments: JSON.stringify(args) } }
  const metadata = { toolCall, timeout: 60 }
  await ledger.append(emit({ kind: 'task-created', initiator: 'user' }))
  await ledger.append(
    emit({
      kind: 'input-required',
      inputId: 'input-1',
      inputType: 'tool-execution',
      prompt: 'Book?',
      metadata,
    }),
  )
  await ledger.append(emit({ kind: 'task-status', status: 'waiting-input' }))
  const call = (await ledger.answer({ inputId: 'input-1' }))?.call // None if declined or expired.
  if (call !== undefined) {
    const { toolCallId, toolName, arguments: approved } = call // Perhaps edited by the user.
    await ledger.append(emit({ kind: 'tool-start', toolCallId, toolName, arguments: { ...approved } }))
    await ledger.append(
      emit({ kind: 'tool-complete', toolCallId, toolName, success: true, result: 'Booked.' }),
    )
  }
  await ledger.append(emit({ kind: 'task-status', status: 'completed' }))
}
