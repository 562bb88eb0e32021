/** The calls of an ACP session: what was approved of each, and what the agent did. */

import type { Diagnostic } from '../core/machine.ts'
import { describeValue } from '../core/require.ts'
import { MAX_ITEMS } from '../dialects/shared/limits.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { shortLine } from '../encoding/one-line.ts'
import { mustBeApproved, type NeedsApproval } from '../events/approval.ts'
import { canonicalJson } from '../json/canonical.ts'
import { cleanJson } from '../json/sanitize.ts'
import type { ToolCall } from '../server/ask-options.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { textOf } from '../validation/read-fields.ts'

type Args = Record<string, unknown>

/** A call that has not ended. */
interface Call {
  readonly toolName: string
  readonly fields: Fields
  /** What the user was asked, and whether the answer allows it. Omitted: nobody was asked. */
  readonly permission?: {
    readonly args: Args
    readonly status: 'waiting' | 'approved' | 'refused'
    /** Whether the call had started before. */
    readonly isLate: boolean
  }
  readonly isStarted: boolean
}

/** The characters of an id. */
const MAX_ID = 1024

/** A longer name is cut, in characters: the call itself has what the agent runs. */
export const MAX_NAME = 200

const toolFailed = 'The tool failed.'

export class AcpCalls {
  readonly #report: (diagnostic: Diagnostic) => void
  readonly #needsApproval: NeedsApproval | undefined
  readonly #open = new Map<string, Call>()
  readonly #done = new Set<string>()

  constructor(report: (diagnostic: Diagnostic) => void, needsApproval: NeedsApproval | undefined) {
    this.#report = report
    this.#needsApproval = needsApproval
  }

  /** Reads a `tool_call` or a `tool_call_update`. */
  read(update: Fields): EventDraft[] {
    const toolCallId = textOf(update.toolCallId)
    const isRunning = this.#open.get(toolCallId)?.fields.status === 'in_progress'
    const call = this.#merged(toolCallId, update)
    if (call === undefined) return []
    const { status } = update
    const { rawOutput, content } = call.fields
    // A call that is pending may wait for a permission.
    if (status !== 'in_progress' && status !== 'completed' && status !== 'failed') return []
    // So may one that is in progress, with some agents: the question about it comes next.
    if (status === 'in_progress' && (isRunning || this.#mayBeAsked(call))) return []
    const hasEnded = status !== 'in_progress'
    if (hasEnded) this.#end(toolCallId)
    // That it fails is what the refusal led to: the request has it.
    if (status === 'failed' && !call.isStarted && isHeldBack(call)) return []
    const drafts = this.#started(toolCallId, call)
    if (!hasEnded) return drafts
    if (call.permission?.isLate === true && status === 'completed') this.#isAllowed(toolCallId, call)
    const result = cleanJson(rawOutput ?? content) ?? null
    const stated = typeof result === 'string' ? result : result === null ? '' : JSON.stringify(result)
    const error = stated || toolFailed
    const outcome = status === 'completed' ? { success: true, result } : { success: false, error }
    const { toolName } = call
    return [...drafts, { kind: 'tool-complete', toolCallId, toolName, ...outcome } as EventDraft]
  }

  /** The call that a permission is asked for; `undefined` if it cannot be shown, or is asked about already. */
  asked(update: Fields): ToolCall | undefined {
    const toolCallId = textOf(update.toolCallId)
    if (this.#open.get(toolCallId)?.permission?.status === 'waiting') return undefined
    const call = this.#merged(toolCallId, update)
    if (call === undefined) return undefined
    const { args, isWhole } = argumentsOf(call.fields)
    if (!isWhole) return undefined
    this.#open.set(toolCallId, { ...call, permission: { args, status: 'waiting', isLate: call.isStarted } })
    return { toolCallId, toolName: call.toolName, arguments: JSON.stringify(args) }
  }

  /** Notes the answer of the user. A call that was in progress when it was asked about starts with it. */
  decide(toolCallId: string, isApproved: boolean): EventDraft[] {
    const known = this.#open.get(toolCallId)
    if (known?.permission === undefined) return []
    const status = isApproved ? 'approved' : 'refused'
    const call: Call = { ...known, permission: { ...known.permission, status } }
    this.#open.set(toolCallId, call)
    return isApproved && call.fields.status === 'in_progress' ? this.#started(toolCallId, call) : []
  }

  /** Ends the calls that are open: those that run fail. */
  end(): EventDraft[] {
    const error = 'The session ended without a result.'
    const drafts = [...this.#open].flatMap(([toolCallId, call]): EventDraft[] => {
      const { toolName, isStarted, fields } = call
      const isRunning = fields.status === 'in_progress' && !isHeldBack(call)
      if (!isStarted && !isRunning) return []
      const failed: EventDraft = { kind: 'tool-complete', toolCallId, toolName, success: false, error }
      return [...this.#started(toolCallId, call), failed]
    })
    this.#open.clear()
    return drafts
  }

  /** A call with an update; `undefined` if there is none that is open. */
  #merged(toolCallId: string, update: Fields): Call | undefined {
    const known = this.#open.get(toolCallId)
    const isNew = known === undefined
    const isValid = toolCallId !== '' && toolCallId.length <= MAX_ID
    if (isNew && (!isValid || this.#done.has(toolCallId) || this.#open.size >= MAX_ITEMS)) {
      const expected = isValid ? `a call that has not ended, of ${MAX_ITEMS} at most` : 'the id of a call'
      const message = `Expected ${expected}, got ${describeValue(update.toolCallId)}.`
      this.#report({ code: 'dropped:tool_call', message })
      return undefined
    }
    const stated = Object.fromEntries(Object.entries(update).filter(([, value]) => value != null))
    const fields = { ...known?.fields, ...stated }
    const call = { isStarted: false, ...known, toolName: known?.toolName ?? nameOf(fields), fields }
    this.#open.set(toolCallId, call)
    return call
  }

  /** Whether a call must be approved, and was not asked about. */
  #mayBeAsked({ toolName, permission, isStarted }: Call): boolean {
    return !isStarted && permission === undefined && mustBeApproved(this.#needsApproval, { toolName })
  }

  /** The start of a call, unless it has started. What the agent runs is stated, whatever was approved. */
  #started(toolCallId: string, call: Call): EventDraft[] {
    const { toolName, isStarted } = call
    if (isStarted) return []
    if (this.#open.has(toolCallId)) this.#open.set(toolCallId, { ...call, isStarted: true })
    const { args } = argumentsOf(call.fields)
    const start = { kind: 'tool-start', toolCallId, toolName, arguments: args } as const
    // Otherwise it runs where the stream cannot hold it back.
    return [this.#isAllowed(toolCallId, call) ? start : { ...start, metadata: { provider: 'provider' } }]
  }

  /** Whether a call may run. One that may not is reported. */
  #isAllowed(toolCallId: string, { fields, permission }: Call): boolean {
    if (permission === undefined) return true
    const { args } = argumentsOf(fields)
    if (permission.status === 'approved' && canonicalJson(args) === canonicalJson(permission.args))
      return true
    const got = permission.status === 'approved' ? 'other arguments' : `one that is ${permission.status}`
    const message = `Expected the call that was approved, got ${got}: the agent runs it.`
    const detail = { toolCallId, arguments: args, asked: permission.args, status: permission.status }
    this.#report({ code: 'call-not-approved', message, detail })
    return false
  }

  #end(toolCallId: string): void {
    this.#open.delete(toolCallId)
    this.#done.add(toolCallId)
    const [oldest] = this.#done
    if (this.#done.size > MAX_ITEMS && oldest !== undefined) this.#done.delete(oldest)
  }
}

/** The name of a call, which users read: often its title, which the agent writes. */
function nameOf({ name, title, kind }: Fields): string {
  const names = [name, title, kind].map((one) => shortLine(textOf(one), MAX_NAME).trim())
  return names.find((one) => one !== '') ?? 'tool'
}

/** Whether the user was asked, and has not allowed it. */
function isHeldBack({ permission }: Call): boolean {
  return permission !== undefined && permission.status !== 'approved'
}

/** The arguments of a call as an object, and whether they are all that the agent has stated. */
function argumentsOf({ rawInput }: Fields): { args: Args; isWhole: boolean } {
  let isWhole = true
  const value = cleanJson(rawInput ?? {}, () => {
    isWhole = false
  })
  if (value === undefined) return { args: {}, isWhole: false }
  return { args: isFields(value) ? value : { rawInput: value }, isWhole }
}
