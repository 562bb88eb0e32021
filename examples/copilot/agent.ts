/** An agent that books a trip, and asks before it does. */
import { setTimeout } from 'node:timers/promises'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import type { AgUiRunInput } from 'turnstream/ag-ui'

/** The task of each thread that waits for an answer. */
const waiting = new Map<string, string>()

export async function* bookTrip({
  threadId,
  runId,
  messages,
  resume,
}: AgUiRunInput): AsyncGenerator<ContextAnyEvent> {
  const taskId = waiting.get(threadId)
  const { emit } = createEmitter({ contextId: threadId, taskId: taskId ?? runId })
  const inputId = `${taskId ?? runId}/book`
  if (taskId === undefined) {
    const input = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    yield emit({ kind: 'task-created', initiator: 'user', metadata: { input: input as string } })
    const text = `I found a room for “${input}”. Shall I book it?`
    for (const delta of text.split(/(?<= )/)) {
      await setTimeout(10)
      yield emit({ kind: 'content-delta', delta })
    }
    yield emit({ kind: 'content-complete', content: text })
    yield emit({ kind: 'input-required', inputId, inputType: 'confirmation', prompt: 'Book the room?' })
    waiting.set(threadId, runId)
    yield emit({ kind: 'task-status', status: 'waiting-input' })
    return
  }
  waiting.delete(threadId)
  const isApproved = resume?.some(({ status }) => status === 'resolved') === true
  const outcome = isApproved ? 'answered' : 'declined'
  yield emit({ kind: 'input-received', inputId, providedBy: 'user', userId: 'guest', outcome })
  yield emit({ kind: 'task-status', status: 'working' })
  const call = { toolCallId: `${taskId}/call`, toolName: 'book_room' }
  if (isApproved) {
    yield emit({ kind: 'tool-start', ...call, arguments: { nights: 2 } })
    yield emit({ kind: 'tool-complete', ...call, success: true, result: { number: 7 } })
  }
  const content = isApproved ? 'Booked: room 7.' : 'Nothing was booked.'
  yield emit({ kind: 'content-complete', content })
  yield emit({ kind: 'task-status', status: 'completed' })
  yield emit({ kind: 'task-complete', content })
}
