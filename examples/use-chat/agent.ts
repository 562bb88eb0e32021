/** An agent that thinks, writes, asks and books. A model would stand in its place. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventDraft } from 'turnstream'
import type { Agent } from 'turnstream/server'

export const textBefore =
  'I have found a train at 08:12. It takes two hours, and there is a seat at the window.'
export const textAfter = 'Your seat is booked. Have a good trip!'

/** @param delayMs - Between two words. */
export function bookingAgent(delayMs: number): Agent {
  async function* write(content: string): AsyncGenerator<EventDraft> {
    for (const delta of content.match(/\S+\s*/g) ?? []) {
      yield { kind: 'content-delta', delta }
      await sleep(delayMs)
    }
    yield { kind: 'content-complete', content }
  }
  return async function* (task) {
    const content = `The user says: ${String(task.input)}`
    yield { kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief', content }
    yield* write(textBefore)
    const call = { toolCallId: 'book-1', toolName: 'book', arguments: '{"train":"08:12"}' }
    const [approval] = yield* task.approve([call])
    if (approval?.status !== 'approved') return
    const { toolCallId, toolName } = call
    yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(approval.call.arguments) }
    await sleep(delayMs)
    yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: { seat: '12A' } }
    yield* write(textAfter)
  }
}
