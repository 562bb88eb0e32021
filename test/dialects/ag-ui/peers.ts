// The oracles of AG-UI: the schemas and the client of the protocol's own packages.
import { createRequire } from 'node:module'
import type { AgUiEvent, AgUiMessage } from '../../../src/dialects/ag-ui/index.ts'

// Its ESM build loses errors on Node.
const require = createRequire(import.meta.url)

interface Observable {
  pipe(...operators: unknown[]): Observable
  subscribe(observer: {
    next?: (value: unknown) => void
    error: (error: Error) => void
    complete: () => void
  }): void
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>

const client = require('@ag-ui/client') as {
  verifyEvents: (debug: boolean) => (source: Observable) => Observable
  transformChunks: (debug: boolean) => (source: Observable) => Observable
  HttpAgent: new (options: { url: string; threadId?: string; fetch?: Fetch }) => HttpAgent
  AbstractAgent: new (options: { threadId: string }) => HttpAgent
}
// The copy that the client itself uses.
const clientRequire = createRequire(require.resolve('@ag-ui/client'))
const { from } = clientRequire('rxjs') as { from: (events: readonly unknown[]) => Observable }
const { EventSchemas } = require('@ag-ui/core/schemas') as {
  EventSchemas: { safeParse: (value: unknown) => { success: boolean; error?: { message: string } } }
}

/** The client for web pages. */
export interface HttpAgent {
  readonly messages: readonly { readonly id: string; readonly role: string; readonly content?: unknown }[]
  readonly state: unknown
  readonly pendingInterrupts: readonly { readonly id: string }[]
  addMessage(message: object): void
  runAgent(parameters?: object, subscriber?: object): Promise<unknown>
}

export const HttpAgent: typeof client.HttpAgent = client.HttpAgent

/** What the schemas of the protocol find wrong with each event. */
export function schemaErrorsOf(events: readonly AgUiEvent[]): string[] {
  return events.flatMap((event) => {
    const { success, error } = EventSchemas.safeParse(event)
    return success ? [] : [`${event.type}: ${error?.message}`]
  })
}

/** What the client finds wrong with the order of events: the first error. */
export function orderErrorsOf(events: readonly unknown[]): string[] {
  const errors: string[] = []
  const source = from(events)
  const checked = client.verifyEvents(false)(client.transformChunks(false)(source))
  checked.subscribe({ error: ({ message }) => errors.push(message), complete: () => undefined })
  return errors
}

/** The client over a stream that is there already. */
class LocalAgent extends client.AbstractAgent {
  events: readonly AgUiEvent[] = []

  run(): Observable {
    return from(structuredClone(this.events))
  }
}

/** What a page has after the runs of a stream, whose questions it declines, and the errors of the client. */
export interface Page {
  readonly messages: readonly AgUiMessage[]
  readonly state: unknown
  readonly errors: readonly string[]
}

export async function pageOf(
  events: readonly AgUiEvent[],
  before: readonly AgUiMessage[] = [],
): Promise<Page> {
  const agent = new LocalAgent({ threadId: 't' })
  for (const message of before) agent.addMessage({ ...message })
  const errors: string[] = []
  const starts = events.flatMap(({ type }, i) => (type === 'RUN_STARTED' ? [i] : []))
  for (const [nth, start] of starts.entries()) {
    agent.events = events.slice(start, starts[nth + 1])
    const resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' }))
    const onError = ({ message }: Error): void => {
      if (agent.events.at(-1)?.type !== 'RUN_ERROR') errors.push(message)
    }
    await agent.runAgent({ resume }).catch(onError)
  }
  return { messages: agent.messages as readonly AgUiMessage[], state: agent.state, errors }
}
