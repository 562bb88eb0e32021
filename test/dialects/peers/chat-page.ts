// A page of the AI SDK: its own reader, over responses that come from a server or a recording.

import { ReadableStream } from 'node:stream/web'
import { readUIMessageStream, type UIMessage } from 'ai-sdk-6'
import type { Entry, Shown } from './recording.ts'

type Part = Record<string, unknown> & { type: string }

export class ChatPage {
  messages: UIMessage[] = []
  readonly #id: string
  readonly #answer: (request: object) => Promise<readonly object[]>
  #status: Shown['status'] = 'completed'

  constructor(id: string, answer: (request: object) => Promise<readonly object[]>) {
    this.#id = id
    this.#answer = answer
  }

  /** Posts the messages, and reads the response. */
  async run(): Promise<void> {
    const chunks = await this.#answer({ id: this.#id, trigger: 'submit-message', messages: this.messages })
    const last = this.messages.at(-1)
    let shown: UIMessage | undefined
    let isFailed = false
    const stream = ReadableStream.from(JSON.parse(JSON.stringify(chunks)) as object[])
    for await (const message of readUIMessageStream({
      ...(last?.role === 'assistant' && { message: last }),
      stream: stream as never,
      onError: () => (isFailed = true),
    }))
      shown = message
    if (last?.role === 'assistant') this.messages.pop()
    if (shown !== undefined) this.messages.push(JSON.parse(JSON.stringify(shown)) as UIMessage)
    const waits = this.#calls().some(
      ({ state }) => state === 'approval-requested' || state === 'input-available',
    )
    this.#status = isFailed ? 'failed' : waits ? 'waiting' : 'completed'
  }

  /** Answers all calls that wait. */
  answer(change: object): void {
    for (const part of this.#calls()) {
      if (part.state !== 'approval-requested' && part.state !== 'input-available') continue
      const approval = { ...(part.approval as object), ...(change as { approval?: object }).approval }
      Object.assign(part, change, part.approval === undefined ? {} : { approval })
    }
  }

  #calls(): Part[] {
    const parts = (this.messages.at(-1)?.parts ?? []) as Part[]
    return parts.filter(({ toolCallId }) => toolCallId !== undefined)
  }

  shown(): Shown {
    const entries = this.messages.flatMap(({ role, parts }) =>
      (parts as Part[]).flatMap((part): Entry[] => {
        const { type, text, toolName, input, output, errorText } = part
        if (type === 'text') return [[role === 'user' ? 'user' : 'text', String(text)]]
        if (type === 'reasoning') return [['thought', String(text)]]
        if (part.toolCallId === undefined) return []
        const name = String(toolName ?? type.slice('tool-'.length))
        const result = output ?? errorText ?? (part.state === 'output-denied' ? 'denied' : null)
        return [['call', name, input, result]]
      }),
    )
    return { status: this.#status, entries }
  }
}
