/** `useChat` over a stream of agentwire: whatever happens to the connection, the message continues where it was. */

import { type ContextAnyEvent, run } from 'agentwire'
import { toUiMessageStream } from 'agentwire/ai-sdk'
import { watchStream } from 'agentwire/streams'
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'

/** What the server answers: the task that writes the message, and the request that was just answered. */
interface Running {
  readonly taskId: string | null
  readonly inputId?: string
}

export class AgentwireTransport implements ChatTransport<UIMessage> {
  /** A message that is read again begins at its beginning. */
  readonly resumeStreamIsReplay = true
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async sendMessages({
    messages,
    abortSignal,
  }: {
    messages: UIMessage[]
    abortSignal: AbortSignal | undefined
  }): Promise<ReadableStream<UIMessageChunk>> {
    const body = JSON.stringify({ message: messages.at(-1) })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${this.#url}/messages`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(await response.text())
    return this.#read((await response.json()) as Running, abortSignal)
  }

  async reconnectToStream(): Promise<ReadableStream<UIMessageChunk> | null> {
    const running = (await (await fetch(this.#url)).json()) as Running
    return running.taskId === null ? null : this.#read(running)
  }

  /** The chunks of a task, until it ends or waits for the user. */
  #read({ taskId, inputId }: Running, signal?: AbortSignal): ReadableStream<UIMessageChunk> {
    const chunks = this.#chunks(taskId, inputId, signal)
    return new ReadableStream<UIMessageChunk>({
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await chunks.return()),
    })
  }

  async *#chunks(taskId: string | null, inputId: string | undefined, signal?: AbortSignal) {
    const connect = (lastEventId: string | undefined, signal: AbortSignal) =>
      fetch(`${this.#url}/events`, { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })
    const { push } = run(toUiMessageStream())
    // After an answer, the page has the message up to the question.
    let isNew = inputId === undefined
    for await (const { received } of watchStream(connect, { signal })) {
      if (received.type !== 'events' && received.type !== 'reset') continue
      for (const event of received.events ?? []) {
        if (!belongsTo(event, taskId)) continue
        isNew ||= event.kind === 'input-received' && event.inputId === inputId
        for (const chunk of push(event)) {
          if (!isNew) continue
          yield chunk as UIMessageChunk
          if (chunk.type === 'finish' || chunk.type === 'error' || chunk.type === 'abort') return
        }
      }
    }
  }
}

/** Whether an event is part of the message of a task. */
function belongsTo({ taskId, parentTaskId }: ContextAnyEvent, task: string | null): boolean {
  return taskId === task || parentTaskId !== undefined
}
