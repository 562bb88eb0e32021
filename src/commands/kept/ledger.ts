/** A ledger with its stream: what servers and agents call. */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { CommandLedgerState } from '../ledger/ledger.ts'
import type { OpenRequest, RequestName } from '../ledger/read.ts'
import type { Answer, LedgerOutput, Receipt, Sender } from '../ledger/types.ts'

/** Applies commands to a stream: in this process with {@link createLedger}, or in several with `redisLedger`. */
export interface Ledger {
  /**
   * The state: plain JSON. Read it with `openRequests` and `answerTo`; of a ledger in Redis, it is what this process has
   * read last.
   */
  readonly state: CommandLedgerState
  /**
   * Applies a command, appends what follows, and resolves to the receipt for its sender.
   *
   * @param command - Any value, usually the parsed body of a request.
   * @param sender - Who sent it, as the server has authenticated it. Never taken from the command.
   * @throws TypeError if the sender has no valid role or id. Rejected with what `append` throws, or `onOutput` for new
   * input: the command has had no effect then, and may be submitted again.
   */
  submit(command: unknown, sender: Sender): Promise<Receipt>
  /**
   * The requests that are open, as `openRequests` lists them. A ledger in Redis reads what other processes have stored
   * first: readers of other protocols need it, as `state` may be older.
   */
  requests(): Promise<OpenRequest[]>
  /**
   * Waits for the answer to a request, which may be asked later. Resolves to `undefined` if the request is closed
   * without one: it expired, was withdrawn, its task ended, or it was answered without the ledger.
   *
   * @param options.signal - Ends the wait: the promise is rejected with its reason. Omitted: it waits as long as it takes.
   */
  answer(request: RequestName, options?: { readonly signal?: AbortSignal }): Promise<Answer | undefined>
  /**
   * The signal of a task: aborted as soon as the task is to stop, and only then. A client that disconnects aborts
   * nothing.
   */
  signalOf(task: { readonly contextId: string; readonly taskId: string }): AbortSignal
  /** Stops timers and waits. What is stored is kept. */
  close(): void
}

/** A ledger in this process. */
export interface LocalLedger extends Ledger {
  /**
   * Appends an event of the agent. All events of the stream must pass here, so that the ledger knows what is open. An event
   * that comes too late is not appended, such as the end of a request that was answered meanwhile.
   */
  append(event: ContextAnyEvent): Promise<void>
}

/**
 * What a ledger hands to the agent, besides answers. Put it in a queue, or start a task: what it returns is not awaited,
 * and has taken what it got. If a promise that it returns rejects, `output-failed` is reported.
 *
 * If it throws for new input, `submit` is rejected, and the input may be sent again. If it throws for a task that is to
 * stop, the command is accepted all the same and `signalOf` is aborted; it is called again a second later, and with each
 * further call of the ledger, until it takes it. The `state` states which tasks are to stop after a restart.
 *
 * Input is stored before it is handed over, and handed over by the next process if this one stops in between: if it stops
 * right after, a second time. Whoever must not take it twice compares `command.commandId`.
 */
export type LedgerListener = (output: Extract<LedgerOutput, { type: 'send' | 'cancel' }>) => void
