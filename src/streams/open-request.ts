/** What waits for an answer: read from the state of a ledger on the server, and from a view on a page. */

import type { Audience } from '../events/kind.ts'

/** A request that waits for an answer, or a running call that waits for its result. */
export interface OpenRequest {
  /** `tool`: a call that the client runs, and that has started without a request for input. */
  readonly type: 'input' | 'auth' | 'tool'
  readonly contextId: string
  /** The task that asks. */
  readonly taskId: string
  /** The tasks that the task is a subtask of, nearest first. Omitted if there are none. */
  readonly ancestorTaskIds?: readonly string[]
  /** The `inputId`, the `authId`, or the `toolCallId` of a `tool`. Unique in the task. */
  readonly id: string
  /** Human-readable question. */
  readonly prompt: string
  /** Whether only the user may answer. */
  readonly requireUser: boolean
  /** The user who may answer, unless the store has a rule of its own. Only of inputs and authentications; omitted if there is none. */
  readonly owner?: string
  /** The kind of answer requested. Only of inputs. */
  readonly inputType?: string
  /** Whether the client is to run the call and to send a `tool.result`. Omitted if it is to approve it, if anything. */
  readonly isExecution?: boolean
  /** The tool call that an input is about, and its digest. Omitted if there is none. */
  readonly call?: {
    readonly toolCallId: string
    readonly toolName: string
    /** The arguments as JSON text. */
    readonly arguments: string
    readonly digest: string
  }
  /** Who sees the request, as its label states. Omitted: everybody. */
  readonly audience?: readonly Audience[]
  /** When the request expires: RFC 3339 in UTC. Omitted if it does not. */
  readonly expiresAt?: string
}
