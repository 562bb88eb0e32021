/** An agent behind a handler, for the clients of other protocols: what they send reaches it as a function, without a socket. */
import { createCommand, type Receipt } from 'turnstream/commands'
import { type Agent, agentHandler, memoryStore } from 'turnstream/server'
import { expect, vi } from 'vitest'
import type { AgentHandlerOptions } from '../../src/server/handler/options.ts'

/** Waits until a check passes, however busy the machine is. Returns what it returns. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 5 })

export const textBefore = 'I have found a train at 08:12.'
export const textAfter = 'Your seat is booked.'
export const textDeclined = 'Nothing was booked.'
/** What only an operator sees of the agent. */
export const secret = 'sk-secret-note'

/** Steps of the agent that a test lets it take, and whether it was aborted. */
export interface Booking {
  readonly agent: Agent
  /** How many tasks have begun. */
  readonly begun: string[]
  readonly aborted: string[]
  /** How many calls were run. */
  calls: number
  /** Lets the agent go on in the middle of its first text. */
  go(): void
}

/** An agent that writes, asks to approve its calls, runs those that were approved, and writes again. */
export function booking({ calls = 1, isHeld = false }: { calls?: number; isHeld?: boolean } = {}): Booking {
  const gates: (() => void)[] = []
  const state: Booking = {
    begun: [],
    aborted: [],
    calls: 0,
    go() {
      for (const open of gates.splice(0)) open()
    },
    async *agent(task) {
      state.begun.push(String(task.input))
      let isOver = false
      task.signal.addEventListener('abort', () => isOver || state.aborted.push(String(task.input)))
      yield { kind: 'custom', name: 'acme.note', data: { secret }, metadata: { audience: ['operator'] } }
      yield { kind: 'content-delta', delta: textBefore.slice(0, 12) }
      if (isHeld) await new Promise<void>((resolve) => gates.push(resolve))
      yield { kind: 'content-delta', delta: textBefore.slice(12) }
      yield { kind: 'content-complete', content: textBefore }
      const named = Array.from({ length: calls }, (_, i) => ({
        ...{ toolCallId: `${task.taskId}-call-${i}`, toolName: 'book', arguments: `{"seat":${i}}` },
      }))
      const approvals = yield* task.approve(named)
      const approved = approvals.flatMap((each) => (each.status === 'approved' ? [each.call] : []))
      for (const { toolCallId, toolName, arguments: text } of approved) {
        yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(text) }
        state.calls++
        yield { kind: 'tool-complete', toolCallId, toolName, success: true, result: { seat: '12A' } }
      }
      yield { kind: 'content-complete', content: approved.length > 0 ? textAfter : textDeclined }
      isOver = true
    },
  }
  return state
}

export interface Handled {
  readonly handler: (request: Request) => Promise<Response>
  readonly errors: unknown[]
  /** What a client of a user sends its requests with. */
  fetchAs(user: string): (url: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Posts JSON as a user, and returns the response as text. Its status is 200. */
  postAs(user: string): (path: string, body: object) => Promise<string>
  /** Answers all that is asked in a conversation, as the native page of a user does. */
  answer(
    user: string,
    context: string,
    outcome?: 'answered' | 'declined' | { readonly value: unknown },
  ): Promise<Receipt>
}

export const root = 'http://localhost/agent'

export function handled(options: Partial<AgentHandlerOptions> & Pick<AgentHandlerOptions, 'agent'>): Handled {
  const errors: unknown[] = []
  const handler = agentHandler({
    store: memoryStore(),
    user: (request) => request.headers.get('x-user') ?? undefined,
    onError: (error) => void errors.push(error),
    ...options,
  })
  const fetchAs: Handled['fetchAs'] = (user) => (url, init) => {
    const request = new Request(url instanceof Request ? url : new URL(url, root), init)
    request.headers.set('x-user', user)
    request.headers.set('authorization', `Bearer ${user}`)
    return handler(request)
  }
  return {
    handler,
    errors,
    fetchAs,
    postAs: (user) => async (path, body) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetchAs(user)(`${root}${path}`, init)
      const text = await response.text()
      expect([response.status, text]).toEqual([200, expect.any(String)])
      return text
    },
    async answer(user, context, outcome = 'answered') {
      const send = fetchAs(user)
      const page = await (await send(`${root}/history?context=${context}`)).text()
      const asked = [...page.matchAll(/"kind":"input-required".*?"inputId":"([^"]+)"/g)].map(([, id]) => id)
      const response = typeof outcome === 'string' ? { outcome } : outcome
      const responses = [...new Set(asked)].map((inputId) => ({ inputId: inputId ?? '', ...response }))
      const sent = await send(`${root}?context=${context}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify(createCommand({ kind: 'input.respond', responses } as never)),
      })
      return (await sent.json()) as Receipt
    },
  }
}

/** The text of the chunks of a completion. */
export function completionIn(text: string): string {
  const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '{}']) => JSON.parse(data))
  return chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')
}
