/** The first bytes of a stream, which show what it is. */
import { messageOf } from './response.ts'

/** More is not read ahead. */
const MAX_BYTES = 65_536

/** Whether a text may be the beginning of one with lines of SSE: a field or a comment, after white space. */
function mayBeSse(text: string): boolean {
  const [line = ''] = /\S.*/.exec(text) ?? []
  return line === '' || ['data:', 'event:', 'id:', 'retry:', ':'].some(isStartOf(line))
}

const isStartOf =
  (line: string) =>
  (field: string): boolean =>
    line.startsWith(field) || field.startsWith(line)

/** The start of a stream, and all of it. */
export interface OpenedBody {
  /** The text up to the first message with data; of what is no SSE, the first chunk. */
  readonly start: string
  readonly isSse: boolean
  /** Why the connection was lost before that. `undefined`: it was not. */
  readonly fault: string | undefined
  readonly body: ReadableStream<Uint8Array>
}

/** Reads the first bytes. */
export async function openBody(body: ReadableStream<Uint8Array>): Promise<OpenedBody> {
  const source = body.getReader()
  const chunks: Uint8Array[] = []
  const decoder = new TextDecoder()
  let start = ''
  let isSse = true
  let fault: string | undefined
  try {
    for (let size = 0; size < MAX_BYTES && isSse && !/^data:.*(?:\r?\n){2}/m.test(start); ) {
      const { value } = await source.read()
      if (value === undefined) break
      chunks.push(value)
      size += value.length
      start += decoder.decode(value, { stream: true })
      isSse = mayBeSse(start)
    }
  } catch (error) {
    fault = messageOf(error)
  }
  return { start, isSse, fault, body: joined(chunks, source) }
}

/** What was read, and the rest. */
function joined(
  first: readonly Uint8Array[],
  rest: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of first) controller.enqueue(chunk)
    },
    async pull(controller) {
      const { done, value } = await rest.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => rest.cancel(reason),
  })
}
