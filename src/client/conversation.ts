/** What a client knows of its conversation. */

import type { UnknownEvent } from '../core/decode-result.ts'
import { Listeners } from '../core/listeners.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import type { Received } from '../streams/log/receiver.ts'
import type { ViewFeatures } from '../streams/view/fold/features.ts'
import { createViewStoreWith } from '../streams/view/fold/view-store.ts'
import { withOlder } from '../streams/view/fold/with-older.ts'
import { openRequests } from '../streams/view/open-requests.ts'
import { emptyView, type View, viewBefore } from '../streams/view/view.ts'
import type { AgentState, ConnectionStatus, Saved } from './state.ts'

/** What changes a conversation. */
export type Change =
  /** Something came from the server. `view`: what is there after it. Omitted: it is to be folded. */
  | {
      readonly type: 'received'
      readonly received: Received
      readonly cursor?: Cursor | undefined
      readonly view?: View
    }
  | { readonly type: 'connection'; readonly connection: ConnectionStatus; readonly error?: unknown }
  /** The server does not have it, and states the name that its stream would have: by it, whose it is. */
  | { readonly type: 'missing'; readonly stream: string }
  /** A page of older tasks of a stream. */
  | {
      readonly type: 'older'
      readonly events: Iterable<ContextAnyEvent | UnknownEvent>
      readonly older: string | undefined
      readonly stream: string | undefined
    }
  /** What another tab knows. */
  | { readonly type: 'saved'; readonly saved: Saved; readonly connection: ConnectionStatus }
  /** A form was sent, or why it was not. */
  | { readonly type: 'sent'; readonly error?: unknown }

/** The state of a conversation, which {@link Conversation.apply} alone changes. */
export class Conversation {
  readonly #features: ViewFeatures
  readonly listeners: Listeners = new Listeners()
  #saved: Saved
  #state: AgentState
  /** Folds what another tab passes on. */
  #fold: ReturnType<typeof createViewStoreWith> | undefined

  constructor(saved: Saved, features: ViewFeatures) {
    this.#features = features
    this.#saved = saved
    this.#state = { ...shown(saved), requests: openRequests(saved.view), connection: 'connecting' }
  }

  get saved(): Saved {
    return this.#saved
  }

  get state(): AgentState {
    return this.#state
  }

  apply(change: Change): void {
    const saved = this.#savedAfter(change)
    const { view, requests, connection, isStale, error } = this.#state
    const next = {
      ...(saved === this.#saved ? { view, isStale } : shown(saved)),
      requests: saved.view === this.#saved.view ? requests : unlessEqual(requests, openRequests(saved.view)),
      connection: 'connection' in change ? change.connection : connection,
      error: change.type === 'connection' || change.type === 'sent' ? change.error : error,
    }
    this.#saved = saved
    const names = ['view', 'requests', 'connection', 'isStale', 'error'] as const
    if (names.every((name) => next[name] === this.#state[name])) return
    const { error: after, ...rest } = next
    this.#state = after === undefined ? rest : { ...rest, error: after }
    try {
      this.listeners.notify()
    } catch (error) {
      // As the platform reports it: what a page throws when it renders does not end what it reads.
      void Promise.reject(error)
    }
  }

  #savedAfter(change: Change): Saved {
    switch (change.type) {
      case 'received':
        return this.#afterReceived(change)
      case 'missing':
        this.#fold = undefined
        return change.stream === this.#saved.stream
          ? replaced(this.#saved, { view: emptyView })
          : { view: emptyView }
      case 'older': {
        // Another user may have signed in meanwhile.
        if (change.stream !== this.#saved.stream) return this.#saved
        const { events, older } = change
        const page = createViewStoreWith(this.#features, viewBefore({ older }))
        page.push(events)
        const { kept = emptyView } = this.#saved
        return { ...this.#saved, kept: withOlder(kept, page.getSnapshot()) }
      }
      case 'saved':
        this.#fold = undefined
        return change.saved
      default:
        return this.#saved
    }
  }

  #afterReceived(change: Change & { type: 'received' }): Saved {
    const before = this.#saved
    const { received, cursor = before.cursor } = change
    const isReset = received.type === 'reset'
    if (change.view !== undefined) this.#fold = undefined
    const view = change.view ?? this.#viewAfter(received)
    const stream = cursor?.stream
    const next = { view, ...(cursor && { cursor }), ...(stream !== undefined && { stream }) }
    // Whose tasks these are: those of another user are not kept.
    if (before.stream !== undefined && stream !== undefined && before.stream !== stream) return next
    const isOther = isReset && before.cursor !== undefined && before.cursor.epoch !== received.cursor.epoch
    return isOther ? replaced(before, next) : { ...before, ...next }
  }

  #viewAfter(received: Received): View {
    if (received.type === 'reset') this.#fold = undefined
    if (received.type !== 'reset' && received.type !== 'events') return this.#saved.view
    const start = received.type === 'reset' ? viewBefore(received) : this.#saved.view
    this.#fold ??= createViewStoreWith(this.#features, start)
    this.#fold.push(received.events ?? [])
    return this.#fold.getSnapshot()
  }
}

/** A conversation that begins anew on the server: what that does not have is kept. */
function replaced(before: Saved, next: Saved): Saved {
  const { kept = emptyView, isStale = false } = before
  const has = new Set(next.view.tasks.map(({ taskId }) => taskId))
  const isLost = before.view.tasks.some(({ taskId }) => !has.has(taskId))
  const { stream } = before
  const lost = { kept: withOlder(before.view, kept), isStale: isStale || isLost }
  return { ...(stream !== undefined && { stream }), ...next, ...lost }
}

/** The list before, if the new one has the same items. */
function unlessEqual<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  if (before.length !== after.length) return after
  return before.length === 0 || JSON.stringify(before) === JSON.stringify(after) ? before : after
}

function shown({ view, kept, isStale = false }: Saved): Pick<AgentState, 'view' | 'isStale'> {
  return { view: kept === undefined ? view : withOlder(view, kept), isStale }
}
