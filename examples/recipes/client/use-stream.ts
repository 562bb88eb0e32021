import { useMemo, useSyncExternalStore } from 'react'
import { type Cursor, emptyView, type View, watchStream } from 'turnstream/streams'

/** The view of a stream, and the error if the server refuses it. A component that returns continues at the cursor. */
export function useStream(url: string): { view: View; error?: unknown } {
  return useSyncExternalStore(...useMemo(() => createStore(url), [url]))
}

function createStore(url: string) {
  let state: { view: View; cursor?: Cursor; error?: unknown } = { view: emptyView }
  const connect = (lastEventId: string | undefined, signal: AbortSignal) =>
    fetch(url, { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })
  const subscribe = (onChange: () => void) => {
    const stop = new AbortController()
    const read = async () => {
      for await (state of watchStream(connect, { ...state, signal: stop.signal })) onChange()
    }
    read().catch((error: unknown) => {
      state = { ...state, error }
      onChange()
    })
    return () => stop.abort()
  }
  return [subscribe, () => state, () => state] as const
}
