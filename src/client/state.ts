/** What a client shows and keeps. */

import type { Cursor } from '../streams/log/cursor.ts'
import type { OpenRequest } from '../streams/open-request.ts'
import type { View } from '../streams/view/view.ts'

/** The state of a conversation on a page. A new object after each change; what does not change is the same object. */
export interface AgentState {
  /** The tasks of the conversation, with those of older pages. */
  readonly view: View
  /** What waits for an answer of the user, oldest first. */
  readonly requests: readonly OpenRequest[]
  readonly connection: ConnectionStatus
  /** Whether the view has tasks that the server has lost, such as by a restart without a database. They are shown as they were. */
  readonly isStale: boolean
  /** Why the connection has ended, or the last form could not be sent. Omitted if there is no such error. */
  readonly error?: unknown
}

/**
 * - `connecting`: for the first time, or again after `idle` and `signed-out`
 * - `open`: what happens is shown as it happens
 * - `reconnecting`: the connection was lost; it comes back by itself
 * - `idle`: the conversation has not begun. It connects with the first message, and looks every 30 s whether another page has sent it
 * - `signed-out`: nobody is signed in. It looks every 30 s, and after each command, whether somebody is
 * - `ended`: the conversation is closed, or `error` states why it cannot be read. It looks again after each command
 */
export type ConnectionStatus = 'connecting' | 'open' | 'reconnecting' | 'idle' | 'signed-out' | 'ended'

/** What a page keeps for a reload: plain JSON, to be stored as it is. It has all that the page shows: store it where only its user can read it. */
export interface Saved {
  /** What the server has, up to `cursor`. */
  readonly view: View
  /** Where to resume. Omitted: at the beginning. */
  readonly cursor?: Cursor
  /** Older pages, and tasks that the server has lost. Omitted: none. */
  readonly kept?: View
  /** Whether `kept` has tasks that the server has lost. Omitted: it has none. */
  readonly isStale?: boolean
  /** The name of the stream that all of it is of: no other user has one with this name. Omitted: there is nothing yet. */
  readonly stream?: string
}
