/** What a ledger stores between two inputs. */
import { type BoundedMap, emptyBoundedMap } from '../../core/bounded-map/bounded-map.ts'
import { emptyTrie, type HashTrie } from '../../core/bounded-map/hash-trie.ts'
import type { Audience } from '../../events/kind.ts'
import type { TaskStatus } from '../../events/task-status.ts'
import { emptyWindows, type RetryWindows } from './retry-window.ts'
import type { Answer } from './types.ts'

/** The state. Plain JSON; maps hold the most recent entries. */
export interface LedgerState {
  /** The context of the stream, for commands that name none. `null` before the first event. */
  readonly contextId: string | null
  readonly hasSeveralContexts: boolean
  /** The latest timestamp of any event. */
  readonly latest: string | null
  /** The requests that are open, oldest first. Never forgotten, only withdrawn. */
  readonly open: readonly RequestRecord[]
  /** The requests that were open, by `requestKey`. */
  readonly requests: BoundedMap<RequestRecord>
  /** What was decided in the tasks that have not ended. */
  readonly decisions: Decisions
  /** How many of these stay although they are old, as nobody has taken their answers. */
  readonly keptSize: number
  /** How many characters the answers in the recent generation of `requests` have, as JSON. */
  readonly answerChars: number
  /** By `itemKey`. */
  readonly calls: BoundedMap<CallRecord>
  /** By `contextKey`. */
  readonly tasks: BoundedMap<TaskRecord>
  /** Whether a task was forgotten before it had ended: whose one is that continues is not known. Omitted: none was. */
  readonly hasLostTasks?: true
  /** The user whose stream it is. Omitted if nobody has sent a task. */
  readonly owner?: string
  /** The owners of tasks that have not begun, by `taskId`. Empty: sent by an agent. */
  readonly owners: BoundedMap<string>
  /** Which tasks have used an id, by type and `contextKey`, in the order in which they did first. */
  readonly names: BoundedMap<readonly string[]>
  /** What became of the commands of each sender. */
  readonly commands: RetryWindows
}

export const initialLedgerState: LedgerState = {
  contextId: null,
  hasSeveralContexts: false,
  latest: null,
  open: [],
  requests: emptyBoundedMap,
  decisions: { size: 0, tasks: emptyTrie },
  keptSize: 0,
  answerChars: 0,
  calls: emptyBoundedMap,
  tasks: emptyBoundedMap,
  owners: emptyBoundedMap,
  names: emptyBoundedMap,
  commands: emptyWindows,
}

/** What was decided in all tasks that have not ended. */
export interface Decisions {
  /** How many tasks there are. */
  readonly size: number
  /** By `contextKey`. */
  readonly tasks: HashTrie<TaskDecisions>
}

/** What was decided in a task. */
export interface TaskDecisions {
  /** How many requests there are. */
  readonly size: number
  /** By a digest of the id: of a request what was decided, of a call the key of the latest request to approve it. */
  readonly entries: HashTrie<string>
}

/** A request for an input or an authentication. */
export interface RequestRecord {
  readonly type: 'input' | 'auth'
  readonly id: string
  readonly contextId: string
  readonly taskId: string
  /** `closed`: withdrawn, or ended with its task. `foreign`: an input that was answered without the ledger. */
  readonly status: 'open' | 'answered' | 'expired' | 'closed' | 'foreign'
  readonly requireUser: boolean
  /** That of the task, when it asked. Omitted if it had none. */
  readonly owner?: string
  readonly inputType?: string
  readonly prompt: string
  /** Of open requests only. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly options?: readonly unknown[]
  /** Digests of what is not kept and makes another request, by the field. Omitted if there is nothing. */
  readonly digests?: Readonly<Record<string, string>>
  readonly askedAt: string
  /** In milliseconds. `null` if it does not expire. */
  readonly expiresAt: number | null
  /** Who sees the request, and so who sees its answer. Omitted if not narrowed. */
  readonly audience?: readonly Audience[]
  /** The tool call that the request is about. */
  readonly call?: RequestedCall
  /** Whether the client is to run the call, instead of to approve it. */
  readonly isExecution?: boolean
  readonly answer?: Answer
  /** Whether its agent has got the answer, and continued. Of approvals, their calls state it. Omitted if not. */
  readonly isTaken?: true
  /** The digest of the call that was approved. Omitted if none was. */
  readonly approved?: string
  /** Whether the request was declined. Omitted if not. */
  readonly isDeclined?: boolean
  /** Why it was withdrawn at once. Omitted if it was not. */
  readonly reason?: string
  /** Digests of its content and its answer, in their place. Omitted unless they are forgotten. */
  readonly forgotten?: { readonly content: string; readonly answer: string; readonly isApproval: boolean }
}

/** The tool call of a request. */
export interface RequestedCall {
  readonly toolCallId: string
  readonly toolName: string
  /** As JSON text. */
  readonly arguments: string
  readonly digest: string
}

export interface CallRecord {
  readonly contextId: string
  readonly toolCallId: string
  readonly taskId: string
  readonly toolName: string
  /** `requested`: only a request names it. */
  readonly status: 'requested' | 'running' | 'ended'
  /** Whether the client runs it. */
  readonly isClient: boolean
  /** The `inputId` of the latest request to approve it. */
  readonly approval?: string
  /** The `inputId` of the latest request to run it. */
  readonly run?: string
  /** Who sees the call, and so who sees its end. Omitted if not narrowed. */
  readonly audience?: readonly Audience[]
  /** The digest of the result that the client sent. */
  readonly result?: string
}

export interface TaskRecord {
  readonly contextId: string
  readonly taskId: string
  readonly parentTaskId?: string
  readonly path?: readonly string[]
  /** The user who sent it. Empty: sent by an agent. Omitted if nobody did. */
  readonly owner?: string
  /** `null` before the first `task-status`. */
  readonly status: TaskStatus | null
  /** Whether a request of it was closed, and nothing else came since: a status that waits for it comes too late. */
  readonly isAnswered?: boolean
  /** How many characters the answers have that its agent has not taken. Omitted: none. */
  readonly keptChars?: number
  /** Who reads what clients send to it while it runs. Omitted: nobody. */
  readonly reader?: string
  /** Whether it is to stop. */
  readonly isCanceled: boolean
  readonly reason?: string
  /** Who sees the task, and so who may cancel it. Omitted if not narrowed. */
  readonly audience?: readonly Audience[]
}
