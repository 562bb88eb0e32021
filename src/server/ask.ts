/** Questions of an agent, as drafts for the writer of its task, and what was answered: also after a restart. */

import { CHECKED_BY_AGENT } from '../commands/ledger/check-answer.ts'
import { hasApproved } from '../commands/ledger/decisions.ts'
import type { CommandLedgerState, LedgerOptions } from '../commands/ledger/ledger.ts'
import { hasStartedWith, requestNamed } from '../commands/ledger/read.ts'
import { digestsOf } from '../commands/ledger/same-request.ts'
import type { RequestRecord } from '../commands/ledger/state.ts'
import type { Answer, EditCheck } from '../commands/ledger/types.ts'
import type { JsonValue } from '../core/json-value.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { digitsOf } from '../encoding/sha256.ts'
import { mustBeApproved } from '../events/approval.ts'
import type { TaskName } from '../events/event.ts'
import type { JsonSchema } from '../events/metadata.ts'
import { callDigest } from '../json/call-digest.ts'
import { inexactArguments } from '../json/exact-arguments.ts'
import { schemaAt } from '../json/schema-keywords.ts'
import type { Approval, ApproveOptions, AskOptions, NoApproval, Reply, ToolCall } from './ask-options.ts'
import type { Stream } from './stream.ts'

/** What asking needs of its stream. */
export interface AskingHost extends Pick<Stream, 'answer'> {
  /** The state that is known here. */
  readonly state: CommandLedgerState
  /** Reads what other processes have stored. */
  refresh(): Promise<unknown>
  readonly options: LedgerOptions
  /** Checks the edits of a request here until the function that it returns is called. */
  checkEdits(request: TaskName & { readonly inputId: string }, check: EditCheck): () => void
}

/** Asks about all calls, then waits. */
export async function* approveCalls(
  host: AskingHost,
  given: readonly ToolCall[],
  options: TaskName & ApproveOptions,
): AsyncGenerator<EventDraft, readonly Approval[]> {
  const { contextId, taskId, editable = false, timeoutMs, signal } = options
  const { prompt = ({ toolName }: ToolCall) => `Run ${toolName}?` } = options
  // Some models send no text for no arguments.
  const calls = given.map((call) => (call.arguments.trim() === '' ? { ...call, arguments: '{}' } : call))
  await host.refresh()
  const asked = calls.map((call) => ({ call, inputId: inputIdOf(call), known: decided(host, call, options) }))
  const requests = asked.flatMap(({ call, inputId, known }) => {
    if (known !== undefined) return []
    const toolCall = { id: call.toolCallId, function: { name: call.toolName, arguments: call.arguments } }
    const schema = schemaOfEdit(editable)
    const draft: EventDraft & { kind: 'input-required' } = {
      ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: prompt(call) },
      ...(schema !== undefined && { schema }),
      metadata: { toolCall, ...timeout(timeoutMs) },
    }
    return [draft]
  })
  const waiting = asked.filter(({ known }) => known === undefined)
  const endings =
    editable && 'validate' in editable
      ? waiting.map(({ inputId }) => host.checkEdits({ contextId, taskId, inputId }, editable.validate))
      : []
  try {
    yield* askAll(host, { contextId, taskId }, requests)
    return await Promise.all(
      asked.map(async ({ call, inputId, known }) => {
        if (known !== undefined) return known
        const name = { contextId, taskId, inputId }
        const answer = await host.answer(name, signal && { signal })
        return approvalOf(call, answer, requestNamed(host.state, name))
      }),
    )
  } finally {
    for (const end of endings) end()
  }
}

/** Asks a question, then waits. */
export async function* askFor(
  host: AskingHost,
  options: TaskName & AskOptions,
): AsyncGenerator<EventDraft, Reply> {
  const { contextId, taskId, inputId, prompt, schema, timeoutMs, signal } = options
  const metadata = timeout(timeoutMs)
  const name = { contextId, taskId, inputId }
  await host.refresh()
  const isOther = isOtherQuestion(requestNamed(host.state, name), options)
  const question: EventDraft & { kind: 'input-required' } = {
    ...{ kind: 'input-required', inputId, prompt },
    inputType: schema === undefined ? 'clarification' : 'custom',
    ...(schema !== undefined && { schema }),
    ...(timeoutMs !== undefined && { metadata }),
  }
  if (isOther) {
    // The store reports and withdraws it.
    yield question
    return { status: 'canceled', reason: `Another question has had the inputId "${inputId}".` }
  }
  yield* askAll(host, name, [question])
  const answer = await host.answer(name, signal && { signal })
  if (answer === undefined) return closedAs(requestNamed(host.state, name))
  if (answer.outcome === 'declined') {
    const value = answer.value as JsonValue | undefined
    return { ...declined(reasonOf(answer)), ...(value !== undefined && { value }) }
  }
  const { call } = answer
  return {
    ...{ status: 'answered', value: (answer.value ?? null) as JsonValue, by: answer.sender },
    ...(call !== undefined && { call: { ...call, arguments: JSON.stringify(call.arguments) } }),
  }
}

/** Whether a request with the id of a question asks something else. Of one that the agent has yielded itself, no schema is stated. */
function isOtherQuestion(
  known: RequestRecord | 'ambiguous' | undefined,
  { prompt, schema }: AskOptions,
): boolean {
  if (typeof known !== 'object' || known.forgotten !== undefined) return false
  const { schema: digest } = digestsOf({ schema }).digests ?? {}
  return known.prompt !== prompt || (digest !== undefined && digest !== known.digests?.schema)
}

/** Asks what was not asked before, and waits for what is open. */
async function* askAll(
  host: AskingHost,
  { contextId, taskId }: TaskName,
  drafts: readonly (EventDraft & { kind: 'input-required' })[],
): AsyncGenerator<EventDraft, void> {
  const seen = new Set<string>()
  let isWaiting = false
  for (const draft of drafts) {
    const { inputId } = draft
    const known = requestNamed(host.state, { contextId, taskId, inputId })
    isWaiting ||= known === undefined || (known !== 'ambiguous' && known.status === 'open')
    if (known === undefined && !seen.has(inputId)) yield draft
    seen.add(inputId)
  }
  if (isWaiting) yield { kind: 'task-status', status: 'waiting-input' }
}

/** What is known of a call without asking; `undefined` if it is asked about. */
function decided(
  { state, options: { needsApproval } }: AskingHost,
  call: ToolCall,
  { always = false, contextId, taskId }: TaskName & ApproveOptions,
): Approval | undefined {
  const inputId = inputIdOf(call)
  const { toolCallId, toolName, arguments: text } = call
  const isFree = !always && needsApproval !== undefined && !mustBeApproved(needsApproval, { toolName })
  // Another process may have asked, by other rules.
  if (isFree && requestNamed(state, { contextId, taskId, inputId }) === undefined) {
    return { status: 'approved', call: { toolCallId, toolName, arguments: text, isEdited: false } }
  }
  const inexact = inexactArguments(text)
  if (inexact !== undefined) return declined(inexact)
  if (!hasStartedWith(state, { contextId, taskId }, toolCallId, inputId)) return undefined
  return { status: 'canceled', reason: 'The call has started before: it is not started again.' }
}

/** The request about a call: the same after a restart, and another one for other arguments. */
function inputIdOf({ toolCallId, toolName, arguments: text }: ToolCall): string {
  return `approve-${toolCallId}-${digitsOf(callDigest({ toolName, arguments: text }), 12)}`
}

function timeout(timeoutMs: number | undefined): { timeout?: number } {
  return timeoutMs === undefined ? {} : { timeout: timeoutMs / 1000 }
}

/** The schema of an answer with other arguments. Omitted: none may have any. */
function schemaOfEdit(editable: ApproveOptions['editable']): JsonSchema | undefined {
  if (!editable) return undefined
  const schema =
    'schema' in editable
      ? schemaAt('/properties/arguments', editable.schema)
      : { type: 'object', format: CHECKED_BY_AGENT }
  return {
    ...{ type: 'object', properties: { arguments: schema } },
    ...{ required: ['arguments'], additionalProperties: false },
  }
}

function approvalOf(
  call: ToolCall,
  answer: Answer | undefined,
  request: RequestRecord | 'ambiguous' | undefined,
): Approval {
  const { toolCallId, toolName, arguments: text } = call
  if (answer === undefined) {
    // The answer is forgotten, or was given before a restart of a process that stores events alone.
    return typeof request === 'object' && hasApproved(request, callDigest({ toolName, arguments: text }))
      ? { status: 'approved', call: { toolCallId, toolName, arguments: text, isEdited: false } }
      : closedAs(request)
  }
  const { call: approved, sender: by } = answer
  if (approved === undefined) return declined(reasonOf(answer))
  const { isEdited } = approved
  const shown = isEdited ? JSON.stringify(approved.arguments) : text
  return { status: 'approved', call: { toolCallId, toolName, arguments: shown, isEdited, by } }
}

/** How a request without an answer was closed. */
function closedAs(request: RequestRecord | 'ambiguous' | undefined): NoApproval {
  if (typeof request !== 'object') return { status: 'canceled' }
  if (request.status === 'expired') return { status: 'expired' }
  const { isDeclined, reason } = request
  return { status: isDeclined === true ? 'declined' : 'canceled', ...(reason !== undefined && { reason }) }
}

/** Why a request was declined: as stated, or as the text that was answered instead. */
function reasonOf({ reason, value }: Answer): string | undefined {
  return reason ?? (typeof value === 'string' ? value : undefined)
}

function declined(reason: string | undefined): NoApproval {
  return { status: 'declined', ...(reason !== undefined && { reason }) }
}
