/** The ledger: applies each command once, whoever delivers it, and however often. */

import type { JsonValue } from '../../core/json-value.ts'
import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { optional, requireFunction, requireInteger, requireOneOf, requireOnly } from '../../core/require.ts'
import type { NeedsApproval } from '../../events/approval.ts'
import { decodeEvent } from '../../events/decode.ts'
import { schemaIssues } from '../../json/schema-issues.ts'
import { audiences } from '../../streams/access/audience.ts'
import { issuesOf } from '../../validation/read.ts'
import type { Shape } from '../../validation/shape.ts'
import type { Command } from '../command.ts'
import { decodeCommand } from '../decode.ts'
import { remember, resultsBefore, subjectsOf } from './accepted.ts'
import { applyAuth, applyResponses } from './apply-answers.ts'
import { applyEvent } from './apply-event.ts'
import { applyCancel, applyOwner, applyReader, applyReturned, applySend } from './apply-task.ts'
import { applyToolResult } from './apply-tool-result.ts'
import type { SchemaValidator } from './check-answer.ts'
import { expireRequests } from './end-requests.ts'
import { type LedgerLimits, LedgerStep } from './ledger-step.ts'
import { credentialIn, excessOf, longTextOf } from './limits.ts'
import { initialLedgerState, type LedgerState } from './state.ts'
import type { CommandResult, LedgerInput, LedgerOutput, Receipt, Sender } from './types.ts'
import { type AccessedStream, accessRules, type MayAccess, type MayAnswer, mayAccess } from './who.ts'

/** A claim of a client that an authentication is completed. */
export interface AuthClaim {
  /** The request. */
  readonly authId: string
  /** What the client states. `null` if it states nothing. */
  readonly claim: JsonValue
}

/** Decides about a claim. A rejection rejects `submit`, and changes nothing. */
export type VerifyAuth = (
  claim: AuthClaim,
  sender: Sender,
) => Promise<
  | { readonly status: 'completed'; readonly credentialRef?: string }
  | { readonly status: 'failed'; readonly reason: string }
>

/** Options of {@link commandLedger}. */
export interface LedgerOptions {
  /**
   * How many answers, tool calls and tasks each are remembered at least, from 1; at most twice as many. What was decided
   * about a request is kept until its task ends. Also how many requests may be open: one more is withdrawn at once. And how many
   * commands of each sender are remembered, for a day; of all senders together 16 times as many, of which those who have sent most
   * lose theirs first. A command that is created before one of its sender that is forgotten is `too-old`.
   *
   * @defaultValue 1000
   */
  readonly maxEntries?: number
  /**
   * The longest answer, as characters of JSON text from 1. Longer ones are refused. Also the longest schema and options
   * that answers are compared with. Of all answers, at least the latest 1 048 576 characters are remembered, and at most
   * about twice as many. In streams of a store, so are those that agents have not taken while their tasks run: an approval until
   * its call starts, another answer until its agent has got it and continues. Of these, a task has at most 2 097 152 characters, and 131 072 once
   * all tasks have 8 388 608: an answer beyond is `busy`.
   * A command has at most 256 responses and 65 536 values, and its ids, reasons and messages at most 4096 characters each:
   * otherwise it is `invalid`.
   *
   * @defaultValue 65 536
   */
  readonly maxAnswerChars?: number
  /**
   * The longest command, as characters of JSON text from 1: what it bounds is the `input` of a `task.send` and the `result` of a
   * `tool.result`. A longer one is `invalid`, with the code `too-large`. Raise it along with `limits.bodyBytes` of `agentHandler`.
   *
   * @defaultValue 1 048 576
   */
  readonly maxCommandChars?: number
  /**
   * Checks an answer with the `schema` of its request, and returns what is wrong, with pointers into the answer. Omitted:
   * types, enumerations, properties, items, lengths, bounds and combinations are checked, `format` and `pattern` are
   * not. If it throws or returns no list, the answer is refused as `invalid`.
   */
  readonly validate?: SchemaValidator
  /**
   * Names the calls that must not start unless they were approved. A call that was asked about needs the approval in any case.
   * Omitted: no others do.
   */
  readonly needsApproval?: NeedsApproval
  /**
   * How a `tool-start` that may not come is treated: with `refuse`, `append` of a stream rejects with an `ApprovalError` and
   * nothing is logged; with `report`, it is logged and reported as `call-not-approved`, like those of tools that run at the
   * provider of the model. `commandLedger` reports always: what it gets is in the log.
   *
   * @defaultValue 'refuse'
   */
  readonly enforce?: 'refuse' | 'report'
  /**
   * Whether a sender may read a stream and send it commands. Omitted: users may if they are its owner, or it has none; others
   * always.
   */
  readonly mayAccess?: MayAccess
  /**
   * Whether a sender may answer a request, approve a call or send the result of one. Roles are checked besides: what requires the
   * user is never answered by a coordinator. Omitted: of users, the owner of the task may. Without an owner none may, and a
   * request is reported as `no-owner`.
   */
  readonly mayAnswer?: MayAnswer
  /**
   * Verifies the claim of a client that an authentication is completed, before anything is stored, and states where the
   * credential is. Called by `submit` for requests that are open and that the sender may answer. `failed`: the command is `invalid`,
   * and the request stays open. Omitted: such claims are `forbidden`; append an `auth-completed` where the login ends, such as the
   * redirect of OAuth. `commandLedger` calls nothing: pass it `verified` with the command.
   */
  readonly verifyAuth?: VerifyAuth
}

/** The names of {@link LedgerOptions}. */
export const ledgerOptionNames: readonly (keyof LedgerOptions)[] = [
  'maxEntries',
  'maxCommandChars',
  'maxAnswerChars',
  'validate',
  'needsApproval',
  'enforce',
  'mayAccess',
  'mayAnswer',
  'verifyAuth',
]

/** The state of {@link commandLedger}. Read it with `openRequests`, `answerTo` and `nextExpiry`. */
export type CommandLedgerState = MachineState<'commandLedger'>

/**
 * Creates a machine that applies commands at most once, safe to retry and to deliver from two tabs.
 *
 * Inputs are the events of the stream, the commands with their authenticated senders, and the time. For each command
 * comes one receipt; see {@link Receipt} for what it states. What follows from an accepted command comes as events to
 * append to the stream: `input-received`, `input-canceled`, `auth-completed`, `auth-failed`, `tool-start`,
 * `tool-complete` and `task-status`. They may be given back to the ledger as events, or not.
 *
 * The first valid answer to a request wins. An answer that is late, forged, doubled or of someone else changes nothing. A
 * request that is answered invalidly stays open. A task that is canceled gets no more answers; ending it is up to
 * whoever runs it.
 *
 * Diagnostics: `invalid-event`, `call-not-approved` for a `tool-start` of a call that needs an approval or was asked about,
 * and has none, was declined, or was approved with other arguments, and of a task that has ended, and for the result of such a call without
 * a `tool-start`; `repeated-request` for an id that another request has had: it is withdrawn, and so is the other if it is open; `no-owner` for a request that no user may answer; `lossy:schema` if a
 * schema is too long; `too-many-requests` for one
 * that is withdrawn at once, as too many are open or the task has made 10 000; `state-evicted`.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const ledger = run(commandLedger())
 * ledger.push({ type: 'event', event })
 * for (const output of ledger.push({ type: 'command', command, sender: { role: 'user', id: userId }, at: now })) {
 *   if (output.type === 'event') await stream.append(output.event)
 *   if (output.type === 'receipt') respond(output.receipt)
 * }
 * ```
 */
export function commandLedger(
  options: LedgerOptions = {},
): Machine<CommandLedgerState, LedgerInput, LedgerOutput> {
  return ledgerMachine(options, {
    stream: { name: '' },
    takesInput: () => true,
    contextOfStream: () => undefined,
    checkEditOf: () => undefined,
    // Whoever gets its outputs has taken them.
    keepsAnswers: false,
  })
}

/** What the server of a ledger adds to it. */
export type LedgerHost = Pick<
  LedgerLimits,
  'takesInput' | 'contextOfStream' | 'checkEditOf' | 'keepsAnswers'
> & {
  /** The name of the stream, and its owner if the name states one. */
  readonly stream: AccessedStream
}

/** Like {@link commandLedger}. */
export function ledgerMachine(
  options: LedgerOptions,
  { stream, ...host }: LedgerHost,
): Machine<CommandLedgerState, LedgerInput, LedgerOutput> {
  requireOnly('options', options, ledgerOptionNames)
  const { maxEntries = 1000, maxAnswerChars = 65_536, maxCommandChars = 2 ** 20 } = options
  const { validate = schemaIssues, needsApproval, enforce = 'refuse' } = options
  requireInteger('maxEntries', maxEntries, 1)
  requireInteger('maxAnswerChars', maxAnswerChars, 1)
  requireInteger('maxCommandChars', maxCommandChars, 1)
  optional(requireFunction, 'validate', validate)
  optional(requireFunction, 'needsApproval', needsApproval)
  requireOneOf('enforce', enforce, ['refuse', 'report'])
  optional(requireFunction, 'mayAccess', options.mayAccess)
  optional(requireFunction, 'mayAnswer', options.mayAnswer)
  optional(requireFunction, 'verifyAuth', options.verifyAuth)
  const access = accessRules(options, stream)
  const limits = { ...host, maxEntries, maxAnswerChars, maxCommandChars, needsApproval, access }
  return opaque<'commandLedger', object, LedgerState, LedgerInput, LedgerOutput, undefined>({
    initial: initialLedgerState,
    step(state, input) {
      const issues = issuesOf(inputShape, input)
      const at = input?.type === 'command' || input?.type === 'time' ? input.at : (state.latest ?? EPOCH)
      const step = new LedgerStep(state, issues.length > 0 ? EPOCH : at, limits)
      if (issues.length > 0) step.invalid(issues)
      else if (input.type === 'event') applyAnyEvent(step, input.event)
      else if (input.type === 'owner') applyOwner(step, input)
      else if (input.type === 'reader') applyReader(step, input)
      else if (input.type === 'taken') {
        const { inputId, authId = '' } = input
        step.taken(
          inputId === undefined ? step.request('auth', input, authId) : step.request('input', input, inputId),
        )
      } else if (input.type === 'returned') applyReturned(step, input.command, input.sender)
      else {
        expireRequests(step)
        if (input.type === 'command') applyCommand(step, input, validate)
      }
      return step.done()
    },
    end: (state) => ({ state, out: [] }),
  })
}

const EPOCH = '1970-01-01T00:00:00.000Z'

const senderShape: Shape = ['fields', { role: ['of', ...audiences], id: 'id' }]

const inputShape: Shape = [
  'by',
  'type',
  {
    event: ['fields', { event: 'any' }],
    time: ['fields', { at: 'instant' }],
    command: [
      'fields',
      {
        ...{ command: 'any', sender: senderShape, at: 'instant' },
        verified: ['maybe', ['fields', { credentialRef: ['maybe', 'id'] }]],
        isBusy: ['maybe', 'boolean'],
      },
    ],
    owner: ['fields', { contextId: 'id', taskId: 'id', owner: 'id' }],
    taken: ['fields', { contextId: 'id', taskId: 'id', inputId: ['maybe', 'id'], authId: ['maybe', 'id'] }],
    reader: ['fields', { contextId: 'id', taskId: 'id', reader: ['maybe', 'id'] }],
    returned: ['fields', { command: ['fields', { commandId: 'id' }], sender: senderShape }],
  },
]

function applyAnyEvent(step: LedgerStep, value: unknown): void {
  const decoded = decodeEvent(value)
  if (decoded.status === 'invalid') step.invalid(decoded.issues)
  else if (decoded.status === 'known') applyEvent(step, decoded.event)
}

type CommandInput = Extract<LedgerInput, { type: 'command' }>

function applyCommand(step: LedgerStep, input: CommandInput, validate: SchemaValidator): void {
  const { sender } = input
  const read = readCommand(input.command, step.limits.maxCommandChars)
  if (read === undefined) {
    const issues = [{ code: 'invalid-type', path: '', message: NO_JSON }]
    const results = [{ status: 'invalid' as const, message: NO_JSON, issues }]
    step.emit({ type: 'receipt', receipt: receiptOf(undefined, results) })
    return
  }
  const { decoded, issue } = read
  if (decoded.status === 'known') {
    const { event: command } = decoded
    if (issue === undefined && !mayAccess(step.state, step.limits.access, sender)) {
      const message = 'Expected a sender who may access the stream, such as its owner, got another one.'
      const results = subjectsOf(command).map((subject) => ({
        status: 'forbidden' as const,
        message,
        ...subject,
      }))
      step.emit({ type: 'receipt', receipt: receiptOf(command.commandId, results) })
      return
    }
    const results =
      issue === undefined
        ? resultsOnce(step, command, input, validate)
        : [{ status: 'invalid' as const, message: issue.message, issues: [issue] }]
    const commandId = issue?.path === '/commandId' ? undefined : command.commandId
    step.emit({ type: 'receipt', receipt: receiptOf(commandId, results) })
  } else if (decoded.status === 'unknown') {
    const { kind, commandId } = decoded.event
    const long = longTextOf('', { kind, commandId })
    if (long !== undefined) {
      const results = [{ status: 'invalid' as const, message: long.message, issues: [long] }]
      step.emit({ type: 'receipt', receipt: receiptOf(undefined, results) })
      return
    }
    const message = `Unknown command "${decoded.kind}".`
    const receipt = receiptOf(decoded.event.commandId, [{ status: 'unknown-command', message }])
    step.emit({ type: 'receipt', receipt })
  } else {
    const { issues } = decoded
    const message = issues[0]?.message ?? 'Expected a command.'
    step.emit({ type: 'receipt', receipt: receiptOf(undefined, [{ status: 'invalid', message, issues }]) })
  }
}

const NO_JSON = 'Expected a command as JSON, got another value, or a body that could not be read.'

/** Decodes a command, and bounds it; `undefined` if it is not JSON, such as with a BigInt or with members that throw when they are read. */
function readCommand(value: unknown, maxChars: number) {
  if (value === undefined) return undefined
  try {
    const decoded = decodeCommand(value)
    const command = decoded.status === 'known' ? decoded.event : undefined
    return { decoded, issue: command && (excessOf(command, maxChars) ?? credentialIn(command)) }
  } catch {
    return undefined
  }
}

function resultsOnce(
  step: LedgerStep,
  command: Command,
  input: CommandInput,
  validate: SchemaValidator,
): readonly CommandResult[] {
  const { sender } = input
  // To resume has no effect, and clients do it again.
  if (command.kind === 'stream.resume') return resultsOf(step, command, input, validate)
  const again = resultsBefore(step, command, sender)
  if (again !== undefined) return again
  const results = resultsOf(step, command, input, validate)
  remember(step, command, sender, results)
  return results
}

function resultsOf(
  step: LedgerStep,
  command: Command,
  { sender, verified, isBusy = false }: CommandInput,
  validate: SchemaValidator,
): readonly CommandResult[] {
  switch (command.kind) {
    case 'input.respond':
      return applyResponses(step, command, sender, validate)
    case 'auth.respond':
      return [applyAuth(step, command, sender, verified)]
    case 'tool.result':
      return [applyToolResult(step, command, sender)]
    case 'task.send':
      return [applySend(step, command, sender, isBusy)]
    case 'task.cancel':
      return [applyCancel(step, command, sender)]
    case 'stream.resume':
      return [{ status: 'accepted', message: 'The stream resumes after lastEventId.' }]
    default:
      return command satisfies never
  }
}

function receiptOf(commandId: string | undefined, results: readonly CommandResult[]): Receipt {
  const refused = results.find(({ status }) => status !== 'accepted' && status !== 'repeated')
  const accepted = results.find(({ status }) => status === 'accepted')
  const status = (refused ?? accepted)?.status ?? 'repeated'
  return { ...(commandId !== undefined && { commandId }), status, results }
}
