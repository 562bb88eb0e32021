import { type Diagnostic, ResponseError } from 'turnstream'
import { type Cursor, emptyView, type View, watchStream } from 'turnstream/streams'

/** What to store, such as in `sessionStorage`, to continue later. Plain JSON. */
export interface Saved {
  readonly view: View
  readonly cursor?: Cursor
}

export interface ShowOptions {
  /** Where to continue. Omitted: at the beginning. */
  readonly saved?: Saved
  /** Called with each diagnostic, such as `disconnected` before the next attempt to connect. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  readonly signal?: AbortSignal
}

/** Shows a stream until its end, over as many connections as it takes. Resolves to what to store. */
export async function showStream(
  url: string,
  show: (view: View) => void,
  { saved = { view: emptyView }, onDiagnostic = console.warn, signal }: ShowOptions = {},
): Promise<Saved> {
  let last = saved
  const connect = (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
    fetch(url, { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })
  try {
    for await (const { view, cursor } of watchStream(connect, { ...saved, onDiagnostic, signal })) {
      last = { view, ...(cursor && { cursor }) }
      show(view)
    }
  } catch (error) {
    // The user is signed out, or the stream does not exist: another attempt would not help.
    if (error instanceof ResponseError) throw new Error(`The answer is not available: ${error.status}.`)
    throw error
  }
  return last
}
