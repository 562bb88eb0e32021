/** What an agent may ask, and what it gets. */

import type { LedgerOptions } from '../commands/ledger/ledger.ts'
import type { Sender } from '../commands/ledger/types.ts'
import type { JsonValue } from '../core/json-value.ts'
import {
  mismatch,
  optional,
  requireArray,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireObject,
  requireOnly,
  requireSignal,
  requireString,
  requireText,
} from '../core/require.ts'
import type { TaskName } from '../events/event.ts'
import type { JsonSchema } from '../events/metadata.ts'
import { uncheckedPlace } from '../json/schema-keywords.ts'

/** A call to approve. */
export interface ToolCall {
  /** The call, as its model names it: the same after a restart. Unique in the task. */
  readonly toolCallId: string
  readonly toolName: string
  /** The arguments as JSON text: shown and approved as it is. Without any text, they are `{}`. */
  readonly arguments: string
}

/** Options of `Stream.approve`. */
export interface ApproveOptions {
  /** Returns the question. Omitted: it names the tool. */
  readonly prompt?: (call: ToolCall) => string
  /**
   * Whether each call is asked about, also one that the `needsApproval` of the store does not name: such as what a remote agent
   * wants approved.
   *
   * @defaultValue false
   */
  readonly always?: boolean
  /**
   * Whether the answer may have other arguments: those that match a JSON Schema, of which each keyword must be one that is checked,
   * or those for whose text `validate` returns nothing. An edit for which it returns why not is `invalid`, with that as the message, and
   * the request stays open; so it is if it throws or returns anything else. `validate` runs where the agent waits: an edit that another
   * process takes is `invalid`, too. With several processes, state a `schema`.
   *
   * @defaultValue false
   */
  readonly editable?:
    | false
    | { readonly schema: JsonSchema }
    | { readonly validate: (text: string) => string | undefined }
  /** Milliseconds after which a request expires: from 1. Omitted: it does not. */
  readonly timeoutMs?: number
  /** Ends the wait: the generator throws its reason. Omitted: it waits until the requests are closed. */
  readonly signal?: AbortSignal
}

/** What was decided about a call. */
export type Approval =
  | {
      readonly status: 'approved'
      /** The call to start, with the arguments that were approved. `by` is omitted if it needed no approval. */
      readonly call: ToolCall & { readonly isEdited: boolean; readonly by?: Sender }
    }
  | NoApproval

/** A request that was closed without what it asked for. */
export interface NoApproval {
  readonly status: 'declined' | 'expired' | 'canceled'
  /** Why. Omitted if unknown. */
  readonly reason?: string
}

/** Options of `Stream.ask`. */
export interface AskOptions {
  /** The request: the same after a restart. Unique in the task. */
  readonly inputId: string
  readonly prompt: string
  /** JSON Schema of the answer. Omitted: any. */
  readonly schema?: JsonSchema
  /** Milliseconds after which the request expires: from 1. Omitted: it does not. */
  readonly timeoutMs?: number
  /** Ends the wait: the generator throws its reason. Omitted: it waits until the request is closed. */
  readonly signal?: AbortSignal
}

/** What was answered. */
export type Reply =
  | {
      readonly status: 'answered'
      /** The answer; `null` if it has no value. */
      readonly value: JsonValue
      readonly by: Sender
      /** The call that the answer approves, with the arguments that were approved. Omitted: the request was about none, or it approves none. */
      readonly call?: ToolCall & { readonly isEdited: boolean }
    }
  | (NoApproval & {
      /** What was answered to a request about a call, if that approves nothing. Omitted if there is no value. */
      readonly value?: JsonValue
    })

const waitNames = ['contextId', 'taskId', 'timeoutMs', 'signal']

function requireWait(options: TaskName & Pick<AskOptions, 'timeoutMs' | 'signal'>): void {
  requireText('contextId', options.contextId)
  requireText('taskId', options.taskId)
  optional((name, value) => requireInteger(name, value, 1), 'timeoutMs', options.timeoutMs)
  optional(requireSignal, 'signal', options.signal)
}

/** Throws a TypeError for invalid arguments of `approve`. */
export function requireApproval(
  calls: readonly ToolCall[],
  options: TaskName & ApproveOptions,
  { validate }: LedgerOptions,
): void {
  requireArray('calls', calls)
  for (const call of calls) {
    requireObject('calls', call)
    requireText('toolCallId', call.toolCallId)
    requireText('toolName', call.toolName)
    requireString('arguments', call.arguments)
  }
  requireOnly('options', options, [...waitNames, 'prompt', 'always', 'editable'])
  requireWait(options)
  optional(requireFunction, 'prompt', options.prompt)
  optional(requireBoolean, 'always', options.always)
  const { editable = false } = options
  if (editable === false) return
  requireObject('editable', editable)
  requireOnly('editable', editable, ['schema' in editable ? 'schema' : 'validate'])
  if (!('schema' in editable)) {
    requireFunction('editable.validate', editable.validate)
    return
  }
  requireObject('editable.schema', editable.schema)
  const place = validate === undefined ? uncheckedPlace(editable.schema) : undefined
  if (place === undefined) return
  throw mismatch('editable.schema', 'a schema of keywords that are checked, or the option "validate"', place)
}

/** Throws a TypeError for invalid options of `ask`. */
export function requireQuestion(options: TaskName & AskOptions): void {
  requireOnly('options', options, [...waitNames, 'inputId', 'prompt', 'schema'])
  requireWait(options)
  requireText('inputId', options.inputId)
  requireString('prompt', options.prompt)
  optional(requireObject, 'schema', options.schema)
}
