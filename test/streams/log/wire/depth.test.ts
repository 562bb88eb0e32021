// Proves that the depth of an event is measured of the event: whatever a reader can read live, a reset brings as well.
import fc from 'fast-check'
import { type ContextAnyEvent, eventDecoder, run } from 'turnstream'
import { batchDecoder, createStream, encodeBatch, watchStream } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../support/runs.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }

/** A value with as many levels of arrays and objects. */
function nested(levels: number, isArray: boolean): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = isArray ? [value] : { a: value }
  return value
}

/** How many levels of arrays and objects a value has. */
const depthOf = (value: unknown): number =>
  Object(value) === value ? 1 + Math.max(0, ...Object.values(value as object).map(depthOf)) : 0

/** Events that carry any value. */
const carriers: Readonly<Record<string, (value: unknown) => object>> = {
  'tool-start': (value) => ({ kind: 'tool-start', toolCallId: 'k', toolName: 'f', arguments: { value } }),
  'tool-complete': (result) => ({
    ...{ kind: 'tool-complete', toolCallId: 'k', toolName: 'f', success: true },
    result,
  }),
  'data-write': (value) => ({ kind: 'data-write', artifactId: 'a', data: { value } }),
  'dataset-write': (value) => ({
    ...{ kind: 'dataset-write', artifactId: 'a', index: 0, complete: true },
    rows: [{ value }],
  }),
  custom: (data) => ({ kind: 'custom', name: 'x.y', data }),
  metadata: (value) => ({ kind: 'content-complete', content: 'x', metadata: { value } }),
}

/** Around the limit, on both sides. */
const depths = (limit: number) => fc.integer({ min: Math.max(0, limit - 6), max: limit + 6 })
const arbitrary = fc.constantFrom(20, 1000).chain((maxDepth) =>
  fc.record({
    maxDepth: fc.constant(maxDepth),
    levels: depths(maxDepth),
    isArray: fc.boolean(),
    carrier: fc.constantFrom(...Object.keys(carriers)),
    profile: fc.constantFrom('named' as const, 'data-only' as const),
    size: fc.integer({ min: 1, max: 4000 }),
  }),
)

const before = { kind: 'task-created', initiator: 'user', ...place } as ContextAnyEvent
const after = { kind: 'task-complete', ...place } as ContextAnyEvent

describe('an event that carries a deep value', () => {
  it('is read alone, in a batch and in a reset, or in none of them', () => {
    fc.assert(
      fc.property(arbitrary, ({ maxDepth, levels, isArray, carrier, profile, size }) => {
        const deep = { ...carriers[carrier]?.(nested(levels, isArray)), ...place } as ContextAnyEvent
        const events = [before, deep, after]
        const at = { stream: 's', epoch: 'e', through: 2 }
        const batch = { type: 'batch' as const, ...at, after: -1, events, seqs: [0, 1, 2] }
        const reset = { type: 'reset' as const, ...at, reason: 'evicted' as const, earliest: 3, events }
        const [batched, restored] = [batch, reset].map((part) =>
          encodeBatch(part, { viewer: 'all', profile }),
        )
        const live = [...run(eventDecoder({ maxDepth })).push(batched ?? '')].flatMap((decoded) =>
          decoded.status === 'known' ? [decoded.event] : [],
        )
        expect(live).toHaveLength(depthOf(deep) > maxDepth ? 2 : 3)
        for (const text of [batched, restored]) {
          const codes: string[] = []
          const decoder = run(batchDecoder({ maxDepth }), { onDiagnostic: ({ code }) => codes.push(code) })
          const parts = []
          for (let from = 0; from < (text ?? '').length; from += size)
            parts.push(...decoder.push((text ?? '').slice(from, from + size)))
          const got = parts.flatMap((part) => part.events ?? [])
          // Deep values as text: comparing them recursively overflows the stack of the test.
          expect(JSON.stringify(got)).toBe(JSON.stringify(live))
          expect(codes).toEqual(live.length === 3 ? [] : ['invalid-event'])
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it.each(
    Object.entries(carriers).flatMap(([name, carry]) =>
      [2, 990, 1000 - depthOf(carry(1))].map((levels): [string, number] => [name, levels]),
    ),
  )('%s with %i levels: whoever comes later sees what is seen live', async (name, levels) => {
    const deep = { ...carriers[name]?.(nested(levels, true)), ...place } as ContextAnyEvent
    // Newcomers get a reset, because there is more than they would read event by event.
    const long = { kind: 'content-complete', content: 'x'.repeat(40_000), ...place } as ContextAnyEvent
    const events = [before, deep, long, after]
    const stream = createStream({ stream: 's', epoch: 'e' })
    for (const event of events) await stream.append(event)
    const seqs = events.map((_, seq) => seq)
    const at = { stream: 's', epoch: 'e', after: -1, through: 3 }
    const live = encodeBatch({ type: 'batch', ...at, events, seqs }, { viewer: 'all' })
    const seen: string[] = []
    for (const body of [[live], stream.respond('', { viewer: { audience: 'operator' } }).body]) {
      const ends = [body, new Response(null, { status: 204 })]
      const codes: string[] = []
      let tasks: unknown
      let types = ''
      for await (const { view, received } of watchStream(() => ends.shift() as Response, {
        sleep: async () => {},
        onDiagnostic: ({ code }) => codes.push(code),
      })) {
        tasks = { tasks: view.tasks, artifacts: view.artifacts }
        types = received.type
        if (view.tasks[0]?.status === 'completed') break
      }
      seen.push(JSON.stringify(tasks))
      expect(codes).toEqual([])
      expect(types).toBe(body instanceof ReadableStream ? 'reset' : 'events')
    }
    expect(seen[1]).toBe(seen[0])
  })
})
