/** An agent that thinks, writes, asks and books. A model would stand in its place. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from './chat.ts'

export const textBefore =
  'I have found a train at 08:12. It takes two hours, and there is a seat at the window.'
export const textAfter = 'Your seat is booked. Have a good trip!'

/** @param delayMs - Between two words. */
export function bookingAgent(delayMs: number): Agent {
  return async (text, emit, ask) => {
    emit({
      kind: 'thought-stream',
      thoughtType: 'planning',
      verbosity: 'brief',
      content: `The user says: ${text}`,
    })
    const write = async (content: string): Promise<void> => {
      for (const delta of content.match(/\S+\s*/g) ?? []) {
        emit({ kind: 'content-delta', delta })
        await sleep(delayMs)
      }
      emit({ kind: 'content-complete', content })
    }
    await write(textBefore)
    const call = { toolCallId: `call-${text.length}`, toolName: 'book', input: { train: '08:12' } }
    if (!(await ask(call))) return
    const { input, ...tool } = call
    emit({ kind: 'tool-start', ...tool, arguments: input })
    await sleep(delayMs)
    emit({ kind: 'tool-complete', ...tool, success: true, result: { seat: '12A' } })
    await write(textAfter)
  }
}
