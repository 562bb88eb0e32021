// Proves that every message the published schema describes is read, and that every message written conforms to it.

import fc from 'fast-check'
import { type ContextAnyEvent, decodeEvent, readEvents, run } from 'turnstream'
import { jsonDecoder } from 'turnstream/sse'
import { batchDecoder, encodeBatch, formatEventId } from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import type { Batch, Reset } from '../../../../src/streams/log/batch.ts'
import { streamMessageSchemas } from '../../../../src/streams/log/wire/schemas.ts'
import { examplesOf, invalidExamplesOf } from '../../../schemas/examples.ts'
import { legalStreams } from '../../../support/legal-streams.ts'
import { runs } from '../../../support/runs.ts'

const FOLDER = 'stream/1.0'
const INIT = { headers: { 'content-type': 'text/event-stream' } }

const schemas: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> =
  streamMessageSchemas

/** The messages of a text that are no events. */
function messagesIn(text: string): { type: string; event: string | undefined; id: string; value: unknown }[] {
  const decoder = run(jsonDecoder())
  return [...decoder.push(text), ...decoder.end()]
    .filter(({ value }) => !Object.hasOwn(value as object, 'kind'))
    .map(({ value, event, id }) => ({ type: (value as { type: string }).type, event, id, value }))
}

async function readAll(text: string): Promise<{ codes: string[]; invalid: unknown[] }> {
  const codes: string[] = []
  const invalid: unknown[] = []
  const options = {
    onDiagnostic: ({ code }: { code: string }) => void codes.push(code),
    onInvalid: ({ value }: { value?: unknown }) => void invalid.push(value),
  }
  for await (const event of readEvents(new Response(text, INIT), options)) expect(event).toBeUndefined()
  return { codes, invalid }
}

const position = fc.record({
  stream: fc.constantFrom('s', 'context/ctx-1', 'a b🙂'),
  epoch: fc.constantFrom('e', 'e:2'),
  filter: fc.constantFrom(undefined, 'v1'),
})

const reset: fc.Arbitrary<Reset> = fc
  .record({
    at: position,
    reason: fc.constantFrom('malformed', 'evicted', 'ahead'),
    through: fc.integer({ min: -1, max: 99 }),
    earliest: fc.nat(99),
    events: fc.option(legalStreams(), { nil: undefined }),
    padding: fc.constantFrom(0, 200_000),
  })
  .map(({ at: { filter, ...at }, events, padding, ...fields }) => ({
    type: 'reset' as const,
    ...at,
    ...fields,
    ...(filter !== undefined && { filter }),
    ...(events !== undefined && {
      events: events
        .slice(0, 6)
        .map((event): ContextAnyEvent => ({ ...event, padding: ' '.repeat(padding) }) as never),
    }),
  })) as fc.Arbitrary<Reset>

describe('what is written', () => {
  it('is a reset that conforms to the schema, in parts that are numbered, with an id in the last one', () => {
    fc.assert(
      fc.property(reset, (part) => {
        const messages = messagesIn(encodeBatch(part, { viewer: 'all' }))
        for (const { value } of messages)
          expect(streamMessageSchemas.reset.safeParse(value).success).toBe(true)
        expect(messages.map(({ event }) => event)).toEqual(messages.map(() => 'stream-reset'))
        const { stream, epoch, filter, through: seq } = part
        const id = formatEventId({ stream, epoch, seq, ...(filter !== undefined && { filter }) })
        expect(messages.map((message) => message.id)).toEqual(
          messages.map((_, i) => (i < messages.length - 1 ? '' : id)),
        )
        const values = messages.map(
          ({ value }) => value as { part?: number; more?: boolean; events?: unknown[] },
        )
        expect(values.map((value) => value.part ?? 0)).toEqual(values.map((_, i) => i))
        expect(values.map((value) => value.more ?? false)).toEqual(
          values.map((_, i) => i < values.length - 1),
        )
        expect(
          values.every((value) => value.events === undefined)
            ? undefined
            : values.flatMap((value) => value.events),
        ).toEqual(part.events)
      }),
      { numRuns: runs(60) },
    )
  })

  it('has no character that a client may take for the end of a line', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\u0085', '\u2028', '\u2029'), minLength: 1 })
    const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    fc.assert(
      fc.property(text, text, fc.boolean(), (stream, delta, isReset) => {
        const events: ContextAnyEvent[] = [{ kind: 'content-delta', ...place, delta, index: 0 }]
        const at = { stream, epoch: stream, filter: stream, through: 0, events }
        const part = isReset
          ? ({ type: 'reset', ...at, reason: 'evicted', earliest: 0 } as const)
          : ({ type: 'batch', ...at, after: -1, seqs: [0], loss: { [delta]: 1 }, closed: true } as const)
        expect(encodeBatch(part, { viewer: 'all' })).not.toMatch(/[\u0085\u2028\u2029]/)
      }),
      { numRuns: runs(200) },
    )
  })

  it('is a loss and an end that conform to the schema', () => {
    const batch: Batch = {
      type: 'batch',
      stream: 's',
      epoch: 'e',
      after: 1,
      through: 4,
      events: [],
      seqs: [],
    }
    const messages = messagesIn(
      encodeBatch({ ...batch, loss: { 'thought-delta': 3 }, closed: true }, { viewer: 'all' }),
    )
    expect(messages.map(({ type, event, id }) => [type, event, id])).toEqual([
      ['loss', 'stream-loss', ''],
      ['closed', 'stream-closed', 's:e:4'],
    ])
    for (const { type, value } of messages) expect(schemas[type]?.safeParse(value).success).toBe(true)
  })
})

describe('what the schema describes', () => {
  const known = examplesOf(FOLDER).filter(({ group }) => group !== 'unknown-kind')

  test.each(known)('is read: $path', async ({ value }) => {
    const { type, more, events = [] } = value as { type: string; more?: boolean; events?: unknown[] }
    const text = `data: ${JSON.stringify(value)}\n\n`
    const { codes, invalid } = await readAll(text)
    expect(invalid).toEqual([])
    const isSilent = type === 'closed' || (value as { part?: number }).part === 1
    expect(codes).toEqual(isSilent ? [] : [`stream-${type}`])
    const decoder = run(
      batchDecoder({ cursor: { stream: 'context/ctx-1', epoch: 'e1', seq: 0 }, keepUnknown: true }),
    )
    const out = decoder.push(text)
    if (type === 'reset' && isSilent) return
    expect(out.map((part) => part.type)).toEqual(
      type === 'reset' ? (more ? [] : ['reset']) : type === 'closed' ? ['batch'] : [],
    )
    for (const part of out) if (part.type === 'reset') expect(part.events ?? []).toEqual(events)
  })

  test.each(known)('has valid events: $path', ({ value }) => {
    const { events = [] } = value as { events?: unknown[] }
    for (const event of events) expect(decodeEvent(event).status).not.toBe('invalid')
  })

  test.each(invalidExamplesOf(FOLDER))('is reported if it is invalid: $path', ({ value }) => {
    const codes: string[] = []
    const decoder = run(batchDecoder(), { onDiagnostic: ({ code }) => codes.push(code) })
    decoder.push(`data: ${JSON.stringify(value)}\n\n`)
    expect(codes).toEqual(['invalid-event'])
  })
})
