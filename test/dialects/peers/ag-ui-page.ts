// A page of AG-UI: the protocol's own client, over responses that come from a server or a recording.

import { createRequire } from 'node:module'
import type { AgUiMessage, AgUiRunInput } from 'turnstream/ag-ui'
import type { Entry, Shown, Turn } from './recording.ts'

// Its ESM build loses errors on Node.
const require = createRequire(import.meta.url)

interface Client {
  messages: readonly AgUiMessage[]
  readonly pendingInterrupts: readonly { readonly id: string }[]
  addMessage(message: object): void
  runAgent(parameters?: object, subscriber?: object): Promise<unknown>
}

const { HttpAgent } = require('@ag-ui/client') as {
  HttpAgent: new (options: {
    url: string
    threadId: string
    fetch: (url: string, init: RequestInit) => Promise<Response>
  }) => Client
}

/** Answers a request with a response. */
export type Answer = (request: AgUiRunInput) => Promise<Response>

export class AgUiPage {
  readonly client: Client
  readonly turns: Turn[] = []
  #status: Shown['status'] = 'completed'

  constructor(threadId: string, answer: Answer) {
    this.client = new HttpAgent({
      ...{ url: 'http://localhost', threadId },
      fetch: async (_, init) => answer(JSON.parse(String(init.body)) as AgUiRunInput),
    })
  }

  /** Posts a request, and reads the response. */
  async run(request: Partial<AgUiRunInput>): Promise<void> {
    let isFailed = false
    let pending: readonly unknown[] = []
    let asked = false
    const onRunFinishedEvent = ({
      event,
    }: {
      event: { outcome?: { pendingToolCallIds?: string[] } }
    }): void => {
      pending = event.outcome?.pendingToolCallIds ?? []
    }
    const onCustomEvent = ({ event }: { event: { name: string } }): void => {
      if (event.name === 'on_interrupt') asked = true
    }
    const onRunErrorEvent = (): void => {
      isFailed = true
    }
    await this.client
      .runAgent(request, { onRunErrorEvent, onRunFinishedEvent, onCustomEvent })
      .catch(() => (isFailed = true))
    const { messages, pendingInterrupts } = this.client
    const results = new Set(messages.map((message) => (message.role === 'tool' ? message.toolCallId : '')))
    const last = messages.at(-1)
    const own = new Set(request.tools?.map(({ name }) => name))
    const isOwn =
      last?.role === 'assistant' &&
      last.toolCalls?.some(({ id, function: { name } }) => own.has(name) && !results.has(id))
    const waits = pendingInterrupts.length > 0 || pending.length > 0 || asked || isOwn === true
    this.#status = isFailed ? 'failed' : waits ? 'waiting' : 'completed'
  }

  shown(): Shown {
    const { messages } = this.client
    const results = new Map(
      messages.flatMap((each) => (each.role === 'tool' ? [[each.toolCallId, each]] : [])),
    )
    const entries = messages.flatMap((message): Entry[] => {
      const { role, content } = message
      if (role === 'user') return [['user', textOf(content)]]
      if (role === 'reasoning') return textOf(content) === '' ? [] : [['thought', textOf(content)]]
      if (role !== 'assistant') return []
      const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: args } }): Entry => {
        const result = results.get(id)
        const text = result === undefined ? null : (result.error ?? result.content)
        return ['call', name, jsonOf(args), jsonOf(text)]
      })
      return [...(content ? [['text', textOf(content)] as const] : []), ...calls]
    })
    return { status: this.#status, entries }
  }
}

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content))

/** The value of a text that is JSON. */
export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? null
  try {
    return JSON.parse(text || '{}') as unknown
  } catch {
    return text
  }
}
