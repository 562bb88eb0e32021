/** Several tabs of one browser: one reads, the others follow. */

import { randomId } from '../core/random-id.ts'
import type { Change, Conversation } from './conversation.ts'
import type { ConnectionStatus, Saved } from './state.ts'

/** What tabs send one another. Changes are counted, so that a tab that misses one asks for all. */
type Message =
  | { readonly type: 'change'; readonly from: string; readonly count: number; readonly change: Change }
  | {
      readonly type: 'state'
      readonly from: string
      readonly count: number
      readonly saved: Saved
      readonly connection: ConnectionStatus
    }
  /** A tab asks the one that reads for all. */
  | { readonly type: 'hello' }
  /** A tab has sent a command: there may be more to read. */
  | { readonly type: 'wake' }

/** How a tab takes part. */
export interface Tab {
  /** Lets the tab that reads try a new connection. */
  wake(): void
}

/** What a tab does. */
export interface TabOptions {
  /** What all tabs with the same conversation of the same server call it. */
  readonly name: string
  readonly conversation: Conversation
  /** Reads, and calls `change` with what that changes. Called in one tab at a time. */
  readonly read: (change: (change: Change) => void) => Promise<void>
  /** Called when a new connection may succeed. */
  readonly onWake: () => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Whether the platform has what tabs need. */
export function hasTabs(): boolean {
  return typeof BroadcastChannel === 'function' && typeof navigator === 'object' && !!navigator.locks
}

/** Reads as soon as no other tab does, and follows the tab that does until then. */
export function joinTabs({ name, conversation, read, onWake, signal }: TabOptions): Tab {
  const channel = new BroadcastChannel(name)
  const own = randomId()
  let isReading = false
  let count = 0
  /** The tab that is followed, and how many of its changes are known. */
  let followed: { readonly from: string; readonly count: number } | undefined
  /** The tab that was asked for all, and has not answered. */
  let asked: string | undefined
  const post = (message: Message): void => {
    if (!signal.aborted) channel.postMessage(message)
  }

  function share(change: Change): void {
    conversation.apply(change)
    count++
    post({ type: 'change', from: own, count, change: portable(change) })
  }

  function take(message: Message): void {
    if (isReading) {
      const { saved, state } = conversation
      if (message.type === 'hello')
        post({ type: 'state', from: own, count, saved, connection: state.connection })
      // A tab that is opened is a reason to look again, as a command is.
      if (message.type === 'wake' || message.type === 'hello') onWake()
      return
    }
    if (message.type === 'state') {
      if (followed?.from === message.from && followed.count >= message.count) return
      followed = message
      asked = undefined
      conversation.apply({ type: 'saved', saved: message.saved, connection: message.connection })
    } else if (message.type === 'change') {
      const isNext = followed?.from === message.from && followed.count + 1 === message.count
      if (!isNext) {
        if (asked !== message.from) post({ type: 'hello' })
        asked = message.from
        return
      }
      followed = message
      conversation.apply(message.change)
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!signal.aborted) take(data)
  }
  signal.addEventListener('abort', () => channel.close(), { once: true })
  const lead = (): Promise<void> | undefined => {
    if (signal.aborted) return undefined
    isReading = true
    return read(share)
  }
  navigator.locks.request(name, { signal }, lead).catch(() => undefined)
  post({ type: 'hello' })
  return { wake: () => (isReading ? onWake() : post({ type: 'wake' })) }
}

/** What of a change another tab can be given: views are folded there, and errors may hold anything. */
function portable(change: Change): Change {
  if (change.type === 'received') {
    const { view: _, ...rest } = change
    return rest
  }
  if (!('error' in change) || change.error === undefined) return change
  return { ...change, error: new Error(String((change.error as Error).message ?? change.error)) }
}
