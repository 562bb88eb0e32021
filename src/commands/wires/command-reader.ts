/** What readers of other protocols share: they turn a request of a client into commands. */

import type { Diagnostic } from '../../core/machine.ts'
import { randomId } from '../../core/random-id.ts'
import { optional, requireArray, requireFunction, requireOnly } from '../../core/require.ts'
import { readClock, readNewId } from '../../validation/callbacks.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { textIn } from '../../validation/read-fields.ts'
import { checkCommand } from '../checks.generated.ts'
import type { Command } from '../command.ts'
import type { CommandDraft, CreateCommandOptions } from '../create.ts'
import type { InputResponse } from '../input.ts'
import type { OpenRequest } from '../ledger/read.ts'

/** Options of the readers. */
export interface ReadCommandsOptions extends CreateCommandOptions {
  /**
   * The requests that are open, from `openRequests`: shows which tool call an answer approves, and which results are
   * new. Omitted: answers are passed on as they are, and the ledger sorts out what it knows already.
   */
  readonly requests?: readonly OpenRequest[]
}

/** The commands in a request. */
export interface ReadCommands {
  /** In the order in which they are to be applied. Often one. */
  readonly commands: readonly Command[]
  /**
   * What is not in the commands: `invalid-event` for a request that cannot be read, `dropped:<what>` with
   * `detail.reason`, and `lossy:<field>`.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** Collects the commands of one request. */
export class CommandReader {
  readonly commands: Command[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly requests: readonly OpenRequest[] | undefined
  readonly #now: () => Date | number | string
  readonly #newId: () => string

  /** @param own - The names of further options of the reader. */
  constructor(options: ReadCommandsOptions, own: readonly string[] = []) {
    requireOnly('options', options, ['now', 'newId', 'requests', ...own])
    const { now = () => new Date(), newId = randomId, requests } = options
    requireFunction('now', now)
    requireFunction('newId', newId)
    optional(requireArray, 'requests', requests)
    this.#now = now
    this.#newId = newId
    this.requests = requests
  }

  /** Adds a command. Fields that are `undefined` are omitted; a command that would be invalid is reported. */
  add(draft: { readonly kind: CommandDraft['kind']; readonly [field: string]: unknown }): void {
    const fields = Object.entries(draft).filter(([, value]) => value !== undefined)
    const command = {
      commandId: draft.commandId ?? readNewId(this.#newId),
      ...Object.fromEntries(fields),
      timestamp: readClock(this.#now),
    }
    if (checkCommand(draft.kind, command) === true) this.commands.push(command as unknown as Command)
    else this.invalid('', `Expected the fields of a valid ${draft.kind}, got others.`)
  }

  /** Reports a request, or a part of one, that cannot be read. */
  invalid(path: string, message: string): void {
    this.diagnostics.push({ code: 'invalid-event', path, message })
  }

  /** Reports a part that leads to no command. */
  dropped(what: string, reason: string, path: string, message: string): void {
    this.diagnostics.push({ code: `dropped:${what}`, path, message, detail: { reason } })
  }

  /** The open request for an input with an id. */
  request(inputId: string): OpenRequest | undefined {
    return this.requests?.find(({ type, id }) => type === 'input' && id === inputId)
  }

  /**
   * The response to a request for input. About a tool call, `{ approved, arguments?, reason? }` is read as what it means,
   * as is the spelling `editedArgs` of the arguments and `feedback` of the reason. `undefined`, and reported, if an edit
   * cannot be read, or if an approval is for a request that is not known.
   */
  response(inputId: string, value: unknown, path: string): InputResponse | undefined {
    const request = this.request(inputId)
    if (!isApproval(value) || (request !== undefined && request.call === undefined)) {
      return value === undefined ? { inputId } : { inputId, value }
    }
    if (request === undefined) {
      this.unknownApproval(path, `an approval of inputId "${inputId}"`)
      return undefined
    }
    const reason = textIn(value, 'reason') ?? textIn(value, 'feedback')
    if (!value.approved) return { inputId, outcome: 'declined', ...(reason !== undefined && { reason }) }
    const edits = editNames.filter((name) => value[name] !== undefined)
    const other = Object.keys(value).find((name) => !approvalNames.includes(name))
    const [edit] = edits
    if (other !== undefined || edits.length > 1) {
      const got = other ?? edits.join(' and ')
      this.invalid(path, `Expected an approval with approved, arguments and reason, got ${got}.`)
      return undefined
    }
    if (edit === undefined) return { inputId }
    const edited = value[edit]
    if (isFields(edited)) return { inputId, value: { arguments: edited } }
    this.invalid(`${path}/${edit}`, 'Expected the edited arguments as a JSON object, got another value.')
    return undefined
  }

  /** Reports an approval of a request that is not among the open ones: nobody knows what it approves. */
  unknownApproval(path: string, got: string): void {
    this.dropped('answer', 'no-open-question', path, `Expected an answer to an open request, got ${got}.`)
  }

  done(): ReadCommands {
    return { commands: this.commands, diagnostics: this.diagnostics }
  }
}

/** The fields of an approval. */
const editNames = ['arguments', 'editedArgs', 'editedArguments']
const approvalNames: readonly string[] = ['approved', 'reason', 'feedback', ...editNames]

/** Whether a value may be the answer to an approval: `{ approved }`, with more or not. */
export function isApproval(value: unknown): value is Fields & { readonly approved: boolean } {
  return isFields(value) && Object.hasOwn(value, 'approved') && typeof value.approved === 'boolean'
}

/** JSON text as its value, any other text as it is. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
