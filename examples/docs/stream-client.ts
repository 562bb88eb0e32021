import { type Diagnostic, pipe, run } from 'agentwire'
import { batchDecoder, type Cursor, emptyView, foldEvent, receiver, type View } from 'agentwire/streams'

export interface WatchOptions {
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Waits before the next connection. Defaults to a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
  readonly signal?: AbortSignal
}

/** Shows a stream until its end, reconnecting as often as necessary. */
export async function watch(
  url: string,
  show: (view: View) => void,
  { onDiagnostic = console.warn, pause = sleep, signal }: WatchOptions = {},
): Promise<View> {
  const createClient = (cursor?: Cursor) =>
    run(pipe(batchDecoder(cursor && { cursor }), receiver(cursor && { cursor })), { onDiagnostic })
  let client = createClient()
  let view = emptyView

  while (signal?.aborted !== true) {
    const { lastEventId, retry = 1000 } = client.state[0]
    const headers: HeadersInit = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
    const response = await fetch(url, { headers, signal: signal ?? null }).catch(() => undefined)
    if (response?.status === 204) return view

    connection: for await (const chunk of chunksOf(response)) {
      for (const received of client.push(chunk)) {
        switch (received.type) {
          case 'events':
            for (const event of received.events) view = foldEvent(view, event)
            show(view)
            break
          case 'reset':
            view = received.snapshot as View
            show(view)
            break
          case 'gap':
            client = createClient(received.cursor)
            break connection
          case 'closed':
            return view
        }
      }
    }
    client.end()
    await pause(retry)
  }
  return view
}

/** The bytes of one connection, until it ends or breaks. */
async function* chunksOf(response: Response | undefined): AsyncGenerator<Uint8Array> {
  if (response?.ok !== true || response.body === null) return
  try {
    yield* response.body
  } catch {
    // A broken connection is handled like one that ended: the next one resumes.
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
