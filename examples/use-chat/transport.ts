/** `useChat` over a stream of turnstream: whatever happens to the connection, the message continues where it was. */

import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import { type ContextAnyEvent, run } from 'turnstream'
import { toUiMessageStream } from 'turnstream/ai-sdk'
import { watchStream } from 'turnstream/streams'

/** The task that is writing a message, if there is one, and the request of it that was answered last. */
export interface Running {
  readonly taskId: string | null
  readonly inputId?: string | undefined
}

export class TurnstreamTransport implements ChatTransport<UIMessage> {
  /** A message that is read again begins at its beginning. */
  readonly resumeStreamIsReplay = true
  readonly #url: string
  readonly #running: Running

  /** @param running - What the page has loaded with its messages: by now, the task may wait or have ended. */
  constructor(url: string, running: Running) {
    this.#url = url
    this.#running = running
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
    return this.#read(false, (await response.json()) as Running, abortSignal)
  }

  async reconnectToStream(): Promise<ReadableStream<UIMessageChunk> | null> {
    return this.#running.taskId === null ? null : this.#read(true, this.#running)
  }

  /** The chunks of a task, until it ends or waits for the user: from its beginning, or from the answer on. */
  #read(isReplay: boolean, running: Running, signal?: AbortSignal): ReadableStream<UIMessageChunk> {
    const chunks = this.#chunks(isReplay, running, signal)
    return new ReadableStream<UIMessageChunk>({
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await chunks.return()),
    })
  }

  async *#chunks(isReplay: boolean, { taskId, inputId }: Running, signal?: AbortSignal) {
    const connect = (lastEventId: string | undefined, signal: AbortSignal) =>
      fetch(`${this.#url}/events`, { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })
    const { push } = run(toUiMessageStream())
    let isAnswered = inputId === undefined
    for await (const { received } of watchStream(connect, { signal })) {
      if (received.type !== 'events' && received.type !== 'reset') continue
      for (const event of received.events ?? []) {
        if (!belongsTo(event, taskId)) continue
        isAnswered ||= event.kind === 'input-received' && event.inputId === inputId
        for (const chunk of push(event)) {
          const isEnd = chunk.type === 'finish' || chunk.type === 'error' || chunk.type === 'abort'
          // Before the answer, an end is the pause at the question, up to which a page that answers has the message.
          if (!isAnswered && (isEnd || !isReplay)) continue
          yield chunk as UIMessageChunk
          if (isEnd) return
        }
      }
    }
  }
}

/** Whether an event is part of the message of a task. */
function belongsTo({ taskId, parentTaskId }: ContextAnyEvent, task: string | null): boolean {
  return taskId === task || parentTaskId !== undefined
}
