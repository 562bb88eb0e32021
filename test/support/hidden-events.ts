/**
 * The law of silence: two streams that differ only in what is hidden from a viewer give that viewer the same bytes, at the
 * same appends, but for the numbers in ids.
 */
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { createStream, type EventLog, type Viewer } from 'turnstream/streams'
import { expect } from 'vitest'
import { audiences } from '../../src/streams/access/audience.ts'
import { legalStreams } from './legal-streams.ts'

/** Events that no user, parent, coordinator or observer may see, each of an item of its own. */
const hiddenEvent = fc
  .tuple(
    fc.constantFrom(
      'internal:llm-call',
      'internal:tool-start',
      'later',
      'thought',
      'labelled',
      'secret-task',
    ),
    fc.nat(30_000),
  )
  .map(([kind, size]) => ({ contextId, taskId }: ContextAnyEvent, n: number) => {
    const base = { contextId, taskId, timestamp: '2031-01-01T00:00:00.000Z' }
    const label = { metadata: { audience: ['operator'] } }
    const text = `${n} ${'x'.repeat(size)}`
    const thought = {
      thoughtId: `h${n}`,
      thoughtType: 'planning',
      verbosity: 'brief',
      content: text,
      index: 0,
    }
    const events: Readonly<Record<string, object>> = {
      'internal:llm-call': { model: text, iteration: 0, messageCount: 1, toolCount: 0 },
      'internal:tool-start': { toolCallId: `h${n}`, toolName: text, arguments: {} },
      later: { text },
      thought: { kind: 'thought-stream', ...thought, ...label },
      labelled: { kind: 'custom', name: 'acme.secret', data: text, ...label },
      'secret-task': { kind: 'task-created', taskId: `secret-${n}`, initiator: 'agent', ...label },
    }
    return { kind, ...base, ...events[kind] } as unknown as ContextAnyEvent
  })

/** An event that can be seen, between hidden ones: none in one of the two streams. */
export interface Step {
  readonly before: readonly ContextAnyEvent[]
  readonly event: ContextAnyEvent
  readonly after: readonly ContextAnyEvent[]
}

export const silentSteps: fc.Arbitrary<Step[]> = fc
  .tuple(
    legalStreams({ internal: false }),
    fc.array(fc.array(hiddenEvent, { maxLength: 4 }), { minLength: 1, maxLength: 20 }),
  )
  .map(([events, hidden]) =>
    events.map((event, i): Step => {
      const all = (hidden[i % hidden.length] ?? []).map((make, n) => make(event, i * 10 + n))
      return { event, before: all.slice(0, 2), after: all.slice(2) }
    }),
  )

/** A client that reads all it gets, one text after the other. */
class Client {
  readonly texts: string[] = []
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  lastEventId: string

  constructor(log: EventLog, viewer: Viewer, lastEventId: string, heartbeatMs: number) {
    const { body } = createStream({ log }).respond(lastEventId, { viewer, heartbeatMs })
    this.lastEventId = lastEventId
    this.#reader = body?.getReader()
    void this.#readAll()
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const { done, value } = (await this.#reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      const text = new TextDecoder().decode(value)
      this.texts.push(text.replace(/^id: .*$/gm, 'id').replace(/"(epoch|through|earliest)":[^,}]*/g, '"$1"'))
      this.lastEventId = /^id: (.*)$/gm.exec(text.split('\n').reverse().join('\n'))?.[1] ?? this.lastEventId
    }
  }

  leave(): Promise<void> | undefined {
    return this.#reader?.cancel()
  }
}

/** How streams are read and compared. */
interface Reading {
  /** One of so many events is followed by clients that come late, or back. */
  readonly every: number
  /** Waits until nothing more comes. */
  readonly quiet: () => Promise<unknown>
  readonly heartbeatMs?: number
}

/** What a client reads that stays, one that comes back after each few events, and those that come late. */
async function transcript(
  log: EventLog,
  steps: readonly Step[],
  viewer: Viewer,
  { every, quiet, heartbeatMs = 15_000 }: Reading,
): Promise<string[][]> {
  const clientAt = (lastEventId: string) => new Client(log, viewer, lastEventId, heartbeatMs)
  const staying = clientAt('')
  let returning = clientAt('')
  const others: Client[] = []
  const read: string[][] = []
  await quiet()
  for (const [i, { before, event, after }] of steps.entries()) {
    for (const each of before) await log.append(each)
    // Nothing comes before the event that can be seen.
    if (i % 3 === 0) await quiet()
    read.push([...staying.texts])
    for (const each of [event, ...after]) await log.append(each)
    await quiet()
    read.push(staying.texts.splice(0), returning.texts.splice(0))
    if (i % every !== 0) continue
    await returning.leave()
    returning = clientAt(returning.lastEventId)
    others.push(clientAt(''), clientAt('malformed'))
    await quiet()
    for (const other of others.splice(0)) {
      read.push(other.texts)
      await other.leave()
    }
  }
  const ids = [staying.lastEventId, returning.lastEventId]
  await log.close()
  await quiet()
  const stream = createStream({ log })
  // The first time, a server need not know yet that the stream has ended.
  for (const id of [...ids, ...ids]) {
    const { status, body } = stream.respond(id, { viewer })
    read.push([`${status}`])
    await new Response(body).text()
  }
  return [...read, staying.texts, returning.texts]
}

/** Fails unless the transcripts of both streams are the same. */
export async function expectSilence(
  open: (stream: string) => Promise<EventLog> | EventLog,
  steps: readonly Step[],
  viewer: Viewer,
  options: Reading,
): Promise<void> {
  const bare = steps.map(({ event }) => ({ event, before: [], after: [] }))
  const expected = await transcript(await open('bare'), bare, viewer, options)
  expect(await transcript(await open('full'), steps, viewer, options)).toEqual(
    JSON.parse(JSON.stringify(expected).replaceAll('"stream\\":\\"bare', '"stream\\":\\"full')),
  )
}

/**
 * A stream, and the same among events that a viewer may not see, of the same tasks, texts, calls, artifacts and so on: what
 * hides one event of an item need not hide the others.
 */
export function sharedIds({ audience }: Viewer): fc.Arbitrary<{
  readonly bare: readonly ContextAnyEvent[]
  readonly events: readonly ContextAnyEvent[]
}> {
  const label = fc.subarray(audiences.filter((other) => other !== audience))
  return fc
    .tuple(
      legalStreams({ internal: false }),
      legalStreams({ subtasks: false }),
      fc.array(fc.tuple(fc.nat(3), label), { minLength: 1, maxLength: 20 }),
    )
    .map(([bare, others, steps]) => {
      const hidden = others.map((event, i) => labelled(event, steps[i % steps.length]?.[1] ?? []))
      const events = bare.flatMap((event, i) => [...hidden.splice(0, steps[i % steps.length]?.[0]), event])
      return { bare, events: [...events, ...hidden] }
    })
}

function labelled(event: ContextAnyEvent, audience: readonly string[]): ContextAnyEvent {
  const { metadata } = event as { metadata?: object }
  return { ...event, metadata: { ...metadata, audience } } as unknown as ContextAnyEvent
}
