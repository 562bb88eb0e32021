/** A stream of a store: what servers and agents call. */

import type { Answer, Receipt, Sender } from '../commands/index.ts'
import type { OpenRequest, RequestName } from '../commands/ledger/read.ts'
import type { JsonValue } from '../core/json-value.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { NeedsApproval } from '../events/approval.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import type { Viewer } from '../streams/access/viewer.ts'
import type { Position } from '../streams/log/cursor.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import type { RespondOptions, StreamResponse } from '../streams/serve/stream.ts'
import type { HistoryPage, HistoryPageOptions } from '../streams/view/snapshot/history-page.ts'
import type { View } from '../streams/view/view.ts'
import type { Approval, ApproveOptions, AskOptions, Reply, ToolCall } from './ask-options.ts'

/** Options of {@link Stream.history}. */
export interface HistoryOptions extends HistoryPageOptions {
  /** For whom. `'all'` sees everything: not for users. */
  readonly viewer: Viewer | 'all'
}

/** The task of {@link Stream.run}. */
export interface RunTask extends TaskName {
  /** What was asked, as `metadata.input` of `task-created`: any JSON. Omitted: the event states no input. */
  readonly input?: JsonValue
  /** The user who is to answer what the task asks. Omitted: who sent it with a `task.send`, or else the owner of the stream. */
  readonly owner?: string
}

/** Input for an agent: a message of a user that the stream has accepted. */
export interface AgentInput {
  /** The conversation: if the client named none, that of the name of the stream, if it states one. Omitted otherwise. */
  readonly contextId?: string
  /** The task that the input is for: the id that the receipt has given a new one, or one that runs, in {@link Stream.inputs}. */
  readonly taskId: string
  /** The user's message, or a structured request. */
  readonly input: JsonValue
  /** Who sent it. */
  readonly sender: Sender
  /** Identifies the input: compare it where input must not be taken twice. */
  readonly commandId: string
  /**
   * Whether the task has begun before: its process has stopped while the task waited for an answer, and now its requests are
   * closed. Run it again; `answer` has the answers. A call that had started has the failure `interrupted` as its result, and
   * must not be run again. `false` for new input.
   */
  readonly isResumed: boolean
}

/**
 * One conversation: its log, the requests that wait for an answer, and the tasks that run. All that is written passes here,
 * from any process, so that the rules of the ledger hold.
 *
 * All functions reject with an error of code `unavailable`, such as a `StoreError`, if what stores the stream does not answer within
 * `timeoutMs`, counted from the call. An append of the same object after that is stored once.
 */
export interface Stream {
  /**
   * Appends an event and resolves to its position. Events keep the order of the calls.
   *
   * What comes too late is not appended, and reported as `dropped:<kind>`: the end of a request that was answered meanwhile or
   * has expired, the end of a call whose result the client has sent, and a status that waits for requests which were answered
   * before. Nor is a `subtask-created` of a task that exists already and is not below its own. It resolves to the latest position
   * then.
   *
   * Remove secrets first: everything in the log can be replayed.
   *
   * The `tool-start` of a call that may not start is not appended either, nor an `input-received` that approves a call: approvals
   * come by `submit`.
   *
   * @throws ApprovalError if a call may not start: it needs an approval, or was asked about, and has none, was declined, was
   * approved with other arguments, or has started before; or its task has ended. The tool must not run.
   * @throws TypeError if it is no valid event, such as a draft that no emitter completed, or the stream is closed.
   */
  append(event: ContextAnyEvent): Promise<Position>
  /**
   * Applies a command, appends what follows, and resolves to the receipt for its sender.
   *
   * A `task.cancel` stops agents that run in this process at once. If it cannot be stored in time, the receipt states that, and the
   * tasks end as canceled when the log answers again.
   *
   * @param command - Any value, usually the parsed body of a request.
   * @param sender - Who sent it, as the server has authenticated it. Never taken from the command.
   * @throws TypeError if the sender has no valid role or id. Rejects with what the log throws, or `onInput` for new input:
   * the command has had no effect then, and may be submitted again.
   */
  submit(command: unknown, sender: Sender): Promise<Receipt>
  /**
   * Returns the response to a reader: the events after its last one, then new ones until the stream is closed. A reader
   * whose cursor the log cannot continue gets a reset with the events of a snapshot.
   *
   * @param request - The request, or its unmodified `Last-Event-ID` header. Omitted, null or empty: the beginning.
   * @throws TypeError if an option is invalid, or `request` is something else.
   */
  respond(request?: Request | string | null, options?: RespondOptions): StreamResponse
  /**
   * Runs a task to its end: appends `task-created` and `working`, unless the task has begun before, what the agent yields, and
   * how it ended. The task completes when the drafts end, fails if the agent throws, and is canceled as soon as a client
   * cancels it; its signal is aborted then. What is left open is closed. A task that has ended gets no further events, also if it is run
   * again. Runs of one task take turns.
   *
   * A task that another process has taken over, because the lease of this one has expired, is left to that process: the signal
   * is aborted, and the promise is rejected with `lease-lost`. If the stream is released while the task waits for an answer, the
   * task stays open, and the promise is rejected with `released`. In both cases `onInput` is called with the input of the task
   * once its requests are closed.
   *
   * If an event that ends the task cannot be appended, it is tried again for about 25 seconds; then the promise is rejected. A task
   * that was canceled is ended once the log answers, unless the stream is released before.
   *
   * @param agent - Called once. Yields drafts, and the events of subtasks, which pass as they are. Pass the signal on, so that a
   * canceled task costs no more. If the task has begun before, counting of its events continues.
   * @throws What the agent throws, after its task has failed without details.
   */
  run(
    task: RunTask,
    agent: (signal: AbortSignal) => AsyncIterable<EventDraft | ContextAnyEvent>,
  ): Promise<void>
  /**
   * Asks whether calls may start, and returns what was decided about each, in their order: `yield*` it in the agent of the task. All
   * are asked about before it waits. After a restart it finds what was asked and decided, and asks nothing again. The task
   * works again when its last request is closed.
   *
   * With the option `needsApproval` of the store, calls that need none are approved without a question, unless `always` is set. Arguments that are no
   * JSON object, have a number that a double cannot hold, a key twice or an unpaired surrogate, are declined with the reason.
   *
   * @throws TypeError if an argument is invalid.
   */
  approve(
    calls: readonly ToolCall[],
    options: TaskName & ApproveOptions,
  ): AsyncGenerator<EventDraft, readonly Approval[]>
  /**
   * Asks a question, and returns the answer: `yield*` it in the agent of the task. After a restart it finds the request or its
   * answer.
   *
   * @throws TypeError if an option is invalid.
   */
  ask(options: TaskName & AskOptions): AsyncGenerator<EventDraft, Reply>
  /**
   * Waits for the answer to a request, which may be asked later. Resolves to `undefined` if the request is closed
   * without one: it expired, was withdrawn, or its task ended.
   *
   * @param options.signal - Ends the wait: the promise is rejected with its reason. Omitted: it waits as long as it takes.
   */
  answer(request: RequestName, options?: { readonly signal?: AbortSignal }): Promise<Answer | undefined>
  /**
   * What clients send to a task while it runs: by a `task.send` with its `taskId`, in any process if the log has leases. Read it in
   * the agent of the task. Such input is refused as `unsupported` as long as nobody does. Ends with the task, when it is to stop, or
   * when the stream is released; input that comes too late to be read is reported as `input-not-taken`.
   *
   * @throws TypeError if the task has no ids. Reading rejects with a TypeError if somebody else reads it in this process.
   */
  inputs(task: TaskName): AsyncIterable<AgentInput>
  /**
   * Whether a sender may read the stream, by the `mayAccess` of the store: ask before you respond to one, unless the name of the stream
   * has its owner. `submit` asks by itself.
   */
  mayAccess(sender: Sender): boolean
  /**
   * The requests that are open in all processes, oldest first. If what is stored cannot be read within a second, such as behind an append
   * that hangs: those that are known here.
   */
  requests(): Promise<readonly OpenRequest[]>
  /**
   * The signal of a task: aborted as soon as the task is to stop, and only then. A client that disconnects aborts nothing.
   */
  signalOf(task: TaskName): AbortSignal
  /**
   * Returns the view of what a viewer may see of everything so far, without the tasks that were forgotten.
   *
   * @param viewer - For whom. Omitted: `{ audience: 'user' }`. `'all'` sees everything: not for users.
   */
  view(viewer?: Viewer | 'all'): Promise<View>
  /**
   * Returns a page of the tasks that a viewer may see, the newest first, without those that were forgotten. Fold it below what a
   * page shows with {@link ViewStore.prepend}.
   *
   * @throws TypeError if an option is invalid or unknown.
   */
  history(options: HistoryOptions): Promise<HistoryPage>
  /** Closes the stream: nothing can be appended, and all responses end with status 204 from then on. */
  close(): Promise<void>
  /**
   * Leaves the stream to other processes: stops timers and waits, and gives leases back. What is stored is kept. Tasks that wait
   * for an answer go on in the process that `onInput` is called in when it comes; those that run may end here. If the process
   * ends before them, others end them once their lease has expired. From then on `append`, `submit` and `run` reject with `released`.
   * Rejects if events that belong to an accepted answer cannot be appended: release it again.
   */
  release(): Promise<void>
  /** Which calls must be approved, by the `needsApproval` of the store. Omitted: those that are asked about. */
  readonly needsApproval?: NeedsApproval
  /** The log, for tools that read it. What is appended to it directly passes no rule. */
  readonly log: EventLog
}
