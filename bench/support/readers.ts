/** Ways of reading SSE bytes, all called alike. */
import { createParser } from 'eventsource-parser'
import { type ContextAnyEvent, eventDecoder, readEvents, run } from 'turnstream'
import { sseDecoder } from 'turnstream/sse'

/** Reads chunks and hands over what it makes of each message. */
export type Reader<T> = (chunks: readonly Uint8Array[], take: (value: T) => void) => void | Promise<void>

/** The product: every WHATWG rule, and every event validated. */
export function readOurs(chunks: readonly Uint8Array[], take: (value: ContextAnyEvent) => void): void {
  const decoder = run(eventDecoder())
  for (const chunk of chunks) {
    for (const decoded of decoder.push(chunk)) if (decoded.status === 'known') take(decoded.event)
  }
  decoder.end()
}

/** The product as an application reads a response: one event after the other. */
export async function readOneByOne(
  chunks: readonly Uint8Array[],
  take: (value: ContextAnyEvent) => void,
): Promise<void> {
  for await (const event of readEvents(bodyOf(chunks))) take(event)
}

async function* bodyOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks
}

/** The product without its validation: every WHATWG rule, and the data believed. */
export function readUnvalidated(chunks: readonly Uint8Array[], take: (value: ContextAnyEvent) => void): void {
  const decoder = run(sseDecoder())
  for (const chunk of chunks) for (const { data } of decoder.push(chunk)) take(JSON.parse(data))
  decoder.end()
}

/**
 * The raw limit: what any reader in JavaScript has to do. It knows no rule of SSE but the line that
 * begins with `data: `, and believes whatever comes.
 */
export function readRaw(chunks: readonly Uint8Array[], take: (value: ContextAnyEvent) => void): void {
  const decoder = new TextDecoder()
  let rest = ''
  for (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    let start = 0
    let end = text.indexOf('\n')
    if (end !== -1 && rest !== '') {
      const line = rest + text.slice(0, end)
      rest = ''
      if (line.startsWith('data')) take(JSON.parse(line.slice(6)))
      start = end + 1
      end = text.indexOf('\n', start)
    }
    for (; end !== -1; start = end + 1, end = text.indexOf('\n', start)) {
      // 100 is 'd'.
      if (text.charCodeAt(start) === 100) take(JSON.parse(text.slice(start + 6, end)))
    }
    rest += text.slice(start)
  }
}

/** `eventsource-parser` and `JSON.parse`: every rule of SSE, nothing validated. */
export function readParsed(chunks: readonly Uint8Array[], take: (value: ContextAnyEvent) => void): void {
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data }) => take(JSON.parse(data)) })
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
}

/** The product as an application reads the stream of a response. */
export async function readFromStream(
  chunks: readonly Uint8Array[],
  take: (value: ContextAnyEvent) => void,
): Promise<void> {
  for await (const event of readEvents(streamOf(chunks))) take(event)
}

/** {@link readParsed} as an async generator, as an application would write it. */
export async function readParsedFromStream(
  chunks: readonly Uint8Array[],
  take: (value: ContextAnyEvent) => void,
): Promise<void> {
  for await (const event of parsedFrom(streamOf(chunks))) take(event)
}

async function* parsedFrom(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ContextAnyEvent, void, undefined> {
  const decoder = new TextDecoder()
  let events: ContextAnyEvent[] = []
  const parser = createParser({ onEvent: ({ data }) => void events.push(JSON.parse(data)) })
  for await (const chunk of stream) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* events
    events = []
  }
}

/** A stream that gives one chunk when it is asked for one, as a body does. */
function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[at++]
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}

/** Everything a reader hands over. */
export async function readAll<T>(reader: Reader<T>, chunks: readonly Uint8Array[]): Promise<T[]> {
  const values: T[] = []
  await reader(chunks, (value) => {
    values.push(value)
  })
  return values
}

/** Reads and forgets: a sum over the deltas, so that each value is looked at. */
export function summing<T extends object>(
  reader: Reader<T>,
  chunks: readonly Uint8Array[],
): () => Promise<number> {
  return async () => {
    let sum = 0
    await reader(chunks, (value) => {
      sum += 'delta' in value && typeof value.delta === 'string' ? value.delta.length : 1
    })
    return sum
  }
}
