/**
 * How to call every exported function with a wrong option or argument, as data.
 *
 * Each row passes any value in one place. Where it is not accepted, the function must throw a TypeError that names the
 * option.
 */
import {
  createEmitter,
  eventDecoder,
  isTaskEnd,
  iterate,
  type Machine,
  pipe,
  readEvents,
  run,
  stamp,
  taskEvents,
  transform,
} from 'turnstream'
import {
  a2a,
  a2aSnapshot,
  a2aVerifier,
  commandsFromA2a,
  demuxTasks,
  fromA2a,
  toA2a,
  validateA2aEvent,
  wrapJsonRpc,
} from 'turnstream/a2a'
import { acpAgent, serveAcp, toAcp } from 'turnstream/acp'
import {
  agUi,
  agUiMessages,
  agUiVerifier,
  commandsFromRunAgentInput,
  fromAgUi,
  toAgUi,
} from 'turnstream/ag-ui'
import {
  adaptToolEvent,
  agentEventVerifier,
  fromAgentEvents,
  subAgentToolEvents,
  toAgentEvents,
  toolEventVerifier,
} from 'turnstream/agent-event'
import {
  a2aAgent,
  agentLoop,
  agUiAgent,
  chatAgent,
  chatFormat,
  fromAdk,
  fromClaudeAgent,
  fromCodex,
  fromLangGraph,
  fromOpenaiAgents,
} from 'turnstream/agents'
import {
  aiSdk,
  chatTransport,
  commandsFromChatRequest,
  encodeUiMessageChunk,
  fromUiMessageStream,
  toUiMessageStream,
  uiMessages,
} from 'turnstream/ai-sdk'
import { agentClient } from 'turnstream/client'
import { callDigest, commandsFromAcpPermission, createCommand, toAcpPermission } from 'turnstream/commands'
import {
  decodeFrame,
  downgradeFrame,
  embeddedFrame,
  encodeFrame,
  frameReceiver,
  frameSequencer,
  frameVerifier,
  fromFrames,
  toFrames,
  upgradeFrame,
} from 'turnstream/frames'
import { applyJsonPatch, parsePartialJson } from 'turnstream/json'
import { fromLooopy } from 'turnstream/looopy'
import { commandsFromMcpElicitation, fromMcp, toMcpElicitation, toMcpInputResponses } from 'turnstream/mcp'
import { chatCompletions, toChatCompletions } from 'turnstream/openai'
import { traceEvents } from 'turnstream/otel'
import {
  anthropicMessages,
  awsEventDecoder,
  bedrockConverse,
  cohereChat,
  geminiContent,
  geminiInteractions,
  type ModelEnd,
  modelTurn,
  ollamaChat,
  openaiChat,
  openaiResponses,
} from 'turnstream/providers'
import { RedisLogError, redisLog, redisStore } from 'turnstream/redis'
import { agentHandler, logStore, memoryStore, runAgent, type Stream, toNodeListener } from 'turnstream/server'
import {
  answerConfirm,
  commandsFromSessionEvent,
  createConfirm,
  createSessionEvent,
  decodeSessionEvent,
  encodeReconnectWithState,
  formatSessionEventId,
  fromSessionEvents,
  matchConfirm,
  restampSessionEvent,
  selectReplay,
  sessionOutbox,
  sessionReceiver,
  sessionVerifier,
  signedStateIn,
  signState,
  toSessionEvents,
  upsertSessionEvent,
  verifySignedState,
} from 'turnstream/session'
import {
  d1,
  pglite,
  postgres,
  type SqlDatabase,
  SqlStoreError,
  sqlite,
  sqlLog,
  sqlStore,
  tables,
} from 'turnstream/sql'
import {
  encodeComment,
  encodeEvent,
  encodeJson,
  encodeMessage,
  eventStream,
  jsonDecoder,
  sseDecoder,
} from 'turnstream/sse'
import {
  applyArtifactPatch,
  applyBackpressure,
  artifactOf,
  audienceOf,
  batchDecoder,
  closeDangling,
  compact,
  createMemoryLog,
  createRouter,
  createStream,
  createTaskTree,
  createViewStore,
  createViewStoreWith,
  cursorAfter,
  decideBackpressure,
  emptyView,
  encodeBatch,
  escapeName,
  escapePatternSegment,
  foldEvent,
  foldEvents,
  follow,
  formatEventId,
  historyPage,
  type MemoryEventLog,
  makeBatch,
  openRequests as openRequestsOf,
  parsePattern,
  project,
  readFilter,
  receiver,
  requireAppendOptions,
  requireEvent,
  requireReadOptions,
  requireSnapshotOptions,
  resolveCursor,
  respondersOf,
  snapshotEvents,
  taskOf,
  unescapeName,
  verifier,
  watchStream,
  watchStreamWith,
} from 'turnstream/streams'
import { eventLogLaw } from 'turnstream/testing'
import { extractThoughts, snapshotsToDeltas, thoughtEvents, thoughtExtractor } from 'turnstream/thoughts'
import type { AcpStream } from '../../src/acp/connection.ts'
import type { ServeAcpOptions } from '../../src/acp/serve/serve-acp.ts'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import { answerTo, nextExpiry, openRequests } from '../../src/commands/ledger/read.ts'
import { iterateBatches } from '../../src/core/iterate.ts'
import { unstamp } from '../../src/emitter/stamp.ts'

/** Whether an option takes a value. */
type Accepts = (value: unknown) => boolean

/** One place to pass any value, the values it takes, and the call. */
export type MisuseRow = readonly [option: string, accepts: Accepts, call: (value: never) => unknown]

const isText: Accepts = (value) => typeof value === 'string' && value !== ''
const isString: Accepts = (value) => typeof value === 'string'
const isBoolean: Accepts = (value) => typeof value === 'boolean'
const isFunction: Accepts = (value) => typeof value === 'function'
const isObject: Accepts = (value) => Object.prototype.toString.call(value) === '[object Object]'
const isArray: Accepts = Array.isArray
const isNumber: Accepts = (value) => Number.isFinite(value)
const isAmount: Accepts = (value) => typeof value === 'number' && value >= 0
const never: Accepts = () => false
const isSource: Accepts = (value) => isArray(value) || value instanceof Set || value instanceof Map
const integer =
  (min: number): Accepts =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min
/** Bytes that a heartbeat may have. */
const padding: Accepts = (value) => value === undefined || (integer(0)(value) && (value as number) <= 65_536)
const oneOf =
  (...values: readonly unknown[]): Accepts =>
  (value) =>
    values.includes(value)
const maybe =
  (accepts: Accepts): Accepts =>
  (value) =>
    value === undefined || accepts(value)
/** Of an option that is stored as JSON: `null` counts as omitted. */
const nullable =
  (accepts: Accepts): Accepts =>
  (value) =>
    value === undefined || value === null || accepts(value)

const context = { contextId: 'ctx-1', taskId: 'task-1' } as const
const timestamp = '2026-01-01T00:00:00Z'
const now = (): string => timestamp
const event = { kind: 'content-delta', ...context, delta: 'Hi', index: 0, timestamp } as const
const created = { kind: 'task-created', ...context, initiator: 'user', timestamp } as const
const thought = { kind: 'thought-delta', delta: 'Hm' } as const
const position = { stream: 'context/ctx-1', epoch: 'e1', seq: 0 }
const extent = { stream: 'context/ctx-1', epoch: 'e1', earliest: 0, next: 1, closed: false }
const batch = {
  type: 'batch',
  stream: 's',
  epoch: 'e',
  after: -1,
  through: 0,
  events: [event],
  seqs: [0],
} as const
const machine = {
  initial: {},
  step: (state: object) => ({ state, out: [] }),
  end: (state: object) => ({ state, out: [] }),
}
const connect = (): Promise<never> => new Promise(() => {})
const logOptions = { stream: 's', epoch: 'e', now: () => 0 }
const frames = { version: 'v2', newId: () => 'id', now: () => 0 } as const
const signing = { key: 'k', kid: 'k', sessionId: 's', now } as const
const verifying = { keys: { k: 'k' }, sessionId: 's', now } as const
const sessionEvent = { event: 'plan.start', seq: 1, event_id: 'c-1' }

const tracing = { tracer: { startSpan: () => ({}) as never }, setSpan: () => ({}), parent: {} }

const stream = createStream(logOptions)
const respondRows: readonly [name: string, accepts: Accepts][] = [
  ['signal', (value) => value === undefined],
  ['heartbeatMs', (value) => value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1)],
  ['paddingBytes', padding],
  ['retry', (value) => value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)],
  ['profile', (value) => value === undefined || value === 'named' || value === 'data-only'],
]

/** Opens logs that obey every law, so that a valid option is no error. */
function memoryLogs(): (stream: string) => MemoryEventLog {
  const logs = new Map<string, MemoryEventLog>()
  return (name) => {
    const log = logs.get(name) ?? createMemoryLog({ ...logOptions, stream: name })
    logs.set(name, log)
    return log
  }
}

/** Pulls the first output of a generator, whose checks run then. */
const pull = (generator: AsyncGenerator<unknown>): Promise<unknown> => generator.next()

/** The fields of cursors. */
const cursorRows = (name: string, call: (cursor: never) => unknown): MisuseRow[] => [
  [`${name}.stream`, isText, (stream) => call({ ...position, stream } as never)],
  [`${name}.epoch`, isText, (epoch) => call({ ...position, epoch } as never)],
  [`${name}.seq`, integer(-1), (seq) => call({ ...position, seq } as never)],
  [`${name}.filter`, maybe(isText), (filter) => call({ ...position, filter } as never)],
]

const kinds: Accepts = oneOf('content-delta', 'tool-start')
const policyRows = (name: string, call: (policy: never) => unknown): MisuseRow[] => [
  [name, nullable((value) => isObject(value) && Object.keys(value as object).length === 0), call],
  [`${name}.maxVerbosity`, nullable(oneOf('brief')), (maxVerbosity) => call({ maxVerbosity } as never)],
  [`${name}.types`, nullable(isArray), (types) => call({ types } as never)],
  [`${name}.types[0]`, oneOf('planning'), (type) => call({ types: [type] } as never)],
  [
    `${name}.minConfidence`,
    nullable((value) => isAmount(value) && (value as number) <= 1),
    (minConfidence) => call({ minConfidence } as never),
  ],
  [
    `${name}.unknownConfidence`,
    nullable(oneOf('keep')),
    (unknownConfidence) => call({ unknownConfidence } as never),
  ],
]
const viewerRows = (name: string, call: (viewer: never) => unknown): MisuseRow[] => [
  [name, (value) => isObject(value) && Object.keys(value as object).length === 0, call],
  [`${name}.audience`, oneOf('user'), (audience) => call({ audience } as never)],
  [name, never, (field) => call({ audience: 'user', audiences: field } as never)],
  ...policyRows(`${name}.thoughts`, (thoughts) => call({ audience: 'user', thoughts } as never)),
  [`${name}.removed`, nullable(isObject), (removed) => call({ audience: 'user', removed } as never)],
  [`${name}.subtasks`, nullable(oneOf('all')), (subtasks) => call({ audience: 'user', subtasks } as never)],
  [
    `${name}.removed.tool-start[0]`,
    (value) => value === '' || (isText(value) && /^\/(?:[^~]|~[01])*$/.test(value as string)),
    (pointer) => call({ audience: 'user', removed: { 'tool-start': [pointer] } } as never),
  ],
]
const optionalViewerRows = (call: (viewer: never) => unknown): MisuseRow[] =>
  viewerRows('viewer', call).map(([name, accepts, row]) => [
    name,
    name === 'viewer' ? maybe(accepts) : accepts,
    row,
  ])
/** Options that lack the viewer, which another row checks. */
const withAll = (options: never): never =>
  (maybe(isObject)(options) ? { viewer: 'all', ...(options as object | undefined) } : options) as never
const filterRows = (name: string, call: (filter: never) => unknown): MisuseRow[] => [
  [`${name}.kinds`, nullable(isArray), (value) => call({ kinds: value } as never)],
  [`${name}.kinds[0]`, kinds, (kind) => call({ kinds: [kind] } as never)],
  [`${name}.tasks`, nullable(isArray), (tasks) => call({ tasks } as never)],
  [`${name}.tasks[0]`, isText, (task) => call({ tasks: [task] } as never)],
  [`${name}.internal`, nullable(isBoolean), (internal) => call({ internal } as never)],
  [name, never, (field) => call({ kind: field } as never)],
  ...policyRows(`${name}.thoughts`, (thoughts) => call({ thoughts } as never)),
]
const isIterable: Accepts = (value) => typeof value === 'object' && value !== null && Symbol.iterator in value
/** A Redis in which every stream is empty. */
const a2aMapper = toA2a({ version: '1.0' })
const a2aState = (): typeof a2aMapper.initial => a2aMapper.step(a2aMapper.initial, created).state
/** How a remote agent is reached. */
const post = (): never => {
  throw new Error('It is not posted to.')
}
const loopTask = { turns: [], signal: new AbortController().signal, approve: noDrafts as never }
const loopOptions = { format: chatFormat, model: () => [] }
const handlerOptions = { store: memoryStore(), user: () => 'u', agent: noDrafts }
const agentInput = {
  ...context,
  input: 'Hi',
  sender: { role: 'user', id: 'u' },
  commandId: 'c',
  isResumed: false,
} as const
const serverTask = { contextId: 'ctx-1', taskId: 'task-1' }
async function* noDrafts(): AsyncGenerator<never> {}
const redisOptions = {
  client: {
    send: async (args: readonly string[]) => (args.includes('check') ? [] : ['e', '0', '0', '0', 0, '-1']),
  },
  stream: 's',
}
/** Opens a log, or is too late for a short deadline. */
const openInTime = (timeoutMs: never): Promise<unknown> =>
  redisLog({ ...redisOptions, timeoutMs }).catch((error: unknown) => {
    if (!(error instanceof RedisLogError)) throw error
  })
const pgPool = {
  connect: async () => {
    throw new Error('Nobody is there.')
  },
}
/** A database with a stream for each name. */
const emptyTables: SqlDatabase = {
  dialect: 'sqlite',
  run: async (statements) => statements.map(() => [{ version: 1, epoch: 'e', next: 0, closed: 0 }]),
}
const sqlOptions = { database: emptyTables, stream: 's' }
const openSqlInTime = (timeoutMs: never): Promise<unknown> =>
  sqlLog({ ...sqlOptions, timeoutMs }).catch((error: unknown) => {
    if (!(error instanceof SqlStoreError)) throw error
  })
const isReadFilter: Accepts = (value) => isFunction((value as { apply?: unknown } | null | undefined)?.apply)

/** What an event must have. A context is not needed to tell what kind it is. */
const kindRows = (call: (event: never) => unknown): MisuseRow[] => [
  ['event', isObject, call],
  ['event.kind', isString, (kind) => call({ ...event, kind } as never)],
]
const eventRows = (call: (event: never) => unknown): MisuseRow[] => [
  ...kindRows(call),
  ['event', isString, (contextId) => call({ ...event, contextId } as never)],
  ['event', isString, (taskId) => call({ ...event, taskId } as never)],
  ['event', isString, (value) => call({ ...event, timestamp: value } as never)],
]
const viewValueRows = (call: (view: never) => unknown): MisuseRow[] => [
  ['view', isObject, call],
  ['view.tasks', isArray, (tasks) => call({ ...emptyView, tasks: isArray(tasks) ? [] : tasks } as never)],
  [
    'view.artifacts',
    isArray,
    (artifacts) => call({ ...emptyView, artifacts: isArray(artifacts) ? [] : artifacts } as never),
  ],
  ['view.diagnostics', isArray, (diagnostics) => call({ ...emptyView, diagnostics } as never)],
]
const featureRows = (call: (features: never) => unknown): MisuseRow[] => [
  ['artifactPatches', maybe(isFunction), (artifactPatches) => call({ artifactPatches } as never)],
  ['partialArguments', maybe(never), (partialArguments) => call({ partialArguments } as never)],
]
const ledgerStateRows = (call: (state: never) => unknown): MisuseRow[] => [
  ['state', isObject, call],
  [
    'state.open',
    isArray,
    (open) => call({ ...commandLedger().initial, open: isArray(open) ? [] : open } as never),
  ],
]

const decoderRows = (call: (options: never) => unknown): MisuseRow[] => [
  ['options', maybe(isObject), call],
  ['maxMessageSize', maybe(integer(1)), (maxMessageSize) => call({ maxMessageSize } as never)],
  ['maxDepth', maybe(integer(1)), (maxDepth) => call({ maxDepth } as never)],
]
const iterateRows = (call: (options: never) => unknown): MisuseRow[] => [
  ['options', maybe(isObject), call],
  ['state', maybe(isObject), (state) => call({ state } as never)],
  ['onDiagnostic', maybe(isFunction), (onDiagnostic) => call({ onDiagnostic } as never)],
]
const thoughtRows = (call: (options: never) => unknown): MisuseRow[] => [
  ['options', maybe(isObject), call],
  ['tags', maybe(isArray), (tags) => call({ tags } as never)],
  [
    'tags[0]',
    (value) => /^[a-z_:][\w:.-]*$/i.test(isString(value) ? (value as string) : ''),
    (tag) => call({ tags: [tag] } as never),
  ],
  ['pairs', maybe(isArray), (pairs) => call({ pairs } as never)],
  ['pairs[0]', isObject, (pair) => call({ pairs: [pair] } as never)],
  ['pairs[0].open', isText, (open) => call({ pairs: [{ open, close: 'x' }] } as never)],
  ['pairs[0].close', isText, (close) => call({ pairs: [{ open: 'x', close }] } as never)],
  ['startInside', maybe(isBoolean), (startInside) => call({ startInside } as never)],
  ['codeAware', maybe(isBoolean), (codeAware) => call({ codeAware } as never)],
  ['trim', maybe(oneOf('auto', 'none')), (trim) => call({ trim } as never)],
  [
    'dedupe',
    maybe((value) => isBoolean(value) || (typeof value === 'object' && value !== null)),
    (dedupe) => call({ dedupe } as never),
  ],
  ['dedupe.window', integer(1), (window) => call({ dedupe: { window } } as never)],
  ['unterminated', maybe(oneOf('thought', 'content')), (unterminated) => call({ unterminated } as never)],
  ['orphanClose', maybe(oneOf('drop', 'keep')), (orphanClose) => call({ orphanClose } as never)],
  ['maxTagLength', maybe(integer(10)), (maxTagLength) => call({ maxTagLength } as never)],
  ['maxThoughtLength', maybe(integer(1)), (maxThoughtLength) => call({ maxThoughtLength } as never)],
]
/** A server that accepts every command. */
const accepting = async (): Promise<Response> => Response.json({ status: 'accepted', results: [] })
const acpOptions = { connect: (): AcpStream => new TransformStream() }

/** Serves an editor that leaves at once. */
const editing = (options: object): Promise<void> => {
  const readable = new ReadableStream({ start: (controller) => controller.close() })
  const given = { store: memoryStore(), user: 'ann', agent: async function* () {}, ...options }
  return serveAcp({ readable, writable: new WritableStream() }, given as ServeAcpOptions)
}

const frameworkRows = (read: (source: never, options: never) => unknown): MisuseRow[] => [
  ['source', isIterable, (source) => read(source as never, {} as never)],
  ['options', maybe(isObject), (options) => read([] as never, options as never)],
  ['task', maybe(isObject), (task) => read([] as never, { task } as never)],
  ['onDiagnostic', maybe(isFunction), (onDiagnostic) => read([] as never, { onDiagnostic } as never)],
]

const providerRows = <S>(create: (options: never) => Machine<S, unknown, unknown, ModelEnd>): MisuseRow[] => {
  const call = (options: object): unknown => create(options as never)
  const ended = (reason: unknown): unknown => {
    const machine = create({} as never)
    return machine.end(machine.initial, reason as never)
  }
  return [
    ['options', maybe(isObject), create],
    ['thoughts', maybe((value) => value === false || isObject(value)), (thoughts) => call({ thoughts })],
    ['calls', maybe(oneOf('request', 'start')), (calls) => call({ calls })],
    ['needsApproval', maybe(isFunction), (needsApproval) => call({ needsApproval })],
    ['iteration', maybe(integer(0)), (iteration) => call({ iteration })],
    ['messageCount', maybe(integer(0)), (messageCount) => call({ messageCount })],
    ['toolCount', maybe(integer(0)), (toolCount) => call({ toolCount })],
    ['newId', maybe(isFunction), (newId) => call({ newId })],
    ['reason', maybe(isObject), ended],
    ['reason.reason', maybe(isString), (reason) => ended({ reason })],
  ]
}
const taskOptions = { ...context, onError: () => undefined }
/** The options of readers of commands. */
const readerRows = (call: (options: never) => unknown): MisuseRow[] => [
  ['options', maybe(isObject), call],
  ['now', maybe(isFunction), (now) => call({ now } as never)],
  ['newId', maybe(isFunction), (newId) => call({ newId } as never)],
  ['requests', maybe(isArray), (requests) => call({ requests } as never)],
  ['role', maybe(isAudience), (role) => call({ role } as never)],
]

const isAudience: Accepts = oneOf('user', 'coordinator', 'parent', 'observer', 'operator')
const served = async (): Promise<Stream> => (await memoryStore().open('s')) as Stream
/** The options of every store. */
const storeRows = (call: (options: never) => unknown): MisuseRow[] => [
  ['options', never, (other) => call({ timeoutMS: other } as never)],
  ['timeoutMs', maybe(integer(1)), (timeoutMs) => call({ timeoutMs } as never)],
  ['now', maybe(isFunction), (now) => call({ now } as never)],
  ['onError', maybe(isFunction), (onError) => call({ onError } as never)],
  ['onDiagnostic', maybe(isFunction), (onDiagnostic) => call({ onDiagnostic } as never)],
  ['maxEntries', maybe(integer(1)), (maxEntries) => call({ maxEntries } as never)],
]

const emitterWith = (options: object) => createEmitter({ ...context, ...options })

/**
 * The rows of each function, by entry point. An empty list: it takes no options, or only data, which is decoded or
 * ignored whatever it is.
 */
export const misuseRows: Readonly<Record<string, Readonly<Record<string, readonly MisuseRow[]>>>> = {
  turnstream: {
    // Data: decoders, guards and an error class.
    ResponseError: [],
    decodeAnyEvent: [],
    decodeEvent: [],
    isSafeAuthUrl: [],
    isTaskEnd: kindRows(isTaskEnd),
    isTerminalStatus: [],
    createEmitter: [
      ['options', isObject, (options) => createEmitter(options)],
      ['custom', maybe(isObject), (custom) => emitterWith({ custom })],
      ['contextId', isText, (contextId) => emitterWith({ contextId })],
      ['taskId', isText, (taskId) => emitterWith({ taskId })],
      ['parentTaskId', maybe(isText), (parentTaskId) => emitterWith({ parentTaskId })],
      [
        'path',
        (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
        (path) => emitterWith({ path }),
      ],
      ['now', maybe(isFunction), (value) => emitterWith({ now: value })],
      ['newId', maybe(isFunction), (newId) => emitterWith({ newId })],
      ['iteration', maybe(isFunction), (iteration) => emitterWith({ iteration })],
      [
        'now()',
        (value) => isNumber(value) || value instanceof Date,
        (time) => emitterWith({ now: () => time }).emit(thought),
      ],
      ['newId()', isText, (id) => emitterWith({ newId: () => id }).emit(thought)],
      ['draft', isObject, (draft) => emitterWith({}).emit(draft)],
      [
        'kind',
        kinds,
        (kind) =>
          emitterWith({}).emit({ kind, delta: '', toolCallId: 'c', toolName: 't', arguments: {} } as never),
      ],
      ['task', isObject, (task) => emitterWith({}).child(task)],
      ['taskId', isText, (taskId) => emitterWith({}).child({ taskId })],
      ['agentName', maybe(isText), (agentName) => emitterWith({}).child({ taskId: 't', agentName })],
    ],
    eventDecoder: decoderRows(eventDecoder),
    iterate: [
      ['machine', never, (value) => pull(iterate(value, []))],
      ['source', isSource, (source) => iterate(machine, source)],
      ...iterateRows((options) => pull(iterate(machine, [], options))),
      ['signal', maybe(never), (signal) => pull(iterate(machine, [], { signal }))],
      ['atEnd', maybe(isFunction), (atEnd) => pull(iterate(machine, [], { atEnd }))],
    ],
    iterateBatches: [
      ['machine', never, (value) => pull(iterateBatches(value, []))],
      ...iterateRows((options) => pull(iterateBatches(machine, [], options))),
      ['signal', maybe(never), (signal) => pull(iterateBatches(machine, [], { signal }))],
      ['atEnd', maybe(isFunction), (atEnd) => pull(iterateBatches(machine, [], { atEnd }))],
    ],
    taskEvents: [
      ['drafts', isFunction, (drafts) => taskEvents(drafts, taskOptions)],
      ['options', isObject, (options) => taskEvents(() => [], options)],
      ['contextId', isText, (contextId) => taskEvents(() => [], { ...taskOptions, contextId })],
      ['taskId', isText, (taskId) => taskEvents(() => [], { ...taskOptions, taskId })],
      ['signal', maybe(never), (signal) => taskEvents(() => [], { ...taskOptions, signal })],
      [
        'initiator',
        maybe(oneOf('user', 'agent')),
        (initiator) => taskEvents(() => [], { ...taskOptions, initiator }),
      ],
      ['onError', isFunction, (onError) => taskEvents(() => [], { ...taskOptions, onError })],
    ],
    pipe: [
      ['machines[0]', never, (value) => pipe(value, machine)],
      ['machines[1]', never, (value) => pipe(machine, value)],
    ],
    readEvents: [
      ['source', isSource, (source) => readEvents(source)],
      [
        'contentTypes',
        (value) => value === undefined || value === 'any' || (Array.isArray(value) && value.every(isText)),
        (contentTypes) => pull(readEvents([], { contentTypes })),
      ],
      ...decoderRows((options) => pull(readEvents([], options))),
      ['onUnknown', maybe(isFunction), (onUnknown) => pull(readEvents([], { onUnknown }))],
      ['onInvalid', maybe(isFunction), (onInvalid) => pull(readEvents([], { onInvalid }))],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => pull(readEvents([], { onDiagnostic }))],
      ['signal', maybe(never), (signal) => pull(readEvents([], { signal }))],
    ],
    run: [['machine', never, (value) => run(value)], ...iterateRows((options) => run(machine, options))],
    stamp: [
      ['event', isObject, (value) => stamp(value, context)],
      ['context', isObject, (value) => stamp(event, value)],
      ['contextId', isText, (contextId) => stamp(event, { ...context, contextId })],
      ['taskId', isText, (taskId) => stamp(event, { ...context, taskId })],
      ['parentTaskId', maybe(isText), (parentTaskId) => stamp(event, { ...context, parentTaskId })],
      [
        'path',
        (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
        (path) => stamp(event, { ...context, path }),
      ],
    ],
    transform: [
      ['machine', never, (value) => transform(value)],
      ...iterateRows((options) => transform(machine, options)),
      ['atEnd', maybe(isFunction), (atEnd) => transform(machine, { atEnd })],
    ],
    unstamp: [['event', isObject, (value) => unstamp(value)]],
  },
  'turnstream/commands': {
    // Data: commands from clients, and states of a ledger.
    decodeCommand: [],
    answerTo: [
      ...ledgerStateRows((state) => answerTo(state, { inputId: 'i' })),
      ['name', isObject, (name) => answerTo(commandLedger().initial, name)],
    ],
    commandLedger: [
      ['options', maybe(isObject), (options) => commandLedger(options)],
      ['maxEntries', maybe(integer(1)), (maxEntries) => commandLedger({ maxEntries })],
      ['maxAnswerChars', maybe(integer(1)), (maxAnswerChars) => commandLedger({ maxAnswerChars })],
      ['maxCommandChars', maybe(integer(1)), (maxCommandChars) => commandLedger({ maxCommandChars })],
      ['validate', maybe(isFunction), (validate) => commandLedger({ validate })],
      ['needsApproval', maybe(isFunction), (needsApproval) => commandLedger({ needsApproval })],
      ['enforce', maybe(oneOf('refuse', 'report')), (enforce) => commandLedger({ enforce })],
      ['mayAccess', maybe(isFunction), (mayAccess) => commandLedger({ mayAccess })],
      ['mayAnswer', maybe(isFunction), (mayAnswer) => commandLedger({ mayAnswer })],
    ],
    nextExpiry: ledgerStateRows(nextExpiry),
    openRequests: ledgerStateRows(openRequests),
    callDigest: [['call', isObject, (call) => callDigest(call)]],
    toAcpPermission: [['request', isObject, (request) => toAcpPermission(request)]],
    commandsFromAcpPermission: [
      ...readerRows((options) =>
        commandsFromAcpPermission(null, { request: {} as never, options: [] }, options),
      ),
      ['asked', isObject, (asked) => commandsFromAcpPermission(null, asked)],
      ['asked.request', isObject, (request) => commandsFromAcpPermission(null, { request, options: [] })],
    ],
    createCommand: [
      ['draft', isObject, (draft) => createCommand(draft)],
      ['kind', never, (kind) => createCommand({ kind } as never)],
      ['options', maybe(isObject), (options) => createCommand({ kind: 'task.cancel' }, options)],
      ['now', maybe(isFunction), (now) => createCommand({ kind: 'task.cancel' }, { now })],
      ['newId', maybe(isFunction), (newId) => createCommand({ kind: 'task.cancel' }, { newId })],
    ],
  },
  'turnstream/server': {
    // An error class.
    ApprovalError: [],
    StoreError: [],
    agentHandler: [
      ['options', isObject, (options) => agentHandler(options)],
      ['store', isObject, (store) => agentHandler({ ...handlerOptions, store })],
      ['user', isFunction, (user) => agentHandler({ ...handlerOptions, user })],
      ['agent', isFunction, (agent) => agentHandler({ ...handlerOptions, agent })],
      ['protocols', maybe(isObject), (protocols) => agentHandler({ ...handlerOptions, protocols })],
      [
        'whileRunning',
        maybe(oneOf('queue', 'refuse', 'parallel')),
        (whileRunning) => agentHandler({ ...handlerOptions, whileRunning }),
      ],
      ['hosts', maybe(isArray), (hosts) => agentHandler({ ...handlerOptions, hosts })],
      ['origins', maybe(isArray), (origins) => agentHandler({ ...handlerOptions, origins })],
      [
        'signedOutAfterMs',
        maybe(integer(1)),
        (signedOutAfterMs) => agentHandler({ ...handlerOptions, signedOutAfterMs }),
      ],
      ['heartbeatMs', maybe(integer(1)), (heartbeatMs) => agentHandler({ ...handlerOptions, heartbeatMs })],
      ['paddingBytes', padding, (paddingBytes) => agentHandler({ ...handlerOptions, paddingBytes })],
      ['limits', maybe(isObject), (limits) => agentHandler({ ...handlerOptions, limits })],
      [
        'limits.bodyBytes',
        maybe(integer(1)),
        (bodyBytes) => agentHandler({ ...handlerOptions, limits: { bodyBytes } }),
      ],
      ['onError', maybe(isFunction), (onError) => agentHandler({ ...handlerOptions, onError })],
    ],
    toNodeListener: [['handler', isFunction, (handler) => toNodeListener(handler)]],
    runAgent: [
      ['stream', isObject, async (stream) => runAgent(stream, agentInput, noDrafts, noDrafts)],
      ['input', isObject, async (input) => runAgent(await served(), input, noDrafts, noDrafts)],
      ['agent', isFunction, async (agent) => runAgent(await served(), agentInput, agent, noDrafts)],
      ['onError', isFunction, async (onError) => runAgent(await served(), agentInput, noDrafts, onError)],
    ],
    logStore: [
      ['options', isObject, (options) => logStore(options)],
      ['open', isFunction, (open) => logStore({ open })],
      [
        'open()',
        (log) => log === undefined || log instanceof Promise,
        (log) => logStore({ open: () => log }).open('s'),
      ],
      ...storeRows((options: object) => logStore({ open: () => undefined, ...options })),
    ],
    memoryStore: [
      ['options', maybe(isObject), (options) => memoryStore(options)],
      ['maxStreams', maybe(integer(1)), (maxStreams) => memoryStore({ maxStreams })],
      ...storeRows((options) => memoryStore(options)),
      ['name', isText, (name) => memoryStore().open(isObject(name) ? ('' as never) : name)],
      ['name.owner', isText, (owner) => memoryStore().open({ owner, contextId: 'c' })],
      ['name.contextId', isText, (contextId) => memoryStore().open({ owner: 'o', contextId })],
      ['options', maybe(isObject), (options) => memoryStore().open('s', options)],
      ['create', maybe(isBoolean), (create) => memoryStore().open('s', { create })],
      ['onInput', maybe(isFunction), (onInput) => memoryStore().open('s', { onInput })],
      [
        'whileRunning',
        maybe(oneOf('queue', 'parallel')),
        (whileRunning) => memoryStore().open('s', { whileRunning }),
      ],
      ['sender', isObject, async (sender) => (await served()).submit({}, sender)],
      ['role', isAudience, async (role) => (await served()).submit({}, { role, id: 'u' })],
      ['id', isText, async (id) => (await served()).submit({}, { role: 'user', id })],
      ['task', isObject, async (task) => (await served()).run(task, noDrafts)],
      ['agent', isFunction, async (agent) => (await served()).run(serverTask, agent)],
      ...viewerRows('viewer', async (viewer) => (await served()).view(viewer ?? (null as never))),
      [
        'request',
        isObject,
        async (request) =>
          (await served()).answer(request, {
            signal: AbortSignal.abort(new TypeError('"request" must be waited for, got aborted.')),
          }),
      ],
    ],
  },
  'turnstream/client': {
    agentClient: [
      ['url', isText, (url) => agentClient(url)],
      ['options', maybe(isObject), (options) => agentClient('/agent', options)],
      ['contextId', maybe(isText), (contextId) => agentClient('/agent', { contextId })],
      ['fetch', maybe(isFunction), (value) => agentClient('/agent', { fetch: value })],
      ['saved', maybe(isObject), (saved) => agentClient('/agent', { saved })],
      ['artifactPatches', maybe(isFunction), (value) => agentClient('/agent', { artifactPatches: value })],
      ['listener', isFunction, (listener) => agentClient('/agent').subscribe(listener)()],
      ['id', isText, (id) => agentClient('/agent', { fetch: accepting }).answer(id, true)],
      [
        'taskId',
        isText,
        (taskId) => agentClient('/agent', { fetch: accepting }).result({ id: 'c', taskId }, true),
      ],
    ],
    CommandError: [],
  },
  'turnstream/react': { useAgent: [] },
  'turnstream/acp': {
    acpAgent: [
      ['options', isObject, (options) => acpAgent(options)],
      ['connect', isFunction, (connect) => acpAgent({ connect })],
      ['cwd', maybe(isText), (cwd) => acpAgent({ ...acpOptions, cwd })],
      ['mode', maybe(isText), (mode) => acpAgent({ ...acpOptions, mode })],
      ['startTimeoutMs', maybe(integer(1)), (startTimeoutMs) => acpAgent({ ...acpOptions, startTimeoutMs })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => acpAgent({ ...acpOptions, onDiagnostic })],
    ],
    serveAcp: [
      ['options', isObject, (options) => serveAcp(new TransformStream(), options)],
      ['store', isObject, (store) => editing({ store })],
      ['agent', isFunction, (agent) => editing({ agent })],
      ['modes', maybe(isArray), (modes) => editing({ modes })],
      ['modes[]', isObject, (mode) => editing({ modes: [mode] })],
      ['modes[].id', isText, (id) => editing({ modes: [{ id, name: 'Plan' }] })],
      ['modes[].name', isText, (name) => editing({ modes: [{ id: 'plan', name }] })],
      ['listSessions', maybe(isFunction), (listSessions) => editing({ listSessions })],
      ['signal', maybe(never), (signal) => editing({ signal })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => editing({ onDiagnostic })],
      ['onError', maybe(isFunction), (onError) => editing({ onError })],
    ],
    toAcp: [
      ['options', maybe(isObject), (options) => toAcp(options)],
      ['input', maybe(isBoolean), (input) => toAcp({ input })],
      ...viewerRows('viewer', (viewer) => toAcp({ viewer })).slice(1),
    ],
  },
  'turnstream/agents': {
    fromAdk: frameworkRows(fromAdk),
    // A function returns the source.
    fromClaudeAgent: frameworkRows((source, options) =>
      typeof source === 'function'
        ? fromClaudeAgent(() => source, { task: { contextId: 'c', taskId: 't', approve: noDrafts } as never })
        : fromClaudeAgent(source, options),
    ),
    fromCodex: frameworkRows(fromCodex),
    fromLangGraph: frameworkRows(fromLangGraph),
    fromOpenaiAgents: frameworkRows(fromOpenaiAgents),
    a2aAgent: [
      ['options', isObject, (options) => a2aAgent(options)],
      ['post', isFunction, (value) => a2aAgent({ post: value })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => a2aAgent({ post, onDiagnostic })],
      ['clientTools', maybe(isArray), (clientTools) => a2aAgent({ post, clientTools })],
      ['clientTools[]', isObject, (tool) => a2aAgent({ post, clientTools: [tool] as never })],
      ['clientTools[].name', isText, (name) => a2aAgent({ post, clientTools: [{ name }] as never })],
      ['card', maybe(isObject), (card) => a2aAgent({ post, card })],
    ],
    agUiAgent: [
      ['options', isObject, (options) => agUiAgent(options)],
      ['post', isFunction, (value) => agUiAgent({ post: value })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => agUiAgent({ post, onDiagnostic })],
      ['clientTools', maybe(isArray), (clientTools) => agUiAgent({ post, clientTools })],
      ['clientTools[]', isObject, (tool) => agUiAgent({ post, clientTools: [tool] as never })],
      ['clientTools[].name', isText, (name) => agUiAgent({ post, clientTools: [{ name }] as never })],
    ],
    chatAgent: [
      ['options', isObject, (options) => chatAgent(options)],
      ['post', isFunction, (value) => chatAgent({ post: value })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => chatAgent({ post, onDiagnostic })],
      ['clientTools', maybe(isArray), (clientTools) => chatAgent({ post, clientTools })],
      ['clientTools[]', isObject, (tool) => chatAgent({ post, clientTools: [tool] as never })],
      ['clientTools[].name', isText, (name) => chatAgent({ post, clientTools: [{ name }] as never })],
    ],
    agentLoop: [
      ['task', isObject, (task) => agentLoop(task, loopOptions)],
      ['task.turns', isArray, (turns) => agentLoop({ ...loopTask, turns }, loopOptions)],
      ['task.signal', never, (signal) => agentLoop({ ...loopTask, signal }, loopOptions)],
      ['task.approve', isFunction, (approve) => agentLoop({ ...loopTask, approve }, loopOptions)],
      ['options', isObject, (options) => agentLoop(loopTask, options)],
      ['format', isObject, (format) => agentLoop(loopTask, { ...loopOptions, format })],
      ['model', isFunction, (model) => agentLoop(loopTask, { ...loopOptions, model })],
      ['tools', maybe(isObject), (tools) => agentLoop(loopTask, { ...loopOptions, tools })],
      ['maxTurns', maybe(integer(1)), (maxTurns) => agentLoop(loopTask, { ...loopOptions, maxTurns })],
      [
        'toolTimeoutMs',
        maybe(integer(1)),
        (ms) => agentLoop(loopTask, { ...loopOptions, toolTimeoutMs: ms }),
      ],
      [
        'maxResultLength',
        maybe(integer(1)),
        (length) => agentLoop(loopTask, { ...loopOptions, maxResultLength: length }),
      ],
      [
        'modelTimeoutMs',
        maybe(integer(1)),
        (ms) => agentLoop(loopTask, { ...loopOptions, modelTimeoutMs: ms }),
      ],
      ['onError', maybe(isFunction), (onError) => agentLoop(loopTask, { ...loopOptions, onError })],
      [
        'onDiagnostic',
        maybe(isFunction),
        (onDiagnostic) => agentLoop(loopTask, { ...loopOptions, onDiagnostic }),
      ],
    ],
  },
  'turnstream/mcp': {
    commandsFromMcpElicitation: [
      ...readerRows((options) => commandsFromMcpElicitation(null, {} as never, options)),
      ['asked', isObject, (asked) => commandsFromMcpElicitation(null, asked as never)],
    ],
    fromMcp: [
      ['map', isObject, (map) => fromMcp(null, map)],
      ['callOf', isFunction, (callOf) => fromMcp(null, { callOf })],
      ['server', maybe(isText), (server) => fromMcp(null, { callOf: () => undefined, server } as never)],
      [
        'idPrefix',
        maybe(isText),
        (idPrefix) => fromMcp(null, { callOf: () => undefined, idPrefix } as never),
      ],
    ],
    toMcpInputResponses: [
      ['question', isObject, (question) => toMcpInputResponses(question as never, {})],
      ['question.requests', isArray, (requests) => toMcpInputResponses({ requests } as never, {})],
      ['answers', isObject, (answers) => toMcpInputResponses({ requests: [] }, answers as never)],
    ],
    toMcpElicitation: [['event', never, (event) => toMcpElicitation(event)]],
  },
  'turnstream/redis': {
    redisStore: [
      ['options', isObject, (options) => redisStore(options)],
      ['client', never, (client) => redisStore({ client })],
      ['leaseMs', maybe(integer(100)), (leaseMs) => redisStore({ client: redisOptions.client, leaseMs })],
      ...storeRows((options: object) => redisStore({ client: redisOptions.client, ...options })),
    ],
    RedisLogError: [],
    redisLog: [
      ['options', isObject, (options) => redisLog(options)],
      ['client', never, (client) => redisLog({ ...redisOptions, client })],
      ['stream', isText, (stream) => redisLog({ ...redisOptions, stream })],
      ['create', maybe(isBoolean), (create) => redisLog({ ...redisOptions, create })],
      ['limits', maybe(isObject), (limits) => redisLog({ ...redisOptions, limits })],
      ['maxEvents', integer(1), (maxEvents) => redisLog({ ...redisOptions, limits: { maxEvents } })],
      ['leaseMs', maybe(integer(100)), (leaseMs) => redisLog({ ...redisOptions, leaseMs })],
      ['expireMs', maybe(integer(1000)), (expireMs) => redisLog({ ...redisOptions, expireMs })],
      ['timeoutMs', maybe(integer(1)), openInTime],
      ['prefix', maybe(isText), (prefix) => redisLog({ ...redisOptions, prefix })],
      ['now', maybe(isFunction), (now) => redisLog({ ...redisOptions, now })],
      ['sleep', maybe(isFunction), (sleep) => redisLog({ ...redisOptions, sleep })],
    ],
  },
  'turnstream/sql': {
    d1: [['client', never, (client) => d1(client)]],
    pglite: [['client', never, (client) => pglite(client)]],
    postgres: [
      ['pool', never, (pool) => postgres(pool)],
      ['options', maybe(isObject), (options) => postgres(pgPool, options)],
      ['prepare', maybe(isBoolean), (prepare) => postgres(pgPool, { prepare })],
      ['listen', maybe(isBoolean), (listen) => postgres(pgPool, { listen })],
      ['idleMs', maybe(integer(1)), (idleMs) => postgres(pgPool, { idleMs })],
    ],
    sqlite: [['client', never, (client) => sqlite(client)]],
    sqlStore: [
      ['options', isObject, (options) => sqlStore(options)],
      ['database', never, (database) => sqlStore({ database })],
      ['leaseMs', maybe(integer(100)), (leaseMs) => sqlStore({ database: emptyTables, leaseMs })],
      ['sleep', maybe(isFunction), (sleep) => sqlStore({ database: emptyTables, sleep })],
      ...storeRows((options: object) => sqlStore({ database: emptyTables, ...options })),
    ],
    SqlStoreError: [],
    sqlLog: [
      ['options', isObject, (options) => sqlLog(options)],
      ['database', never, (database) => sqlLog({ ...sqlOptions, database })],
      ['stream', isText, (stream) => sqlLog({ ...sqlOptions, stream })],
      ['create', maybe(isBoolean), (create) => sqlLog({ ...sqlOptions, create })],
      ['leaseMs', maybe(integer(100)), (leaseMs) => sqlLog({ ...sqlOptions, leaseMs })],
      ['timeoutMs', maybe(integer(1)), openSqlInTime],
      ['now', maybe(isFunction), (now) => sqlLog({ ...sqlOptions, now })],
      ['sleep', maybe(isFunction), (sleep) => sqlLog({ ...sqlOptions, sleep })],
    ],
    tables: [
      ['dialect', (value) => value === 'sqlite' || value === 'postgres', (dialect) => tables(dialect)],
    ],
  },
  'turnstream/sse': {
    encodeComment: [['text', maybe(isString), (text) => encodeComment(text)]],
    encodeEvent: [
      ...eventRows((value) => encodeEvent(value, { viewer: 'all' })),
      ['options', maybe(isObject), (options) => encodeEvent(event, withAll(options))],
      ['options', never, (other) => encodeEvent(event, { viewer: 'all', viewr: other } as never)],
      [
        'onDiagnostic',
        maybe(isFunction),
        (onDiagnostic) => encodeEvent(event, { viewer: 'all', onDiagnostic }),
      ],
      ...viewerRows('viewer', (viewer) => encodeEvent(event, { viewer })),
      [
        'id',
        maybe((value) => isString(value) && !/[\r\n\0]/.test(value as string)),
        (id) => encodeEvent(event, { viewer: 'all', id }),
      ],
      [
        'profile',
        maybe(oneOf('named', 'data-only')),
        (profile) => encodeEvent(event, { viewer: 'all', profile }),
      ],
    ],
    eventStream: [
      ['source', isSource, (source) => eventStream(source)],
      ['options', maybe(isObject), (options) => eventStream([], options)],
      ['options', never, (other) => eventStream([], { viewr: other } as never)],
      ['profile', maybe(oneOf('named', 'data-only')), (profile) => eventStream([], { profile })],
      ...viewerRows('viewer', (viewer) => eventStream([], { viewer })),
    ],
    encodeJson: [
      [
        'value',
        (value) => typeof value !== 'bigint' && JSON.stringify(value) !== undefined,
        (value) => encodeJson(value),
      ],
      ['fields', maybe(isObject), (fields) => encodeJson({}, fields)],
    ],
    encodeMessage: [
      ['message', isObject, (message) => encodeMessage(message)],
      ['data', isString, (data) => encodeMessage({ data })],
      [
        'event',
        maybe((value) => isString(value) && !/[\r\n]/.test(value as string)),
        (name) => encodeMessage({ data: '', event: name }),
      ],
      [
        'id',
        maybe((value) => isString(value) && !/[\r\n\0]/.test(value as string)),
        (id) => encodeMessage({ data: '', id }),
      ],
      ['retry', maybe(integer(0)), (retry) => encodeMessage({ data: '', retry })],
    ],
    jsonDecoder: decoderRows(jsonDecoder).slice(0, 2),
    sseDecoder: decoderRows(sseDecoder).slice(0, 2),
  },
  'turnstream/testing': {
    eventLogLaw: [
      ['openLog', isFunction, (openLog) => typeof openLog === 'function' || eventLogLaw(openLog)],
      ['options', maybe(isObject), (options) => eventLogLaw(memoryLogs(), options)],
      ['prefix', maybe(isText), (prefix) => eventLogLaw(memoryLogs(), { prefix })],
      ['seed', maybe(integer(0)), (seed) => eventLogLaw(memoryLogs(), { seed })],
      [
        'timeoutMs',
        maybe(integer(1)),
        (timeoutMs) => integer(1)(timeoutMs) || eventLogLaw(memoryLogs(), { timeoutMs }),
      ],
      ...(['openUnreliable', 'openSilent', 'expireLeases', 'onSkipped'] as const).map(
        (name): MisuseRow => [
          name,
          maybe(isFunction),
          (value) => isFunction(value) || eventLogLaw(memoryLogs(), { [name]: value }),
        ],
      ),
    ],
  },
  'turnstream/thoughts': {
    // Takes no options.
    snapshotsToDeltas: [['snapshot', isString, (snapshot) => run(snapshotsToDeltas()).push(snapshot)]],
    extractThoughts: [
      ...thoughtRows((options) => extractThoughts('', options)),
      ['text', isString, (text) => extractThoughts(text)],
    ],
    thoughtEvents: [
      ...thoughtRows(thoughtEvents),
      ['live', maybe(isBoolean), (live) => thoughtEvents({ live })],
      ['reason', maybe(isObject), (reason) => run(thoughtEvents()).end(reason)],
      [
        'unterminated',
        maybe(oneOf('thought', 'content')),
        (unterminated) => run(thoughtEvents()).end({ unterminated }),
      ],
    ],
    thoughtExtractor: [
      ...thoughtRows(thoughtExtractor),
      ['reason', maybe(isObject), (reason) => run(thoughtExtractor()).end(reason)],
      [
        'unterminated',
        maybe(oneOf('thought', 'content')),
        (unterminated) => run(thoughtExtractor()).end({ unterminated }),
      ],
    ],
  },
  'turnstream/providers': {
    modelTurn: [
      ['state', (value) => isObject(value) && 'texts' in (value as object), (state) => modelTurn(state)],
    ],
    anthropicMessages: providerRows(anthropicMessages),
    awsEventDecoder: [
      [
        'input',
        (value) => value instanceof Uint8Array,
        (input) => run(awsEventDecoder()).push(input as never),
      ],
    ],
    bedrockConverse: [
      ...providerRows(bedrockConverse),
      ['model', maybe(isString), (model) => bedrockConverse({ model: model as never })],
    ],
    cohereChat: [
      ...providerRows(cohereChat),
      ['model', maybe(isString), (model) => cohereChat({ model: model as never })],
    ],
    geminiContent: providerRows(geminiContent),
    geminiInteractions: providerRows(geminiInteractions),
    ollamaChat: providerRows(ollamaChat),
    openaiChat: providerRows(openaiChat),
    openaiResponses: providerRows(openaiResponses),
  },
  'turnstream/json': {
    // Data: documents and patches.
    applyJsonPatch: [['patch', isArray, (patch) => applyJsonPatch({}, patch)]],
    applyMergePatch: [],
    partialJson: [],
    parsePartialJson: [['text', isString, (text) => parsePartialJson(text)]],
  },
  'turnstream/streams': {
    // Data: events, views, and text from clients.
    artifactOf: viewValueRows((view) => artifactOf(view, 'a')),
    foldEvent: [
      ...viewValueRows((view) => foldEvent(view, event)),
      ...eventRows((value) => foldEvent(emptyView, value)),
    ],
    foldEvents: [
      ...viewValueRows((view) => foldEvents(view, [])),
      ...eventRows((value) => foldEvents(emptyView, [value])),
      ['events', isIterable, (events) => foldEvents(emptyView, Array.isArray(events) ? [] : events)],
    ],
    parseEventId: [],
    parsePattern: [],
    respondersOf: kindRows(respondersOf),
    openRequests: viewValueRows((view) => openRequestsOf(view)),
    taskOf: viewValueRows((view) => taskOf(view, 't')),
    applyArtifactPatch: [
      ['change', isObject, (change) => applyArtifactPatch({}, change)],
      [
        'change.type',
        oneOf('json-patch', 'merge-patch'),
        (type) => applyArtifactPatch({}, { type: type as 'json-patch', patch: [] }),
      ],
      ['change.patch', isArray, (patch) => applyArtifactPatch({}, { type: 'json-patch', patch })],
    ],
    applyBackpressure: [
      ['part', never, (part) => applyBackpressure(part, 'send')],
      [
        'decision',
        oneOf('send', 'merge', 'drop-declared', 'reset'),
        (decision) => applyBackpressure(batch, decision),
      ],
      ['merge', maybe(isFunction), (merge) => applyBackpressure(batch, 'merge', merge)],
    ],
    audienceOf: [
      ...kindRows((value) => audienceOf(value)),
      ['tree', maybe(isObject), (tree) => audienceOf(event, tree)],
      ['options', maybe(isObject), (options) => audienceOf(event, {}, options)],
      ['forward', maybe(isFunction), (forward) => audienceOf(event, {}, { forward })],
    ],
    batchDecoder: [
      ...decoderRows(batchDecoder),
      ['options', never, (other) => batchDecoder({ keepUnknowns: other } as never)],
      ['keepUnknown', maybe(isBoolean), (keepUnknown) => batchDecoder({ keepUnknown })],
      ['maxSnapshotSize', maybe(integer(1)), (maxSnapshotSize) => batchDecoder({ maxSnapshotSize })],
      ['cursor', maybe(isObject), (cursor) => batchDecoder({ cursor })],
      ...cursorRows('cursor', (cursor) => batchDecoder({ cursor })),
    ],
    closeDangling: [
      ...viewValueRows((view) => closeDangling(view, { at: timestamp, reason: '' })),
      ['options', isObject, (options) => closeDangling(emptyView, options)],
      ['at', never, (at) => closeDangling(emptyView, { at, reason: '' })],
      ['reason', isString, (reason) => closeDangling(emptyView, { at: timestamp, reason })],
      [
        'status',
        maybe(oneOf('failed', 'canceled')),
        (status) => closeDangling(emptyView, { at: timestamp, reason: '', status }),
      ],
    ],
    compact: [
      ['events', isArray, (events) => (Array.isArray(events) ? compact([]) : compact(events))],
      ...eventRows((value) => compact([value])),
    ],
    createMemoryLog: [
      ['event', isObject, (value) => createMemoryLog(logOptions).append(value)],
      ['event.kind', isText, (kind) => createMemoryLog(logOptions).append({ ...event, kind })],
      ['options', isObject, (options) => createMemoryLog(options)],
      ['stream', isText, (stream) => createMemoryLog({ ...logOptions, stream })],
      ['epoch', isText, (epoch) => createMemoryLog({ ...logOptions, epoch })],
      ['now', isFunction, (value) => createMemoryLog({ ...logOptions, now: value })],
      ['now()', isNumber, (time) => createMemoryLog({ ...logOptions, now: () => time }).append(event)],
      [
        'limits',
        maybe((value) => isObject(value) && Object.keys(value as object).length === 0),
        (limits) => createMemoryLog({ ...logOptions, limits }),
      ],
      ['limits', never, (limit) => createMemoryLog({ ...logOptions, limits: { maxEvent: limit } as never })],
      ['maxEvents', integer(1), (maxEvents) => createMemoryLog({ ...logOptions, limits: { maxEvents } })],
      ['maxBytes', integer(1), (maxBytes) => createMemoryLog({ ...logOptions, limits: { maxBytes } })],
      ['maxAgeMs', integer(1), (maxAgeMs) => createMemoryLog({ ...logOptions, limits: { maxAgeMs } })],
      ['state', never, (state) => createMemoryLog({ state, now: () => 0 })],
      ['options', maybe(isObject), (options) => createMemoryLog(logOptions).read(null, options)],
      ['filter', maybe(isReadFilter), (filter) => createMemoryLog(logOptions).read(null, { filter })],
      ['wait', maybe(isBoolean), (wait) => wait !== true && createMemoryLog(logOptions).read(null, { wait })],
      ['signal', maybe(never), (signal) => createMemoryLog(logOptions).read(null, { signal })],
    ],
    createStream: [
      ...eventRows((value) => stream.append(value)).map(
        ([, accepts, call]): MisuseRow => ['event', accepts, call],
      ),
      [
        'request',
        (value) => value === null || value === undefined || isString(value) || value instanceof Request,
        (request) => stream.respond(request, { viewer: { audience: 'user' } }),
      ],
      ['options', isObject, (options) => createStream(options)],
      ['options', never, (option) => createStream({ ...logOptions, epochs: option } as never)],
      ['stream', isText, (stream) => createStream({ ...logOptions, stream })],
      ['epoch', maybe(isText), (epoch) => createStream({ ...logOptions, epoch })],
      ['now', maybe(isFunction), (value) => createStream({ ...logOptions, now: value })],
      ['limits', maybe(isObject), (limits) => createStream({ ...logOptions, limits })],
      ['maxBytes', integer(1), (maxBytes) => createStream({ ...logOptions, limits: { maxBytes } })],
      ['log', never, (log) => createStream({ log })],
      ['options', maybe(isObject), (options) => stream.respond('', options)],
      ...viewerRows('viewer', (viewer) => stream.respond('', { viewer })),
      ...filterRows('filter', (filter) => stream.respond('', { viewer: { audience: 'user' }, filter })),
      ...respondRows.map(
        ([name, accepts]): MisuseRow => [
          name,
          accepts,
          (value) => stream.respond('', { viewer: { audience: 'user' }, [name]: value } as never),
        ],
      ),
    ],
    createRouter: [
      ['options', maybe(isObject), (options) => createRouter(options)],
      ['forward', maybe(isFunction), (forward) => createRouter({ forward })],
      ['onLateFailure', maybe(isFunction), (onLateFailure) => createRouter({ onLateFailure })],
      [
        'maxSubtasks',
        maybe((value) => isAmount(value) && (value as number) >= 2),
        (maxSubtasks) => createRouter({ maxSubtasks }),
      ],
      [
        'pattern',
        (value) => {
          const patterns = Array.isArray(value) ? value : [value]
          return (
            patterns.length > 0 && patterns.every((each) => isText(each) && parsePattern(each) !== undefined)
          )
        },
        (pattern) => createRouter().subscribe(pattern, {}, () => {}),
      ],
      ['deliver', isFunction, (deliver) => createRouter().subscribe('**', {}, deliver)],
      ...filterRows('filter', (filter) => createRouter().subscribe('**', filter, () => {})),
      ...viewerRows('filter.viewer', (viewer) => createRouter().subscribe('**', { viewer }, () => {})),
    ],
    snapshotEvents: viewValueRows(snapshotEvents),
    historyPage: [
      ...viewValueRows((view) => historyPage(view)),
      ['options', maybe(isObject), (options) => historyPage(emptyView, options)],
      ['before', maybe(isText), (before) => historyPage(emptyView, { before })],
      ['limit', maybe(integer(1)), (limit) => historyPage(emptyView, { limit })],
      ['maxBytes', maybe(integer(1)), (maxBytes) => historyPage(emptyView, { maxBytes })],
    ],
    createViewStore: [
      ...viewValueRows((view) => createViewStore(view)).slice(1),
      ['view', maybe(isObject), (view) => createViewStore(view)],
      ...eventRows((value) => createViewStore().push([value])),
      ['events', isIterable, (events) => createViewStore().push(Array.isArray(events) ? [] : events)],
      ['listener', isFunction, (listener) => createViewStore().subscribe(listener)],
      ['page', isObject, (page) => createViewStore().prepend(page)],
      ['page.events', isIterable, (events) => createViewStore().prepend({ events })],
    ],
    createViewStoreWith: [
      ['features', isObject, (features) => createViewStoreWith(features)],
      ...featureRows((features) => createViewStoreWith(features)),
      ...viewValueRows((view) => createViewStoreWith({}, view)).slice(1),
      ['view', maybe(isObject), (view) => createViewStoreWith({}, view)],
    ],
    decideBackpressure: [
      ['lag', isAmount, (lag) => decideBackpressure(lag)],
      [
        'policy',
        maybe((value) => isObject(value) && Object.keys(value as object).length === 0),
        (policy) => decideBackpressure(0, policy),
      ],
      ['mergeAt', nullable(isAmount), (mergeAt) => decideBackpressure(0, { mergeAt })],
      ['dropAt', nullable(isAmount), (dropAt) => decideBackpressure(0, { dropAt })],
      ['resetAt', nullable(isAmount), (resetAt) => decideBackpressure(0, { resetAt })],
      ['policy', never, (value) => decideBackpressure(0, { merge: value } as never)],
    ],
    encodeBatch: [
      ['part', never, (part) => encodeBatch(part)],
      ['options', maybe(isObject), (options) => encodeBatch(batch, withAll(options))],
      ['options', never, (other) => encodeBatch(batch, { viewer: 'all', profil: other } as never)],
      [
        'profile',
        maybe(oneOf('named', 'data-only')),
        (profile) => encodeBatch(batch, { viewer: 'all', profile }),
      ],
      ['viewer', oneOf('all'), (viewer) => encodeBatch(batch, { viewer })],
    ],
    createTaskTree: [
      ['limit', maybe(integer(2)), (limit) => createTaskTree(limit)],
      ['state', maybe(never), (state) => createTaskTree(undefined, state)],
    ],
    cursorAfter: [['part', isObject, (part) => cursorAfter(part)]],
    escapeName: [['name', isText, (name) => escapeName(name)]],
    unescapeName: [['text', isText, (text) => unescapeName(text)]],
    requireEvent: [['event', never, (event) => requireEvent(event)]],
    requireAppendOptions: [
      ['options', maybe(isObject), (options) => requireAppendOptions(options)],
      ['signal', maybe(never), (signal) => requireAppendOptions({ signal })],
    ],
    requireSnapshotOptions: [
      ['options', maybe(isObject), (options) => requireSnapshotOptions(options)],
      ['maxBytes', maybe(integer(1)), (maxBytes) => requireSnapshotOptions({ maxBytes })],
    ],
    requireReadOptions: [
      ['options', maybe(isObject), (options) => requireReadOptions(options)],
      ['filter', maybe(isReadFilter), (filter) => requireReadOptions({ filter })],
      ['wait', maybe(isBoolean), (wait) => requireReadOptions({ wait })],
      ['signal', maybe(never), (signal) => requireReadOptions({ signal })],
      ['maxBytes', maybe(integer(1)), (maxBytes) => requireReadOptions({ maxBytes })],
    ],
    escapePatternSegment: [['id', isText, (id) => escapePatternSegment(id)]],
    follow: [
      ['log', never, (log) => pull(follow(log))],
      ['options', maybe(isObject), (options) => pull(follow(createMemoryLog(logOptions), null, options))],
      [
        'filter',
        maybe(isReadFilter),
        (filter) => pull(follow(createMemoryLog(logOptions), null, { filter })),
      ],
      ['signal', maybe(never), (signal) => pull(follow(createMemoryLog(logOptions), null, { signal }))],
      [
        'maxBytes',
        maybe(integer(1)),
        (maxBytes) => pull(follow(createMemoryLog(logOptions), null, { maxBytes })),
      ],
    ],
    formatEventId: [
      ['position', isObject, (value) => formatEventId(value)],
      ...cursorRows('position', formatEventId),
    ],
    makeBatch: [
      ['log', isObject, (log) => makeBatch(log, 0, [])],
      ['log.stream', isText, (stream) => makeBatch({ ...extent, stream }, 0, [])],
      // 2^53 after the last number.
      [
        'log.next',
        (value) => integer(0)(value) || value === 2 ** 53,
        (next) => makeBatch({ ...extent, next }, 0, []),
      ],
      ['after', integer(-1), (after) => makeBatch(extent, after, [])],
      [
        'events',
        (value) => isFunction(Object(value)[Symbol.iterator]),
        (events) => makeBatch(extent, 0, events),
      ],
      ['filter', maybe(isReadFilter), (filter) => makeBatch(extent, 0, [], filter)],
    ],
    project: viewerRows('viewer', (viewer) => project(event, viewer)),
    readFilter: [
      ...optionalViewerRows((viewer) => readFilter(viewer)),
      [
        'filter',
        maybe((value) => isObject(value) && Object.keys(value as object).length === 0),
        (filter) => readFilter({ audience: 'user' }, filter),
      ],
      ...filterRows('filter', (filter) => readFilter({ audience: 'user' }, filter)),
    ],
    receiver: [
      ['part', never, (part) => run(receiver()).push(part)],
      ['options', maybe(isObject), (options) => receiver(options)],
      ['cursor', maybe(isObject), (cursor) => receiver({ cursor })],
      ...cursorRows('cursor', (cursor) => receiver({ cursor })),
    ],
    resolveCursor: [
      ['log', isObject, (log) => resolveCursor(log)],
      ['log.epoch', isText, (epoch) => resolveCursor({ ...extent, epoch })],
      ['log.earliest', integer(0), (earliest) => resolveCursor({ ...extent, earliest })],
      ['log.closed', isBoolean, (closed) => resolveCursor({ ...extent, closed })],
      ['filter.id', isText, (id) => resolveCursor(extent, null, { id })],
    ],
    UnknownStreamError: [],
    verifier: [
      ['options', maybe(isObject), (options) => verifier(options)],
      ['options', never, (other) => verifier({ level: other } as never)],
      ['mode', maybe(oneOf('strict', 'standard', 'lenient')), (mode) => verifier({ mode })],
      ['startIndex', maybe(integer(0)), (startIndex) => verifier({ startIndex })],
      ['external', maybe(isBoolean), (external) => verifier({ external })],
    ],
    watchStream: [
      ['connect', isFunction, (connect) => watchStream(connect)],
      ['options', maybe(isObject), (options) => watchStream(connect, options)],
      ['signal', maybe(never), (signal) => watchStream(connect, { signal })],
      ['view', maybe(isObject), (view) => watchStream(connect, { view: isObject(view) ? emptyView : view })],
      ['view.tasks', isArray, (tasks) => watchStream(connect, { view: { ...emptyView, tasks } })],
      ['view.artifacts', isArray, (artifacts) => watchStream(connect, { view: { ...emptyView, artifacts } })],
      ['cursor', maybe(isObject), (cursor) => watchStream(connect, { cursor })],
      ...cursorRows('cursor', (cursor) => watchStream(connect, { cursor })),
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => watchStream(connect, { onDiagnostic })],
      ['minDelayMs', maybe(integer(1)), (minDelayMs) => watchStream(connect, { minDelayMs })],
      ['maxDelayMs', maybe(integer(1)), (maxDelayMs) => watchStream(connect, { maxDelayMs })],
      [
        'idleTimeoutMs',
        maybe((value) => integer(1)(value) || value === Number.POSITIVE_INFINITY),
        (idleTimeoutMs) => watchStream(connect, { idleTimeoutMs }),
      ],
      ['sleep', maybe(isFunction), (sleep) => watchStream(connect, { sleep })],
      ['random', maybe(isFunction), (random) => watchStream(connect, { random })],
      ['now', maybe(isFunction), (now) => watchStream(connect, { now })],
      ['maxMessageSize', maybe(integer(1)), (maxMessageSize) => watchStream(connect, { maxMessageSize })],
      ['maxDepth', maybe(integer(1)), (maxDepth) => watchStream(connect, { maxDepth })],
    ],
    watchStreamWith: [
      ['connect', isFunction, (connect) => watchStreamWith(connect)],
      ['options', maybe(isObject), (options) => watchStreamWith(connect, options)],
      ...featureRows((features) => watchStreamWith(connect, features)),
    ],
  },
  'turnstream/zod': {},
  'turnstream/a2a': {
    // Data: an item of a stream.
    isA2aStreamEnd: [],
    a2a: [
      ['options', isObject, (options) => a2a(options as never)],
      ['card', isObject, (card) => a2a({ card })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => a2a({ card: {}, onDiagnostic })],
    ],
    a2aSnapshot: [
      ['state', isObject, (state) => a2aSnapshot(state)],
      ['state', never, (_) => a2aSnapshot(toA2a({ version: '1.0' }).initial)],
      ['options', maybe(isObject), (options) => a2aSnapshot(a2aState(), options)],
      ['history', maybe(isArray), (history) => a2aSnapshot(a2aState(), { history })],
    ],
    a2aVerifier: [
      ['options', isObject, (options) => a2aVerifier(options)],
      ['version', oneOf('0.3', '1.0'), (version) => a2aVerifier({ version })],
      [
        'mode',
        maybe(oneOf('strict', 'standard', 'lenient')),
        (mode) => a2aVerifier({ version: '1.0', mode }),
      ],
      ['startIndex', maybe(integer(0)), (startIndex) => a2aVerifier({ version: '1.0', startIndex })],
    ],
    demuxTasks: [
      ['machine', maybe(never), (value) => demuxTasks(value)],
      ['options', maybe(isObject), (options) => demuxTasks(toA2a({ version: '1.0' }), options)],
      [
        'awaitResult',
        maybe(isBoolean),
        (awaitResult) => demuxTasks(toA2a({ version: '1.0' }), { awaitResult }),
      ],
    ],
    fromA2a: [
      ['options', maybe(isObject), (options) => fromA2a(options)],
      ['contextId', maybe(isText), (contextId) => fromA2a({ contextId })],
      ['showErrors', maybe(isBoolean), (showErrors) => fromA2a({ showErrors })],
      ['request', (value) => value === undefined, (value) => fromA2a({ request: value as never })],
    ],
    commandsFromA2a: readerRows((options) => commandsFromA2a(null, options)),
    toA2a: [
      ['options', isObject, (options) => toA2a(options)],
      ['version', oneOf('0.3', '1.0'), (version) => toA2a({ version })],
      ['extension', maybe(isBoolean), (extension) => toA2a({ version: '1.0', extension })],
      [
        'closeText',
        maybe(oneOf('empty-part', 'snapshot')),
        (closeText) => toA2a({ version: '1.0', closeText }),
      ],
      ...optionalViewerRows((viewer) => toA2a({ version: '1.0', viewer })),
      ['reason', maybe(isObject), (reason) => run(toA2a({ version: '1.0' })).end(reason)],
      [
        'unfinished',
        maybe(oneOf('fail', 'keep')),
        (unfinished) => run(toA2a({ version: '1.0' })).end({ unfinished }),
      ],
    ],
    validateA2aEvent: [['version', oneOf('0.3', '1.0'), (version) => validateA2aEvent(version, {})]],
    wrapJsonRpc: [
      ['id', (value) => isString(value) || isNumber(value) || value === null, (id) => wrapJsonRpc(id, {})],
    ],
  },
  'turnstream/ai-sdk': {
    commandsFromChatRequest: readerRows((options) => commandsFromChatRequest(null, options)),
    decodeUiMessageChunk: [],
    encodeUiMessageChunk: [['chunk', isObject, (chunk) => encodeUiMessageChunk(chunk)]],
    fromUiMessageStream: [
      ['options', maybe(isObject), (options) => fromUiMessageStream(options)],
      ['taskId', maybe(isText), (taskId) => fromUiMessageStream({ taskId })],
      ['contextId', maybe(isText), (contextId) => fromUiMessageStream({ contextId })],
      [
        'request',
        (value) => value === undefined,
        (value) => fromUiMessageStream({ request: value as never }),
      ],
      ['now', maybe(isFunction), (value) => fromUiMessageStream({ now: value })],
      ['extension', maybe(isBoolean), (extension) => fromUiMessageStream({ extension })],
      ['showErrors', maybe(isBoolean), (showErrors) => fromUiMessageStream({ showErrors })],
      [
        'now()',
        (value) => isNumber(value) || value instanceof Date,
        (time) => run(fromUiMessageStream({ now: () => time })).push({ type: 'start' }),
      ],
    ],
    toUiMessageStream: [
      ['options', maybe(isObject), (options) => toUiMessageStream(options)],
      ['version', maybe(oneOf(5, 6, 7)), (version) => toUiMessageStream({ version })],
      [
        'tools',
        (value) => value === undefined || (Array.isArray(value) && value.every(isString)),
        (tools) => toUiMessageStream({ tools }),
      ],
      ['extension', maybe(isBoolean), (extension) => toUiMessageStream({ extension })],
      ...viewerRows('viewer', (viewer) => toUiMessageStream({ viewer })).slice(1),
      ['reason', maybe(isObject), (reason) => run(toUiMessageStream()).end(reason)],
      [
        'unfinished',
        maybe(oneOf('fail', 'keep')),
        (unfinished) => run(toUiMessageStream()).end({ unfinished }),
      ],
    ],
    aiSdk: [
      ['options', maybe(isObject), (options) => aiSdk(options)],
      ['version', maybe(oneOf(5, 6, 7)), (version) => aiSdk({ version })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => aiSdk({ onDiagnostic })],
    ],
    chatTransport: [
      ['Transport', never, (Transport) => chatTransport(Transport as never, '/chat')],
      ['url', isText, (url) => chatTransport(Object, url)],
      ['options', maybe(isObject), (options) => chatTransport(Object, '/chat', options)],
      ['fetch', maybe(isFunction), (fetch) => chatTransport(Object, '/chat', { fetch })],
    ],
    uiMessages: [
      ['options', maybe(isObject), (options) => uiMessages(emptyView, options)],
      ['version', maybe(oneOf(5, 6, 7)), (version) => uiMessages(emptyView, { version })],
    ],
  },
  'turnstream/ag-ui': {
    agUi: [
      ['options', maybe(isObject), (options) => agUi(options)],
      ['extension', maybe(isBoolean), (extension) => agUi({ extension })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => agUi({ onDiagnostic })],
    ],
    agUiMessages: [
      ['options', maybe(isObject), (options) => agUiMessages(emptyView, options)],
      ['viewer', maybe(isObject), (viewer) => agUiMessages(emptyView, { viewer })],
    ],
    agUiVerifier: [
      ['options', maybe(isObject), (options) => agUiVerifier(options)],
      ['mode', maybe(oneOf('strict', 'standard', 'lenient')), (mode) => agUiVerifier({ mode })],
      ['startIndex', maybe(integer(0)), (startIndex) => agUiVerifier({ startIndex })],
      ['sharedState', maybe(isBoolean), (sharedState) => agUiVerifier({ sharedState })],
    ],
    decodeAgUiEvent: [],
    commandsFromRunAgentInput: readerRows((options) => commandsFromRunAgentInput(null, options)),
    decodeRunAgentInput: [],
    fromAgUi: [
      ['options', maybe(isObject), (options) => fromAgUi(options)],
      ['contextId', maybe(isText), (contextId) => fromAgUi({ contextId })],
      ['userId', maybe(isText), (userId) => fromAgUi({ userId })],
      ['now', maybe(isFunction), (value) => fromAgUi({ now: value })],
      ['request', (value) => value === undefined, (value) => fromAgUi({ request: value as never })],
      ['raw', maybe(isBoolean), (raw) => fromAgUi({ raw })],
      ['showErrors', maybe(isBoolean), (showErrors) => fromAgUi({ showErrors })],
      ['extension', maybe(isBoolean), (extension) => fromAgUi({ extension })],
      [
        'now()',
        isNumber,
        (time) => run(fromAgUi({ now: () => time })).push({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }),
      ],
    ],
    toAgUi: [
      ['options', maybe(isObject), (options) => toAgUi(options)],
      ['threadId', maybe(isText), (threadId) => toAgUi({ threadId })],
      ['runId', maybe(isText), (runId) => toAgUi({ runId })],
      ['messages', maybe(isArray), (messages) => toAgUi({ messages } as never)],
      ['extension', maybe(isBoolean), (extension) => toAgUi({ extension })],
      ...viewerRows('viewer', (viewer) => toAgUi({ viewer })).slice(1),
    ],
  },
  'turnstream/frames': {
    decodeFrame: [
      ['options', isObject, (options) => decodeFrame({}, options)],
      ['version', oneOf('v1', 'v2'), (version) => decodeFrame({}, { version })],
    ],
    downgradeFrame: [
      ['frame', never, (frame) => (isObject(frame) ? downgradeFrame(null as never) : downgradeFrame(frame))],
    ],
    embeddedFrame: [['event', isObject, (value) => embeddedFrame(value)]],
    encodeFrame: [
      ['frame', never, (frame) => (isObject(frame) ? encodeFrame(null as never) : encodeFrame(frame))],
    ],
    frameReceiver: [
      ['options', maybe(isObject), (options) => frameReceiver(options)],
      ['gaps', maybe(oneOf('wait', 'skip')), (gaps) => frameReceiver({ gaps })],
    ],
    frameSequencer: [
      ['options', isObject, (options) => frameSequencer(options)],
      [
        'version',
        oneOf('v1', 'v2'),
        (version) => frameSequencer({ ...frames, stream: { kind: 'session', id: 's' }, version }),
      ],
      ['stream', isObject, (stream) => frameSequencer({ ...frames, stream })],
      ['stream.kind', isText, (kind) => frameSequencer({ ...frames, stream: { kind, id: 's' } })],
      ['stream.id', isText, (id) => frameSequencer({ ...frames, stream: { kind: 'session', id } })],
      [
        'newId',
        isFunction,
        (newId) => frameSequencer({ ...frames, stream: { kind: 'session', id: 's' }, newId }),
      ],
      [
        'now',
        isFunction,
        (value) => frameSequencer({ ...frames, stream: { kind: 'session', id: 's' }, now: value }),
      ],
      [
        'now()',
        isNumber,
        (time) =>
          run(frameSequencer({ ...frames, stream: { kind: 'session', id: 's' }, now: () => time })).push({
            type: 'session_started',
            input: '',
          }),
      ],
      [
        'newId()',
        isText,
        (id) =>
          run(frameSequencer({ ...frames, stream: { kind: 'session', id: 's' }, newId: () => id })).push({
            type: 'session_started',
            input: '',
          }),
      ],
    ],
    frameVerifier: [
      ['options', isObject, (options) => frameVerifier(options)],
      ['version', oneOf('v1', 'v2'), (version) => frameVerifier({ version })],
      [
        'mode',
        maybe(oneOf('strict', 'standard', 'lenient')),
        (mode) => frameVerifier({ version: 'v2', mode }),
      ],
      ['startIndex', maybe(integer(0)), (startIndex) => frameVerifier({ version: 'v2', startIndex })],
      [
        'runtimeGenerated',
        maybe(isBoolean),
        (runtimeGenerated) => frameVerifier({ version: 'v2', runtimeGenerated }),
      ],
    ],
    fromFrames: [
      ['options', maybe(isObject), (options) => fromFrames(options)],
      ['contextId', maybe(isText), (contextId) => fromFrames({ contextId })],
    ],
    toFrames: [
      ['options', isObject, (options) => toFrames(options)],
      ['version', oneOf('v1', 'v2'), (version) => toFrames({ ...frames, sessionId: 's', version })],
      ['sessionId', isText, (sessionId) => toFrames({ ...frames, sessionId })],
      ['newId', isFunction, (newId) => toFrames({ ...frames, sessionId: 's', newId })],
      ['now', maybe(isFunction), (value) => toFrames({ ...frames, sessionId: 's', now: value })],
      ...viewerRows('viewer', (viewer) => toFrames({ ...frames, sessionId: 's', viewer })).slice(1),
      [
        'newId()',
        isText,
        (id) => run(toFrames({ ...frames, sessionId: 's', newId: () => id })).push(created),
      ],
      [
        'now()',
        isNumber,
        (time) =>
          run(toFrames({ ...frames, sessionId: 's', now: () => time })).push({
            ...created,
            timestamp: '1969-01-01T00:00:00Z',
          }),
      ],
    ],
    upgradeFrame: [
      ['frame', never, (frame) => (isObject(frame) ? upgradeFrame(null as never) : upgradeFrame(frame))],
    ],
  },
  'turnstream/openai': {
    chatCompletions: [
      ['options', maybe(isObject), (options) => chatCompletions(options)],
      ['conversation', maybe(isFunction), (conversation) => chatCompletions({ conversation })],
      ['onDiagnostic', maybe(isFunction), (onDiagnostic) => chatCompletions({ onDiagnostic })],
    ],
    toChatCompletions: [
      ['options', maybe(isObject), (options) => toChatCompletions(options)],
      ['model', maybe(isText), (model) => toChatCompletions({ model })],
      ['includeUsage', maybe(isBoolean), (includeUsage) => toChatCompletions({ includeUsage })],
      ...viewerRows('viewer', (viewer) => toChatCompletions({ viewer })).slice(1),
    ],
  },
  'turnstream/otel': {
    traceEvents: [
      ['source', isSource, (value) => traceEvents(value, tracing)],
      ['options', isObject, (options) => traceEvents([], options)],
      ['tracer', isObject, (tracer) => traceEvents([], { ...tracing, tracer })],
      ['tracer.startSpan', isFunction, (startSpan) => traceEvents([], { ...tracing, tracer: { startSpan } })],
      ['setSpan', isFunction, (setSpan) => traceEvents([], { ...tracing, setSpan })],
      ['parent', isObject, (parent) => traceEvents([], { ...tracing, parent })],
      ['meter', maybe(isObject), (meter) => traceEvents([], { ...tracing, meter })],
      [
        'meter.createHistogram',
        isFunction,
        (createHistogram) => traceEvents([], { ...tracing, meter: { createHistogram } }),
      ],
      ['task', maybe(isObject), (task) => traceEvents([], { ...tracing, task })],
      [
        'task.contextId',
        isText,
        (contextId) => traceEvents([], { ...tracing, task: { ...context, contextId } }),
      ],
      ['task.taskId', isText, (taskId) => traceEvents([], { ...tracing, task: { ...context, taskId } })],
      ['agent', maybe(isText), (agent) => traceEvents([], { ...tracing, agent })],
    ],
  },
  'turnstream/looopy': {
    fromLooopy: [
      ['options', maybe(isObject), (options) => fromLooopy(options)],
      ['contextId', maybe(isText), (contextId) => fromLooopy({ contextId })],
      ['showErrors', maybe(isBoolean), (showErrors) => fromLooopy({ showErrors })],
      ['now', maybe(isFunction), (value) => fromLooopy({ now: value })],
      [
        'now()',
        (value) => isNumber(value) || value instanceof Date,
        (time) =>
          run(fromLooopy({ now: () => time })).push({ kind: 'task-status', taskId: 't', status: 'working' }),
      ],
    ],
  },
  'turnstream/agent-event': {
    adaptToolEvent: [['event', isObject, (value) => adaptToolEvent(value)]],
    // Data.
    decodeAgentEvent: [],
    decodeToolEvent: [],
    agentEventVerifier: [
      ['options', maybe(isObject), (options) => agentEventVerifier(options)],
      ['mode', maybe(oneOf('strict', 'standard', 'lenient')), (mode) => agentEventVerifier({ mode })],
      ['startIndex', maybe(integer(0)), (startIndex) => agentEventVerifier({ startIndex })],
    ],
    toolEventVerifier: [
      ['options', maybe(isObject), (options) => toolEventVerifier(options)],
      ['mode', maybe(oneOf('strict', 'standard', 'lenient')), (mode) => toolEventVerifier({ mode })],
      ['startIndex', maybe(integer(0)), (startIndex) => toolEventVerifier({ startIndex })],
    ],
    fromAgentEvents: [
      ['options', maybe(isObject), (options) => fromAgentEvents(options)],
      ['contextId', maybe(isText), (contextId) => fromAgentEvents({ contextId })],
      ['showErrors', maybe(isBoolean), (showErrors) => fromAgentEvents({ showErrors })],
      ['taskId', maybe(isText), (taskId) => fromAgentEvents({ taskId })],
      ['parentTaskId', maybe(isText), (parentTaskId) => fromAgentEvents({ parentTaskId })],
      [
        'path',
        (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
        (path) => fromAgentEvents({ path }),
      ],
      ['now', maybe(isFunction), (value) => fromAgentEvents({ now: value })],
      ['newId', maybe(isFunction), (newId) => fromAgentEvents({ newId })],
      ['initiator', maybe(oneOf('user', 'agent')), (initiator) => fromAgentEvents({ initiator })],
      ['readProgress', maybe(isFunction), (readProgress) => fromAgentEvents({ readProgress })],
      ['maxContentLength', maybe(integer(1)), (maxContentLength) => fromAgentEvents({ maxContentLength })],
      [
        'now()',
        (value) => isNumber(value) || value instanceof Date,
        (time) => run(fromAgentEvents({ now: () => time })).push({ type: 'final' }),
      ],
      ['newId()', isText, (id) => run(fromAgentEvents({ newId: () => id })).push({ type: 'final' })],
    ],
    subAgentToolEvents: [
      ['options', isObject, (options) => subAgentToolEvents(options)],
      ['toolName', isText, (toolName) => subAgentToolEvents({ toolName })],
      ['forward', maybe(isArray), (forward) => subAgentToolEvents({ toolName: 't', forward })],
      ['forward[0]', oneOf('thought'), (type) => subAgentToolEvents({ toolName: 't', forward: [type] })],
      [
        'maxOutputLength',
        maybe(integer(1)),
        (maxOutputLength) => subAgentToolEvents({ toolName: 't', maxOutputLength }),
      ],
      ['reason', maybe(isObject), (reason) => run(subAgentToolEvents({ toolName: 't' })).end(reason)],
      ['error', maybe(isString), (error) => run(subAgentToolEvents({ toolName: 't' })).end({ error })],
    ],
    toAgentEvents: [
      ['options', maybe(isObject), (options) => toAgentEvents(options)],
      ['taskId', maybe(isText), (taskId) => toAgentEvents({ taskId })],
      ['toolCallIds', maybe(isBoolean), (toolCallIds) => toAgentEvents({ toolCallIds })],
      ...viewerRows('viewer', (viewer) => toAgentEvents({ viewer })).slice(1),
    ],
  },
  'turnstream/session': {
    // Data: events and text from clients.
    readSessionAck: [],
    validateSessionPayload: [],
    matchConfirm: [['question', isObject, (value) => matchConfirm(value, {} as never)]],
    commandsFromSessionEvent: readerRows((options) => commandsFromSessionEvent(null, options)),
    answerConfirm: [
      [
        'question',
        (value) => isObject(value) && false,
        (question) =>
          answerConfirm(isObject(question) ? (null as never) : question, { approved: true }, { now }),
      ],
      [
        'answer',
        (value) => isObject(value) && false,
        (answer) => answerConfirm({} as never, isObject(answer) ? (null as never) : answer, { now }),
      ],
    ],
    createConfirm: [
      [
        'question',
        never,
        (question) =>
          createConfirm(isObject(question) ? (null as never) : question, {
            now,
            session_id: 's',
            step_id: 's',
          }),
      ],
      [
        'question.options',
        never,
        (options) =>
          createConfirm(
            { message: '', confirmation_type: 'select', options: isArray(options) ? [] : options },
            { now, session_id: 's', step_id: 's' },
          ),
      ],
      [
        'now',
        isFunction,
        (value) => createConfirm({ message: '' }, { now: value, session_id: 's', step_id: 's' }),
      ],
    ],
    createSessionEvent: [
      [
        'name',
        oneOf('user.message'),
        (name) => createSessionEvent(name, 'x' as never, undefined, { now, session_id: 's' }),
      ],
      ['options', isObject, (options) => createSessionEvent('user.message', 'x', undefined, options)],
      ['now', isFunction, (value) => createSessionEvent('user.message', 'x', undefined, { now: value })],
      [
        'now()',
        (value) => isNumber(value) || value instanceof Date,
        (time) => createSessionEvent('user.message', 'x', undefined, { now: () => time, session_id: 's' }),
      ],
      [
        'direction',
        maybe(oneOf('client', 'server')),
        (direction) =>
          createSessionEvent('user.message', 'x', undefined, { now, direction, session_id: 's' }),
      ],
    ],
    decodeSessionEvent: [
      ['options', maybe(isObject), (options) => decodeSessionEvent({}, options)],
      ['direction', maybe(oneOf('client', 'server')), (direction) => decodeSessionEvent({}, { direction })],
      [
        'mode',
        maybe(oneOf('strict', 'lenient')),
        (mode) => decodeSessionEvent({}, { mode } as { mode?: 'strict' }),
      ],
    ],
    formatSessionEventId: [
      ['id', isObject, (id) => formatSessionEventId(id)],
      ['connection', isText, (connection) => formatSessionEventId({ connection, seq: 0 })],
      ['seq', integer(0), (seq) => formatSessionEventId({ connection: 'c', seq })],
    ],
    fromSessionEvents: [
      ['options', maybe(isObject), (options) => fromSessionEvents(options)],
      ['contextId', maybe(isText), (contextId) => fromSessionEvents({ contextId })],
      ['showErrors', maybe(isBoolean), (showErrors) => fromSessionEvents({ showErrors })],
      ['now', maybe(isFunction), (value) => fromSessionEvents({ now: value })],
      [
        'now()',
        (value) => isNumber(value) || value instanceof Date,
        (time) =>
          run(fromSessionEvents({ now: () => time })).push({ event: 'user.message', content: 'x' } as never),
      ],
    ],
    restampSessionEvent: [
      [
        'event',
        isObject,
        (value) => restampSessionEvent(value, { session_id: 's', seq: 0, event_id: 'c-0' }),
      ],
      ['position', isObject, (value) => restampSessionEvent(sessionEvent, value)],
      [
        'position.session_id',
        isText,
        (session_id) => restampSessionEvent(sessionEvent, { session_id, seq: 0, event_id: 'c-0' }),
      ],
      [
        'position.seq',
        integer(0),
        (seq) => restampSessionEvent(sessionEvent, { session_id: 's', seq, event_id: 'c-0' }),
      ],
      [
        'position.event_id',
        isText,
        (event_id) => restampSessionEvent(sessionEvent, { session_id: 's', seq: 0, event_id }),
      ],
    ],
    selectReplay: [
      ['kept', isArray, (kept) => selectReplay(Array.isArray(kept) ? [] : kept, {})],
      ['cursor', isObject, (cursor) => selectReplay([], cursor)],
      ['limit', maybe(integer(0)), (limit) => selectReplay([], {}, limit)],
    ],
    sessionOutbox: [
      ['options', maybe(isObject), (options) => sessionOutbox(options)],
      ['limit', maybe(integer(1)), (limit) => sessionOutbox({ limit })],
    ],
    sessionReceiver: [
      ['options', maybe(isObject), (options) => sessionReceiver(options)],
      ['window', maybe(integer(1)), (window) => sessionReceiver({ window })],
    ],
    sessionVerifier: [
      ['options', maybe(isObject), (options) => sessionVerifier(options)],
      ['mode', maybe(oneOf('strict', 'standard', 'lenient')), (mode) => sessionVerifier({ mode })],
      ['direction', maybe(oneOf('client', 'server')), (direction) => sessionVerifier({ direction })],
      ['startIndex', maybe(integer(0)), (startIndex) => sessionVerifier({ startIndex })],
    ],
    toSessionEvents: [
      ['options', maybe(isObject), (options) => toSessionEvents(options)],
      ['sessionId', maybe(isText), (sessionId) => toSessionEvents({ sessionId })],
      ['connectionId', maybe(isText), (connectionId) => toSessionEvents({ connectionId })],
    ],
    signedStateIn: [
      ['options', maybe(isObject), (options) => signedStateIn('', options as never)],
      ['maxChars', maybe(integer(1)), (maxChars) => signedStateIn('', { maxChars })],
    ],
    signState: [
      ['state', never, (state) => signState(state, signing)],
      [
        'options',
        isObject,
        (options) => signState('{}', isObject(options) ? { ...signing, ...(options as object) } : options),
      ],
      [
        'key',
        (value) => isText(value) || value instanceof Uint8Array,
        (key) => signState('{}', { ...signing, key }),
      ],
      ['now', isFunction, (value) => signState('{}', { ...signing, now: isFunction(value) ? now : value })],
      ['version', maybe(oneOf('1.0', '2')), (version) => signState('{}', { ...signing, version })],
      ['kid', isText, (kid) => signState('{}', { ...signing, kid })],
      ['sessionId', isText, (sessionId) => signState('{}', { ...signing, sessionId })],
      ['ttlSeconds', maybe(integer(1)), (ttlSeconds) => signState('{}', { ...signing, ttlSeconds })],
      ['maxChars', maybe(integer(1)), (maxChars) => signState('{}', { ...signing, maxChars })],
    ],
    verifySignedState: [
      [
        'options',
        isObject,
        (options) =>
          verifySignedState('', isObject(options) ? { ...verifying, ...(options as object) } : options),
      ],
      ['keys', isObject, (keys) => verifySignedState('', { ...verifying, keys })],
      ['sessionId', isText, (sessionId) => verifySignedState('', { ...verifying, sessionId })],
      [
        'now',
        isFunction,
        (value) => verifySignedState('', { ...verifying, now: isFunction(value) ? now : value }),
      ],
      ['versions', maybe(isArray), (versions) => verifySignedState('', { ...verifying, versions })],
      ['ttlSeconds', maybe(integer(1)), (ttlSeconds) => verifySignedState('', { ...verifying, ttlSeconds })],
      [
        'clockSkewSeconds',
        maybe(integer(0)),
        (clockSkewSeconds) => verifySignedState('', { ...verifying, clockSkewSeconds }),
      ],
      ['maxChars', maybe(integer(1)), (maxChars) => verifySignedState('', { ...verifying, maxChars })],
      ['isReplayed', maybe(isFunction), (isReplayed) => verifySignedState('', { ...verifying, isReplayed })],
    ],
    encodeReconnectWithState: [
      ['signedState', never, (text) => encodeReconnectWithState(text, { now, last_seq: 0 })],
      [
        'options',
        isObject,
        (options) =>
          encodeReconnectWithState(
            '{}',
            isObject(options) ? { now, last_seq: 0, ...(options as object) } : options,
          ),
      ],
      [
        'now',
        isFunction,
        (value) => encodeReconnectWithState('{}', { now: isFunction(value) ? now : value, last_seq: 0 }),
      ],
    ],
    upsertSessionEvent: [
      ['list', isArray, (list) => upsertSessionEvent(Array.isArray(list) ? [] : list, sessionEvent)],
      ['event', isObject, (value) => upsertSessionEvent([], value)],
    ],
  },
}
