/** Every format that has a writer: its variants, its readers, and who checks what is written. */
import { a2aCoverage, a2aVerifier, fromA2a, toA2a, validateA2aEvent } from 'turnstream/a2a'
import { acpCoverage, toAcp } from 'turnstream/acp'
import { agUiCoverage, agUiVerifier, fromAgUi, toAgUi } from 'turnstream/ag-ui'
import {
  agentEventCoverage,
  agentEventVerifier,
  fromAgentEvents,
  toAgentEvents,
} from 'turnstream/agent-event'
import { aiSdkCoverage, fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { framesCoverage, frameVerifier, fromFrames, toFrames } from 'turnstream/frames'
import { openaiCoverage, toChatCompletions } from 'turnstream/openai'
import { openaiChat } from 'turnstream/providers'
import { fromSessionEvents, sessionCoverage, sessionVerifier, toSessionEvents } from 'turnstream/session'
import type { Machine } from '../../src/core/machine.ts'
import { losses as a2aTable } from '../../src/dialects/a2a/to/coverage.ts'
import { losses as agUiTable } from '../../src/dialects/ag-ui/to/losses.ts'
import { losses as aiSdkTable } from '../../src/dialects/ai-sdk/to/losses.ts'
import type { ContextAnyEvent, EventKind } from '../../src/events/event.ts'
import { createEmitter, type EventDraft } from '../../src/index.ts'
import { isUnseen, resultsOf } from '../support/mapper-laws.ts'
import { storedTexts } from './a2a/revision-peers.ts'
import { acpPageOf, acpReader } from './acp/peer.ts'
import { orderErrorsOf, pageOf, schemaErrorsOf } from './ag-ui/peers.ts'
import { expectAccepted, readMessage } from './ai-sdk/readers.ts'
import { completionOf } from './openai/support.ts'

/** What a peer makes of what is written. */
export interface PeerPage {
  readonly errors: readonly unknown[]
  /** Its texts, thoughts and arguments, as far as it has any. */
  readonly texts: readonly string[]
}

export interface Format {
  /** The name of the variant. Variants of a format have the name of the format in common. */
  readonly name: string
  readonly format: string
  readonly writer: () => unknown
  /** @param options - Of the reader. Omitted: what users do not see by default is shown. */
  readonly reader: (options?: { readonly showErrors?: boolean }) => unknown
  /** The verifier of the format in this library. */
  readonly verifier?: () => unknown
  /** The protocol's own packages. */
  readonly peer?: (out: readonly never[]) => PeerPage | Promise<PeerPage>
  readonly coverage: Readonly<Record<EventKind, string>>
  /** Whether a leaf of an event reaches the format in another form. */
  readonly isForm: (path: string, value: unknown, event: ContextAnyEvent) => boolean
  /** Whether it has one task, so that events of subtasks are not part of it. */
  readonly hasOneTask?: true
  readonly canReplace?: true
  readonly isCarried?: true
  /** Whether events after the end of the task are carried as well. */
  readonly isCarriedAfterEnd?: true
  /** Whether its outputs are messages of a connection, and no body. */
  readonly isConnection?: true
  /** Whether readers take its texts for one. */
  readonly isJoined?: true
}

const viewer = { audience: 'operator' } as const

/** Errors as they were written. */
const shown = { showErrors: true } as const

/** The clock of readers: what they read is the same at any time. */
const now = (): number => 0

/** What reaches most formats in another form: kinds as types, places as orders, texts as their deltas; and fields by name. */
const fields =
  (...names: readonly string[]): Format['isForm'] =>
  (path, _, { kind }) => {
    const [, field = ''] = path.split('/')
    const isWhole = kind === 'content-complete' || kind === 'task-complete' || kind === 'thought-stream'
    return ['kind', 'timestamp', 'index', ...names].includes(field) || (field === 'content' && isWhole)
  }

/** What a format of one task without times and places does not have. */
const ofTask = ['contextId', 'taskId', 'parentTaskId', 'path']
const ofOneTask = [...ofTask, 'timestampEnd', 'indexEnd', 'thoughtId']

let ids = 0
const uuid = (): string => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`

const frames = (version: 'v1' | 'v2'): Format => ({
  name: `frames ${version}`,
  format: 'frames',
  writer: () => toFrames({ version, sessionId: uuid(), newId: uuid }),
  reader: () => fromFrames(),
  verifier: () => frameVerifier({ version }),
  coverage: framesCoverage,
  isForm: fields('initiator', 'success', 'status'),
  isJoined: true,
})

const agentEvent = (toolCallIds: boolean): Format => ({
  name: `agent-event${toolCallIds ? '' : ' without ids of calls'}`,
  format: 'agent-event',
  writer: () => toAgentEvents({ viewer, toolCallIds }),
  reader: (options = shown) => fromAgentEvents({ contextId: 'c', taskId: 't', ...options }),
  verifier: () => agentEventVerifier({ mode: 'strict' }),
  coverage: agentEventCoverage,
  isForm: fields(
    ...[...ofOneTask, 'status', 'success', 'arguments', 'thoughtType', 'verbosity'],
    ...(toolCallIds ? [] : ['toolCallId']),
  ),
  hasOneTask: true,
  isJoined: true,
})

const session: Format = {
  name: 'session',
  format: 'session',
  writer: () => toSessionEvents({ viewer, connectionId: 'c-1' }),
  reader: (options = shown) => fromSessionEvents(options),
  verifier: () => sessionVerifier({ mode: 'strict', direction: 'server' }),
  coverage: sessionCoverage,
  isForm: fields('success'),
  hasOneTask: true,
}

/** The reader of a provider, whose drafts become events of one task. */
function chatReader(): unknown {
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const withEvents = <Step extends { readonly out: readonly EventDraft[] }>(step: Step) => ({
    ...step,
    out: step.out.map((draft) => emit(draft)),
  })
  const machine = openaiChat()
  return {
    ...machine,
    step: (...args: Parameters<typeof machine.step>) => withEvents(machine.step(...args)),
    end: (...args: Parameters<typeof machine.end>) => withEvents(machine.end(...args)),
  }
}

const openai: Format = {
  name: 'openai',
  format: 'openai',
  writer: () => toChatCompletions({ viewer, includeUsage: true }),
  reader: chatReader,
  /** The client throws the error of a task that has failed. */
  async peer(out: readonly { readonly error?: { readonly message: string } }[]) {
    const stated = out.flatMap(({ error }) => error?.message ?? [])
    if (out.length === 0) return { errors: [], texts: [] }
    try {
      const { choices } = await completionOf(out as never)
      const { content, tool_calls: calls = [] } = choices[0]?.message ?? {}
      const args = calls.flatMap((call) => (call.type === 'function' ? [call.function.arguments] : []))
      return { errors: stated, texts: [content ?? '', ...args] }
    } catch (error) {
      return { errors: stated.some((text) => String(error).includes(text)) ? [] : [error], texts: [] }
    }
  },
  coverage: openaiCoverage,
  // A completion has one id, one time and one finish reason, and the sum of the tokens.
  isForm: (path, value, event) =>
    fields(...ofOneTask, 'initiator', 'status', 'arguments', 'finishReason')(path, value, event) ||
    /^\/metadata\/(usage|finishReason)/.test(path),
  hasOneTask: true,
  isJoined: true,
}

const acp: Format = {
  name: 'ACP',
  format: 'ACP',
  writer: () => toAcp({ viewer, input: true }),
  reader() {
    const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
    return acpReader((draft) => emit(draft))
  },
  peer: (out) => acpPageOf(out),
  coverage: acpCoverage,
  // A response has one reason, and the sum of the tokens.
  isForm: (path, value, event) =>
    fields(
      ...ofOneTask,
      'initiator',
      'status',
      'success',
      'finishReason',
      'encoding',
      'complete',
    )(path, value, event) || /^\/metadata\/(usage|finishReason)/.test(path),
  isConnection: true,
  hasOneTask: true,
}

const agUi = (extension: boolean): Format => ({
  name: `AG-UI${extension ? ' with the extension' : ''}`,
  format: 'AG-UI',
  writer: () => toAgUi({ viewer, ...(extension && { extension, messages: [] }) }),
  reader: (options = shown) => fromAgUi({ now, ...options }),
  verifier: () => agUiVerifier({ mode: 'strict' }),
  async peer(out) {
    const { messages, errors } = await pageOf(out)
    const texts = messages.flatMap((message) => {
      const { content, toolCalls } = message as {
        content?: unknown
        toolCalls?: { function: { arguments: string } }[]
      }
      const calls = (toolCalls ?? []).map((call) => call.function.arguments)
      return message.role === 'assistant' || message.role === 'reasoning' ? [String(content), ...calls] : []
    })
    return { errors: [...schemaErrorsOf(out), ...orderErrorsOf(out), ...errors], texts }
  },
  coverage: agUiCoverage,
  isForm(path, value, event) {
    const { kind } = event
    const [, field = ''] = path.split('/')
    if (isUnseen(agUiTable, path, event)) return true
    // The step that the item is in: the round trip has it.
    if (path === '/iteration') return true
    if (['kind', 'timestamp', 'index', 'success', 'status', 'content'].includes(field)) return true
    // A subagent states what is known of it when it starts.
    if (kind === 'subtask-created') return true
    // What waits is told by its requests, and a run that works by its start: a status places no task.
    if (kind === 'task-status' && ofTask.includes(field)) return true
    // The client runs the call, so that it is not asked.
    if (event.kind === 'input-required' && event.metadata?.toolCall !== undefined) return true
    if (kind === 'tool-start' && field === 'arguments') return true
    // A result has no name of its tool: its call has.
    if (kind === 'tool-complete' && (field === 'result' || field === 'toolName')) return true
    if (path === '/initiator') return true
    if (path === '/thoughtType') return value === 'reasoning'
    if (path === '/verbosity') return value === 'normal'
    if (path === '/change/type') return value === 'json-patch'
    // Empty metadata adds nothing.
    return path === '/metadata'
  },
  ...(extension && { canReplace: true, isCarried: true, isCarriedAfterEnd: true }),
})

const aiSdk = (version: 5 | 6 | 7, extension = false): Format => ({
  name: `AI SDK ${version}${extension ? ' with the extension' : ''}`,
  format: 'AI SDK',
  writer: () => toUiMessageStream({ version, viewer, extension }),
  reader: (options = shown) => fromUiMessageStream({ now, ...options }),
  async peer(out: readonly { readonly type: string; readonly errorText?: string }[]) {
    await expectAccepted(version, out as never)
    const stated = out.flatMap(({ type, errorText }) => (type === 'error' ? [errorText] : []))
    const { message, errors } = await readMessage(version, out as never)
    const texts = (message?.parts ?? []).flatMap(({ type, text, input }) =>
      type === 'text' || type === 'reasoning'
        ? [String(text)]
        : input === undefined
          ? []
          : [JSON.stringify(input)],
    )
    return { errors: errors.filter((error) => !stated.includes(error)), texts }
  },
  coverage: aiSdkCoverage,
  isForm(path, value, event) {
    const { kind, parentTaskId } = event
    const [, field = '', key] = path.split('/')
    if (isUnseen(aiSdkTable, path, event)) return true
    if (['kind', 'contextId', 'timestamp', 'index', 'status', 'success'].includes(field)) return true
    // Reported once for all events. A request is answered by its own id.
    if (field === 'parentTaskId' || field === 'path' || (field === 'taskId' && parentTaskId)) return true
    if (field === 'content' && /^(content-complete|thought-stream|task-complete)$/.test(kind)) return true
    // The pieces of a file are sent as one.
    if (kind === 'file-write' && ['data', 'encoding', 'complete'].includes(field)) return true
    if (kind === 'input-required') return field === 'inputType' || key === 'toolCall'
    if (path === '/initiator') return true
    // The answer about a call is whether it is approved.
    if (path === '/outcome') return value === 'answered' || value === 'declined'
    if (path === '/transient') return value === false
    // Empty metadata adds nothing.
    return path === '/rows' || path === '/metadata'
  },
  hasOneTask: true,
  ...(version === 7 && { canReplace: true }),
  ...(extension && { isCarried: true, isCarriedAfterEnd: true }),
})

const a2a = (version: '0.3' | '1.0', more: object = {}, also = ''): Format => ({
  name: `A2A ${version}${also}`,
  format: 'A2A',
  writer: () => toA2a({ version, viewer, ...more }),
  reader: (options = shown) => fromA2a({ now, ...options }),
  verifier: () => a2aVerifier({ version, mode: 'strict' }),
  peer: async (out) => ({
    errors: out.flatMap((item) => validateA2aEvent(version, item)),
    texts: await storedTexts(version, out),
  }),
  coverage: a2aCoverage,
  isForm: (path, value, event) =>
    also !== ' with the extension' &&
    (isUnseen(a2aTable, path, event) ||
      (path === '/initiator' && value === 'user') ||
      path === '/metadata' ||
      fields('status', 'complete', 'encoding', 'data', 'change')(path, value, event)),
  hasOneTask: true,
  canReplace: true,
  ...(also === ' with the extension' && { isCarried: true }),
})

export const formats: readonly Format[] = [
  frames('v1'),
  frames('v2'),
  session,
  openai,
  acp,
  agentEvent(true),
  agentEvent(false),
  aiSdk(5),
  aiSdk(6),
  aiSdk(7),
  aiSdk(7, true),
  agUi(false),
  agUi(true),
  a2a('0.3'),
  a2a('1.0'),
  a2a('1.0', { closeText: 'snapshot' }, ' closed by snapshots'),
  a2a('1.0', { extension: true }, ' with the extension'),
]

/** What is written of a stream, as it arrives. */
export const writtenBy = ({ writer }: Format, events: readonly ContextAnyEvent[]): readonly never[] => {
  const results = resultsOf(writer() as Machine<unknown, ContextAnyEvent, never, never>, events)
  return JSON.parse(JSON.stringify(results.flatMap(({ out }) => out)))
}
