/** Reading requests for input and authentication, and their ends. */

import type { AuthRequiredEvent } from '../../../events/auth.ts'
import { isSafeAuthUrl } from '../../../events/auth-url.ts'
import type { InputRequiredEvent } from '../../../events/input.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { uniqueId } from '../../engine/draft.ts'
import { type DataPart, DEFAULT_AUTH_PROMPT, DEFAULT_INPUT_PROMPT, type Message } from '../wire/model.ts'
import type { AdkCall } from './adk.ts'
import { carriedOfData, carriedOfMessage } from './carry.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { answerTo } from './posted.ts'
import { readAdkParts, waitingCallOf } from './read-adk.ts'
import { readParts, textOf } from './read-message.ts'

/** Closes the open request, if there is one. */
export function closeRequest(writer: TaskEventWriter, reason: 'answered' | 'withdrawn' | 'task-ended'): void {
  const { request } = writer.state
  writer.state.request = undefined
  if (request?.type !== 'input') return
  const { id: inputId } = request
  if (reason !== 'answered') writer.emitWith({ kind: 'input-canceled', inputId, reason })
  else {
    const answer = answerTo(writer.options.request, writer.state.taskId)
    const outcome = answer?.isDeclined === true ? { outcome: 'declined' as const } : {}
    writer.emitWith({ kind: 'input-received', inputId, providedBy: 'user', userId: 'user', ...outcome })
    if (answer === undefined) writer.inferred('userId', 'A2A states neither who answered nor how.')
  }
}

/** Reads a request for input. */
export function readInputRequest(writer: TaskEventWriter, message: Message | undefined): void {
  const call = waitingCallOf(message)
  if (message !== undefined && call !== undefined) {
    readWaitingCall(writer, message, call)
    return
  }
  const details = new Details(dataPartOf(message))
  readParts(writer, message, details.part)
  const inputId = openRequest(writer, 'input', details.id(['inputId', 'requestId', 'id']), message)
  const metadata = details.fields('metadata')
  const options = details.take('options', (value) => Array.isArray(value) && value.length > 0)
  const inputType = details.take('inputType', (type) => isInputType(type, options, metadata))
  const requireUser = details.take('requireUser', (value) => typeof value === 'boolean')
  const schema = details.fields('schema')
  writer.emitWith(
    {
      kind: 'input-required',
      inputId,
      inputType: (inputType ?? 'clarification') as InputRequiredEvent['inputType'],
      prompt: promptOf(details, message) ?? DEFAULT_INPUT_PROMPT,
      requireUser: requireUser as boolean | undefined,
      schema,
      options: options === undefined ? undefined : [...(options as unknown[])],
      metadata,
    },
    { ...carriedOfMessage(writer.state, message), ...details.rest() },
  )
  writer.emitWaiting({ type: 'input', id: inputId })
}

/** The tool by which ADK asks whether another one may run. */
const CONFIRMATION = 'adk_request_confirmation'

/** Reads a request of ADK: a call whose result the client sends, or which it confirms. */
function readWaitingCall(writer: TaskEventWriter, message: Message, call: AdkCall): void {
  const { id, name, value } = call
  const { originalFunctionCall: original, toolConfirmation } = value
  const isConfirmation = name === CONFIRMATION && isFields(original)
  const hint = fieldsOf(toolConfirmation).hint
  readAdkParts(
    writer,
    writer.state.adk?.eventId ?? message.messageId,
    message.parts,
    message.messageId,
    (each) => (isConfirmation ? each.id === id : false),
  )
  const inputId = openRequest(writer, 'input', id, message)
  const asked = isConfirmation ? original : { id, name, args: value }
  const toolCall = {
    id: typeof asked.id === 'string' ? asked.id : id,
    type: 'function',
    function: { name: String(asked.name), arguments: JSON.stringify(asked.args ?? {}) },
  } as const
  writer.emitWith(
    {
      kind: 'input-required',
      inputId,
      inputType: isConfirmation ? 'confirmation' : 'tool-execution',
      prompt: typeof hint === 'string' && hint !== '' ? hint : `Execute ${toolCall.function.name}.`,
      metadata: { toolCall, ...(!isConfirmation && { provider: 'client' }) },
    },
    { adk: { id, name } },
  )
  writer.emitWaiting({ type: 'input', id: inputId })
}

/** The types that need no further fields. */
const inputTypes: readonly unknown[] = ['confirmation', 'clarification', 'custom']

/** Whether an event may have a type. */
function isInputType(type: unknown, options: unknown, metadata: Metadata | undefined): boolean {
  if (type === 'selection') return options !== undefined
  if (type === 'tool-execution') return metadata?.toolCall !== undefined
  return inputTypes.includes(type)
}

/** Reads a request for authentication. */
export function readAuthRequest(writer: TaskEventWriter, message: Message | undefined): void {
  const details = new Details(dataPartOf(message))
  readParts(writer, message, details.part)
  const authId = openRequest(writer, 'auth', details.id(['authId', 'id']), message)
  const isUrl = (url: unknown): boolean => typeof url === 'string' && isSafeAuthUrl(url)
  const authUrl = details.take('authUrl', isUrl) ?? details.take('url', isUrl)
  const authType = details.take('authType', (type) => isAuthType(type, authUrl))
  const provider = details.take('provider', isText)
  const scopes = details.take('scopes', (value) => Array.isArray(value) && value.every(isText))
  const metadata = details.fields('metadata')
  writer.emitWith(
    {
      kind: 'auth-required',
      authId,
      authType: (authType ?? 'custom') as AuthRequiredEvent['authType'],
      prompt: promptOf(details, message) ?? DEFAULT_AUTH_PROMPT,
      provider: provider as string | undefined,
      scopes: scopes === undefined ? undefined : [...(scopes as string[])],
      authUrl: authUrl as string | undefined,
      metadata,
    },
    { ...carriedOfMessage(writer.state, message), ...details.rest() },
  )
  writer.emitWaiting({ type: 'auth', id: authId })
}

/** The prompt: the text of the message, which is never empty, unless the data states that the prompt is. */
function promptOf(details: Details, message: Message | undefined): string | undefined {
  const isEmpty = details.take('prompt', (prompt) => prompt === '') !== undefined
  return isEmpty ? '' : textOf(message)
}

const authTypes: readonly unknown[] = ['api-key', 'password', 'biometric', 'custom']

function isAuthType(type: unknown, authUrl: unknown): boolean {
  return type === 'oauth2' ? authUrl !== undefined : authTypes.includes(type)
}

/** Opens a request. A repeated id gets a suffix, as its first request was closed by the state in between. */
function openRequest(
  writer: TaskEventWriter,
  type: 'input' | 'auth',
  known: string | undefined,
  message: Message | undefined,
): string {
  const id = uniqueId(writer, 'request', known ?? message?.messageId ?? 'request')
  writer.state.request = { type, id }
  return id
}

/** The first data part that is an object. */
export function dataPartOf(message: Message | undefined): DataPart | undefined {
  return message?.parts.find((part): part is DataPart => part.type === 'data' && isFields(part.data))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The fields of a data part that describes a request. */
class Details {
  readonly part: DataPart | undefined
  readonly #data: Fields
  readonly #taken: Set<string> = new Set()

  constructor(part: DataPart | undefined) {
    this.part = part
    this.#data = fieldsOf(part?.data)
  }

  /** The value of a field if it is valid. */
  take(name: string, isValid: (value: unknown) => boolean): unknown {
    const value = Object.hasOwn(this.#data, name) ? this.#data[name] : undefined
    if (value === undefined || !isValid(value)) return undefined
    this.#taken.add(name)
    return value
  }

  fields(name: string): Metadata | undefined {
    const value = this.take(name, isFields)
    return value === undefined ? undefined : { ...(value as Metadata) }
  }

  /** The first of the names that is an id. */
  id(names: readonly string[]): string | undefined {
    for (const name of names) {
      const id = this.take(name, (value) => isText(value) && value !== '')
      if (id !== undefined) return id as string
    }
    return undefined
  }

  /** What was not taken, and what the part has besides: for the event to carry. */
  rest(): Metadata {
    const rest = Object.entries(this.#data).filter(([name]) => !this.#taken.has(name))
    const carried = carriedOfData(this.part)
    const isRead = rest.length === 0 && this.#taken.size > 0
    return { ...carried, data: isRead ? undefined : carried.data && Object.fromEntries(rest) }
  }
}
