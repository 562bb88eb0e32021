// The oracles of AG-UI: the schemas and the client of the protocol's own packages.
import { createRequire } from 'node:module'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'

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

const client = require('@ag-ui/client') as {
  verifyEvents: (debug: boolean) => (source: Observable) => Observable
  transformChunks: (debug: boolean) => (source: Observable) => Observable
  HttpAgent: new (options: { url: string; threadId?: string }) => HttpAgent
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
