// Events as the body of a response: read at the pace of the client, and canceled with it.

import fc from 'fast-check'
import { type ContextAnyEvent, type Diagnostic, run } from 'turnstream'
import { encodeEvent, eventStream, sseDecoder } from 'turnstream/sse'
import type { Viewer } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { contextAnyEventSchema } from '../../src/events/records/schemas.ts'
import type { EventStreamOptions } from '../../src/sse/events/event-stream.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'
import { accepted } from '../support/zod-arbitrary.ts'

/** What every event with context has. */
const envelope = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }

const text = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text()

describe('eventStream', () => {
  it('encodes every event, in order', async () => {
    const events = fc.array(
      fc.record({ kind: fc.string({ unit: 'grapheme', minLength: 1 }), data: jsonValue() }),
    )
    await fc.assert(
      fc.asyncProperty(events, async (drafts) => {
        const events = drafts.map((draft) => ({ ...draft, ...envelope }))
        const messages = run(sseDecoder()).push(await text(eventStream(events, { viewer: 'all' })))
        expect(messages.map(({ data }) => JSON.parse(data))).toEqual(JSON.parse(JSON.stringify(events)))
      }),
      { numRuns: runs(200) },
    )
  })

  it('sends what the viewer may see, by default a user, and ends', async () => {
    const shown = { kind: 'custom', ...envelope, name: 'a.b', data: 1 }
    const label = (audience: string): object => ({ metadata: { audience: [audience] } })
    const events = [
      { kind: 'internal:checkpoint', ...envelope, iteration: 0 },
      shown,
      { kind: 'later', ...envelope },
      { ...shown, ...label('operator') },
    ]
    const message = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
    const sent = (options: EventStreamOptions): Promise<string> =>
      text(eventStream(events, { profile: 'data-only', ...options }))
    expect(await sent({})).toBe(message(shown))
    for (const viewer of ['all', { audience: 'operator' }] as const) {
      expect(await sent({ viewer })).toBe(events.map(message).join(''))
    }
  })

  it('sends nobody an event that is not valid, nor a null that counts as absent', async () => {
    const event = { kind: 'tool-start', ...envelope, toolCallId: 'k', toolName: 'n', arguments: {} }
    const events: { kind: string }[] = [
      Object.assign({}, event, { toolCallId: { a: 1 } }),
      Object.assign({}, event, { parentTaskId: null }),
    ]
    for (const viewer of ['all', { audience: 'operator' }, { audience: 'user' }] as const) {
      const codes: string[] = []
      const onDiagnostic = ({ code }: Diagnostic): unknown => codes.push(code)
      const sent = await text(eventStream(events, { viewer, profile: 'data-only', onDiagnostic }))
      expect(sent).toBe(`data: ${JSON.stringify(event)}\n\n`)
      expect(codes).toEqual(['invalid-event'])
    }
  })

  it('is what encodeEvent writes for the same viewer, of tasks on their own', async () => {
    const events = accepted(contextAnyEventSchema) as fc.Arbitrary<ContextAnyEvent>
    const viewers = fc.constantFrom<Viewer>(
      { audience: 'user' },
      { audience: 'observer' },
      { audience: 'parent' },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(events), viewers, async (list, viewer) => {
        const apart = list.map((event, i) => ({ ...event, contextId: `ctx-${i}` }))
        const each = apart.map((event) => encodeEvent(event, { viewer })).join('')
        expect(await text(eventStream(apart, { viewer }))).toBe(each)
      }),
      { numRuns: runs(200) },
    )
  })

  it('hides the thoughts of a subtask whose parent only an earlier event states', async () => {
    const created = { kind: 'subtask-created', ...envelope, subtaskId: 's', agentId: 'a', prompt: 'p' }
    const delta = {
      kind: 'thought-delta',
      ...envelope,
      taskId: 's',
      thoughtId: 'i',
      delta: 'x',
      index: 0,
      verbosity: 'brief',
    }
    const events: { kind: string }[] = [created, delta]
    expect(await text(eventStream(events))).not.toContain('thought-delta')
    expect(await text(eventStream(events, { viewer: { audience: 'parent' } }))).toContain('thought-delta')
  })

  it('reads no event before it is asked for one', async () => {
    let read = 0
    const body = eventStream(
      (function* () {
        for (;;) yield { kind: 'custom', ...envelope, name: 'a.b', data: read++ }
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
