/** What runs in the page: the browser's own reader of SSE, and ours. */
import { iterate, run } from 'turnstream'
import { sseDecoder } from 'turnstream/sse'

/**
 * Reads a stream by `EventSource` until the server ends it.
 *
 * An `EventSource` dispatches a named event to listeners of that name only, so all names that may occur
 * are to be known. A `MessageEvent` named `error` is an event of the stream; any other is the end.
 */
function readByEventSource(url, names) {
  return new Promise((resolve) => {
    const messages = []
    const source = new EventSource(url)
    for (const name of new Set(['message', 'error', 'open', ...names])) {
      source.addEventListener(name, (event) => {
        if (event instanceof MessageEvent) {
          messages.push({ event: event.type, data: event.data, id: event.lastEventId })
        } else if (event.type === 'error') {
          source.close()
          resolve(messages)
        }
      })
    }
  })
}

/** Reads the same stream by `sseDecoder`, as the chunks come, and where that leaves it. */
async function readByDecoder(url) {
  const { body } = await fetch(url)
  const decoder = run(sseDecoder())
  const messages = []
  for await (const chunk of iterate(each, body)) messages.push(...decoder.push(chunk))
  decoder.end()
  const { lastEventId, retry } = decoder.state
  return { messages, lastEventId, retry }
}

/** Hands on what it is given: `iterate` reads a body in browsers whose streams have no iterator. */
const each = {
  initial: null,
  step: (state, chunk) => ({ state, out: [chunk] }),
  end: (state) => ({ state, out: [] }),
}

/** Lets the browser reconnect by itself until the server answers 204, which ends an `EventSource`. */
function reconnect(url) {
  return new Promise((resolve) => {
    const source = new EventSource(url)
    source.addEventListener('error', (event) => {
      if (!(event instanceof MessageEvent) && source.readyState === EventSource.CLOSED) resolve()
    })
  })
}

Object.assign(globalThis, { readByEventSource, readByDecoder, reconnect })
