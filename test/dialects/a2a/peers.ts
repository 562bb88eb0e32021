/** Helpers of the tests against the SDKs: a stream to send, an agent that sends it, and SSE to read. */

import { readFileSync } from 'node:fs'
import { wrapJsonRpc } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { encodeJson } from '../../../src/sse/index.ts'
import type { Agent } from './mount.ts'

const file = new URL('../../fixtures/a2a/report.json', import.meta.url)
const report = JSON.parse(readFileSync(file, 'utf8')) as readonly [kind: string, fields: object][]

/** One task with every kind of event: a question, an authentication, files, data, thoughts and tools. */
export function reportEvents(ids: { taskId: string; contextId: string }): ContextAnyEvent[] {
  return report.map(([kind, fields], i) => {
    const { taskId, contextId } = ids
    const timestamp = new Date(Date.UTC(2026, 2, 4, 5, 6, i)).toISOString()
    return { kind, taskId, contextId, ...fields, timestamp } as unknown as ContextAnyEvent
  })
}

/** An agent that replays events: those up to a question for one request, the others for the next. */
export function playing(events: (ids: { taskId: string; contextId: string }) => ContextAnyEvent[]): Agent {
  const sent = new Map<string, number>()
  return async function* play({ taskId, contextId }) {
    const all = events({ taskId, contextId })
    for (let i = sent.get(taskId) ?? 0; i < all.length; i++) {
      const event = all[i]
      sent.set(taskId, i + 1)
      if (event === undefined) return
      yield event
      const next = all[i + 1]
      if (event.kind === 'input-required' && next?.kind !== 'task-status') return
      if (event.kind === 'task-status' && event.status === 'waiting-input') return
    }
  }
}

/** An HTTP response whose body is split into small chunks, inside lines and characters. */
export function sseResponse(items: readonly unknown[], wrap: (item: unknown) => unknown): Response {
  const bytes = new TextEncoder().encode(items.map((item) => encodeJson(wrap(item))).join(''))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** A `fetch` that answers with items, each in a JSON-RPC response to the request. */
export function jsonRpcFetch(items: readonly unknown[]): typeof fetch {
  return async (_, init) => {
    const { id } = JSON.parse(String(init?.body)) as { id: string | number }
    return sseResponse(items, (item) => wrapJsonRpc(id, item))
  }
}

/** Copies of all items as they arrived: the SDK of 0.3 changes items it has already returned. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of source) all.push(structuredClone(item))
  return all
}
