// Events as the body of a response: read at the pace of the client, and canceled with it.

import fc from 'fast-check'
import { run } from 'turnstream'
import { eventStream, sseDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

/** What every event with context has. */
const envelope = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }

const text = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text()

describe('eventStream', () => {
  it('encodes every event, in order', async () => {
    const events = fc.array(fc.record({ kind: fc.string({ unit: 'grapheme' }), data: jsonValue() }))
    await fc.assert(
      fc.asyncProperty(events, async (drafts) => {
        const events = drafts.map((draft) => ({ ...draft, ...envelope }))
        const messages = run(sseDecoder()).push(await text(eventStream(events, { internal: true })))
        expect(messages.map(({ data }) => JSON.parse(data))).toEqual(JSON.parse(JSON.stringify(events)))
      }),
      { numRuns: runs(200) },
    )
  })

  it('skips internal events, and ends', async () => {
    const events = ['internal:llm-call', 'custom', 'internal:llm-call'].map((kind) => ({ kind, ...envelope }))
    expect(await text(eventStream(events, { profile: 'data-only' }))).toBe(
      `data: ${JSON.stringify({ kind: 'custom', ...envelope })}\n\n`,
    )
  })

  it('reads no event before it is asked for one', async () => {
    let read = 0
    const body = eventStream(
      (function* () {
        for (;;) yield { kind: 'custom', ...envelope, n: read++ }
      })(),
    )
    const reader = body.getReader()
    await new Promise((resolve) => setTimeout(resolve))
    expect(read).toBe(0)
    await reader.read()
    expect(read).toBe(1)
  })

  it('cancels the source, also while it waits', async () => {
    const controller = new AbortController()
    const waiting = {
      next: () => new Promise<never>(() => {}),
      async return() {
        controller.abort()
        return { done: true as const, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
    const reader = eventStream(waiting).getReader()
    const read = reader.read()
    await reader.cancel()
    expect(controller.signal.aborted).toBe(true)
    expect((await read).done).toBe(true)
  })

  it('fails at a draft, which no client could read', async () => {
    await expect(text(eventStream([{ kind: 'custom', taskId: 't' } as { kind: string }]))).rejects.toThrow(
      new TypeError(
        '"event" must be an event with context, as createEmitter makes them, got one without "contextId" and "timestamp".',
      ),
    )
  })

  it('fails with the error of the source', async () => {
    const error = new Error('no more')
    // biome-ignore lint/correctness/useYield: it throws before its first event
    const failing = async function* (): AsyncGenerator<{ kind: string }> {
      throw error
    }
    await expect(text(eventStream(failing()))).rejects.toBe(error)
  })
})
