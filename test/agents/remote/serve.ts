// A stream that runs a remote agent.
import { type ContextAnyEvent, run } from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent, type Store } from 'turnstream/server'
import { emptyView, foldEvents, type TaskView, verifier } from 'turnstream/streams'
import { afterEach, expect, vi } from 'vitest'
import type { StoreOptions } from '../../../src/server/store.ts'
import { anyone } from '../../support/anyone.ts'

const user: Sender = { role: 'user', id: 'ann' }
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

/** What a task was. */
export interface Seen {
  readonly events: readonly ContextAnyEvent[]
  readonly task: TaskView | undefined
  readonly errors: readonly string[]
  readonly codes: readonly string[]
}

export type Response = { readonly outcome?: 'answered' | 'declined'; readonly value?: unknown }

/** Runs a task, and answers what it asks. */
export async function ran(
  agent: Agent,
  answerOf: (inputId: string) => Response = () => ({ outcome: 'answered' }),
  options: StoreOptions = {},
): Promise<Seen> {
  const codes: string[] = []
  const errors: string[] = []
  const store = memoryStore({ ...anyone, onDiagnostic: ({ code }) => codes.push(code), ...options })
  stores.push(store)
  const onError = (error: unknown): void => void errors.push(String(error))
  let isDone = false
  const stream = await store.open('s', {
    onInput: async (stream, input) => {
      await runAgent(stream, input, agent, onError).catch(onError)
      isDone = true
    },
  })
  await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'Pay.' }), user)
  await vi.waitUntil(
    async () => {
      for (const { id: inputId } of await stream.requests()) {
        const responses = [{ inputId, ...answerOf(inputId) }]
        await stream.submit(createCommand({ kind: 'input.respond', contextId: 'c', responses }), user)
      }
      return isDone
    },
    { interval: 2 },
  )
  const { events } = (await stream.log.read()) as unknown as { events: ContextAnyEvent[] }
  const { push } = run(verifier({ mode: 'strict' }))
  const found = events.flatMap((event) => push(event)).filter(({ severity }) => severity === 'error')
  expect(found).toEqual([])
  return { events, task: foldEvents(emptyView, events).tasks[0], errors, codes }
}

/** A response with messages of JSON. */
export function sse(...messages: readonly object[]): { ok: true; status: 200; body: readonly string[] } {
  return { ok: true, status: 200, body: messages.map((each) => `data: ${JSON.stringify(each)}\n\n`) }
}
