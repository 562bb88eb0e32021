/** What readers of other protocols share: they turn a request of a client into commands. */

import type { Diagnostic } from '../../core/machine.ts'
import { randomId } from '../../core/random-id.ts'
import { optional, requireArray, requireFunction, requireOneOf, requireOnly } from '../../core/require.ts'
import { textDigest } from '../../encoding/sha256.ts'
import type { Audience } from '../../events/kind.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { audiences } from '../../streams/access/audience.ts'
import { readClock, readNewId } from '../../validation/callbacks.ts'
import { issuesOf, readBy } from '../../validation/read.ts'
import type { ShapeFields } from '../../validation/shape.ts'
import type { Command } from '../command.ts'
import type { CommandDraft, CreateCommandOptions } from '../create.ts'
import { commandVocabulary } from '../decode.ts'
import type { OpenRequest } from '../ledger/read.ts'

/** Options of the readers. */
export interface ReadCommandsOptions extends CreateCommandOptions {
  /**
   * The requests that are open, from `openRequests`: shows which tool call an answer approves, and which results are
   * new. Omitted: answers are passed on as they are, and the ledger sorts out what it knows already.
   */
  readonly requests?: readonly OpenRequest[]
  /**
   * Who sends the request. What its ids name is found among the open requests that this role sees.
   *
   * @defaultValue `'user'`
   */
  readonly role?: Audience
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
    requireOnly('options', options, ['now', 'newId', 'requests', 'role', ...own])
    const { now = () => new Date(), newId = randomId, requests, role = 'user' } = options
    requireFunction('now', now)
    requireFunction('newId', newId)
    optional(requireArray, 'requests', requests)
    requireOneOf('role', role, audiences)
    this.#now = now
    this.#newId = newId
    this.requests = requests?.filter((request) => request?.audience?.includes(role) !== false)
  }

  /** Adds a command. Fields that are `undefined` are omitted; a command that would be invalid is reported. */
  add(draft: { readonly kind: CommandDraft['kind']; readonly [field: string]: unknown }): void {
    const fields = Object.entries(draft).filter(([, value]) => value !== undefined)
    const command = {
      commandId: draft.commandId ?? readNewId(this.#newId),
      ...Object.fromEntries(fields),
      timestamp: readClock(this.#now),
    }
    const check = commandVocabulary.checkOf(draft.kind)
    const [issue] = check === undefined ? [] : readBy(check, command, { refusesNulls: true }).issues
    if (issue === undefined) this.commands.push(command as unknown as Command)
    else this.invalid('', `Expected a valid ${draft.kind}. ${issue.path}: ${issue.message}`)
  }

  /**
   * Whether what is read of a body has its shape. Each fault is reported.
   *
   * @param at - A pointer to the value in the body.
   */
  fits(fields: ShapeFields, value: unknown, at = ''): boolean {
    const issues = issuesOf(['fields', fields], value)
    for (const { path, message } of issues) this.invalid(at + path, message)
    return issues.length === 0
  }

  /** Reports a request, or a part of one, that cannot be read. */
  invalid(path: string, message: string): void {
    this.diagnostics.push({ code: 'invalid-event', path, message })
  }

  /** Reports a field that is not in the command. */
  lossy(field: string, path: string, message: string): void {
    this.diagnostics.push({ code: `lossy:${field}`, path, message })
  }

  /** Reports a value of a command that the request lacks. */
  inferred(what: string, path: string, message: string): void {
    this.diagnostics.push({ code: `inferred:${what}`, path, message })
  }

  /** Reports a part that leads to no command. */
  dropped(what: string, reason: string, path: string, message: string): void {
    this.diagnostics.push({ code: `dropped:${what}`, path, message, detail: { reason } })
  }

  done(): ReadCommands {
    return { commands: this.commands, diagnostics: this.diagnostics }
  }
}

/** The call that a request asks the client to run; `undefined` if there is none. */
export function executedCall(request: OpenRequest): CallOnWire | undefined {
  const { type, id, ancestorTaskIds, isExecution = false } = request
  if (type === 'tool') return { id, isAside: ancestorTaskIds !== undefined }
  return isExecution ? askedCall(request) : undefined
}

/** The call that a request is about; `undefined` if there is none. */
export function askedCall({ call }: OpenRequest): CallOnWire | undefined {
  return call && { id: call.toolCallId, isAside: false }
}

/** A call as clients may name it. */
export interface CallOnWire {
  readonly id: string
  /** Whether few clients see it, as one of a subtask that asks for nothing. */
  readonly isAside: boolean
}

/** An id that is the same whenever the same content is sent; `undefined` if it is too deep. */
export function derivedId(prefix: string, content: unknown): string | undefined {
  const digest = sourceDigestOf(content)
  return digest === undefined ? undefined : `${prefix}:${digest}`
}

/** The `sourceDigest` of what a client sent; `undefined` if it is too deep. */
export function sourceDigestOf(content: unknown): string | undefined {
  const text = canonicalJson(content)
  return text === undefined ? undefined : textDigest(text)
}
