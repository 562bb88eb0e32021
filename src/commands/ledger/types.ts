/** What goes into a ledger and what comes out. */
import type { Issue } from '../../core/decode-result.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Audience } from '../../events/kind.ts'
import type { TaskSendCommand } from '../task.ts'

/** Who sent a command, as the server has authenticated it. Never read from the command itself. */
export interface Sender {
  /** In which role: decides what the sender may answer. */
  readonly role: Audience
  /** Id of the user or, in other roles, of the agent. Not empty. */
  readonly id: string
}

/** An input of {@link commandLedger}. */
export type LedgerInput =
  /** An event that was appended to the stream. */
  | { readonly type: 'event'; readonly event: ContextAnyEvent }
  /** A command, from whom, and when it arrived by the clock of the server. Any value: it is decoded. */
  | {
      readonly type: 'command'
      readonly command: unknown
      readonly sender: Sender
      readonly at: string
      /** That the claim of an `auth.respond` was verified. Omitted: it was not, and is `forbidden`. */
      readonly verified?: VerifiedAuth
      /** Whether its conversation takes no input for a new task now, as one runs. Omitted: it does. */
      readonly isBusy?: boolean
    }
  /** The time by the clock of the server: requests that have expired by then are closed. */
  | { readonly type: 'time'; readonly at: string }
  /** The user who is to answer what a task asks, unless it has an owner. Of a task that no `task.send` has begun. */
  | { readonly type: 'owner'; readonly contextId: string; readonly taskId: string; readonly owner: string }
  /** Who reads what clients send to a task while it runs: an id that the host chooses. Omitted: nobody does. */
  | { readonly type: 'reader'; readonly contextId: string; readonly taskId: string; readonly reader?: string }
  /** The agent that asked has got its answer, and continues: the answer need not be kept. */
  | {
      readonly type: 'taken'
      readonly contextId: string
      readonly taskId: string
      readonly inputId?: string
      readonly authId?: string
    }
  /** An output `send` that nobody took: its command may be sent again. */
  | { readonly type: 'returned'; readonly command: TaskSendCommand; readonly sender: Sender }

/** What the server knows of an authentication that it has verified. */
export interface VerifiedAuth {
  /** Where the server finds the credential. Omitted if the `authId` is sufficient. */
  readonly credentialRef?: string
}

/** An output of {@link commandLedger}. */
export type LedgerOutput =
  /** An event to append to the stream. */
  | { readonly type: 'event'; readonly event: ContextAnyEvent }
  /** The outcome of a command. One for each. */
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  /** An accepted answer, for the agent that waits for it. Never twice for the same request. */
  | { readonly type: 'answer'; readonly answer: Answer }
  /**
   * New input for an agent. Never twice for the same command. `taskId` is that of the command, or else the id for a new task:
   * the receipt names it, too.
   */
  | {
      readonly type: 'send'
      readonly taskId: string
      readonly command: TaskSendCommand
      readonly sender: Sender
      /** Who reads the input of the task. Omitted: it is for a new task, or it is not known. */
      readonly reader?: string
    }
  /** A task that is to stop. Subtasks come before their parents. Never twice for the same task. */
  | { readonly type: 'cancel'; readonly contextId: string; readonly taskId: string; readonly reason?: string }

/** The outcome of a command, for its sender. */
export interface Receipt {
  /** The command. Omitted if it has no valid id. */
  readonly commandId?: string
  /**
   * The status of the first result that was refused; otherwise `accepted` if any was, or `repeated`. If several requests
   * were answered, others may have been accepted: look at `results`.
   */
  readonly status: ReceiptStatus
  /** One for each response of an `input.respond`, one for any other command, and one for what is invalid as a whole. */
  readonly results: readonly CommandResult[]
}

/**
 * The outcome of a command, or of one of its responses:
 *
 * - `accepted`: it had an effect
 * - `repeated`: the same was accepted before; it had no effect
 * - `conflict`: something else was accepted before
 * - `too-old`: it was created before commands of its sender that are forgotten: it may have been accepted
 * - `expired`: the request expired before the answer came
 * - `unknown-request`: there is no such request that the sender sees, or it is closed
 * - `ambiguous`: several tasks wait for it, and the command states no `taskId`
 * - `unknown-task`: there is no such task that the sender sees, or none to cancel
 * - `ended`: the task has ended, or is being canceled
 * - `forbidden`: the sender may not answer, or the client is not to run the tool
 * - `changed-call`: the answer is for another tool call than the requested one, before or after another answer
 * - `invalid`: the command is invalid, or the answer does not match the request; the request stays open
 * - `unknown-command`: this version does not know the kind of the command
 * - `busy`: a task of the conversation runs, and input for a new one is refused until it has ended; or the task has answers of more
 *   than 2 097 152 characters that its agent has not taken, and an answer is refused until it has
 * - `unsupported`: nobody takes the input: the stream was opened without `onInput`, the agent of the task reads none while it
 *   runs, or 100 messages wait for their turn
 */
export type ReceiptStatus =
  | 'accepted'
  | 'repeated'
  | 'conflict'
  | 'too-old'
  | 'expired'
  | 'unknown-request'
  | 'ambiguous'
  | 'unknown-task'
  | 'ended'
  | 'forbidden'
  | 'changed-call'
  | 'invalid'
  | 'unknown-command'
  | 'busy'
  | 'unsupported'

/** The outcome of a command, or of one of its responses. */
export interface CommandResult {
  readonly status: ReceiptStatus
  /** What was expected and what came, in English. May change in any release. */
  readonly message: string
  /** The request for input that was answered. Only of `input.respond`. */
  readonly inputId?: string
  /** The request for authentication that was answered. Only of `auth.respond`. */
  readonly authId?: string
  /** The tool call. Only of `tool.result`. */
  readonly toolCallId?: string
  /** The task: of commands and responses with a `taskId`, and of every `task.send` that was accepted. */
  readonly taskId?: string
  /**
   * What is wrong with the command or the answer: `too-large` and `invalid-value` by the ledger, `invalid-schema` if the
   * `validate` of the ledger throws or returns no list, and the codes that `validate` and `decodeCommand` return. Only with `invalid`.
   */
  readonly issues?: readonly Issue[]
}

/** The accepted answer to a request. */
export interface Answer {
  readonly contextId: string
  /** The task that asked. */
  readonly taskId: string
  /** The request for input. Omitted if it is a request for authentication. */
  readonly inputId?: string
  /** The request for authentication. Omitted if it is a request for input. */
  readonly authId?: string
  /** `answered` and `declined` of an input; `completed`, `denied` and `failed` of an authentication. */
  readonly outcome: 'answered' | 'declined' | 'completed' | 'denied' | 'failed'
  /** The answer. Omitted if there is none beyond the outcome. */
  readonly value?: unknown
  /** Why the request was declined, or the message about the authentication. Omitted if unknown. */
  readonly reason?: string
  /** The tool call that was approved, with the arguments to call it with. Omitted if none was. */
  readonly call?: ApprovedCall
  /** Where the server finds the credential. Only of an authentication. Omitted if `authId` is sufficient. */
  readonly credentialRef?: string
  /** Who answered. */
  readonly sender: Sender
  /** When the answer was accepted: RFC 3339 with time zone. */
  readonly at: string
}

/** A tool call that was approved. */
export interface ApprovedCall {
  readonly toolCallId: string
  readonly toolName: string
  /** The arguments to call the tool with: those of the request, or those that the answer replaced them by. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Whether the answer replaced the arguments. */
  readonly isEdited: boolean
}

/** Returns why edited arguments are refused, given as JSON text; `undefined` if they are not. */
export type EditCheck = (text: string) => unknown
