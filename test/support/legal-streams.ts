/**
 * Legal event streams of one context, generated: one task and the subtasks it spawns, interleaved as
 * their agents run side by side, every kind of event in its place.
 *
 *     fc.property(legalStreams(), (events) => …)
 *     fc.property(legalStreams({ subtasks: false, internal: false }), (events) => …)
 *
 * A stream is played, not drawn: a list of random choices drives a small agent that knows at each
 * point which events the protocol allows next. So every stream is legal, and a failing one shrinks to
 * few choices.
 *
 * What is kept to, besides the schemas:
 *
 * - `task-created` first and once; `submitted` only before `working`; waiting only for what is open;
 *   the status `completed` and then `task-complete`, or either alone; nothing after the end
 * - a subtask is announced by its parent, begins after that, and ends before its parent does
 * - content counts its segment from 0 and is repeated whole; no content and no new tool while waiting
 * - tool, input and auth ids are unique, answered once and by whom they must be; progress never falls
 * - files and datasets count from 0, say what they are on the first chunk, and nothing follows the
 *   last; each Base64 chunk decodes by itself; an artifact keeps its type; versions go up by one, and
 *   only complete artifacts are changed
 * - thoughts count the task, and their deltas the thought; times never go back; iterations neither
 * - text is made of whole characters, and every value is what JSON gives back
 *
 * Half of the streams have their deltas merged as far as that goes.
 *
 * Where a task fails or is canceled, what is open stays open, of which a strict verifier warns.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { ContextAnyEvent, EventKind, EventOf } from '../../src/events/event.ts'
import type { TaskStatus } from '../../src/events/task.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../src/events/thought.ts'
import { compact } from '../../src/streams/index.ts'
import { jsonValue } from './json.ts'

/** What the streams may contain. */
export interface LegalStreamOptions {
  /** Whether tasks spawn others. Default: `true`. */
  readonly subtasks?: boolean
  /** Whether there are `internal:` events. Default: `true`. */
  readonly internal?: boolean
  /** Whether every task ends: `false` lets streams break off anywhere. Default: `true`. */
  readonly ended?: boolean
  /** How many choices are made at most; a stream has about as many events. Default: 40. */
  readonly maxChoices?: number
}

/** Streams of one context, at least one event long. The first event is that of the root task. */
export function legalStreams(options: LegalStreamOptions = {}): fc.Arbitrary<ContextAnyEvent[]> {
  const { maxChoices = 40 } = options
  return fc
    .tuple(fc.array(choice, { maxLength: maxChoices }), choice, fc.boolean())
    .map(([choices, last, isCompact]) => {
      const events = play(choices, last, options)
      return isCompact ? compact(events) : events
    })
}

/** The events of one task of a stream, in order. */
export function eventsOfTask(events: readonly ContextAnyEvent[], taskId: string): ContextAnyEvent[] {
  return events.filter((event) => event.taskId === taskId)
}

/** The ids of the tasks of a stream, in order of appearance. */
export function taskIds(events: readonly ContextAnyEvent[]): string[] {
  return [...new Set(events.map(({ taskId }) => taskId))]
}

/** What one turn of the agent is decided by. Zeroes and empty values give the plainest event. */
interface Choice {
  readonly move: number
  readonly task: number
  readonly number: number
  readonly flag: boolean
  readonly text: string
  readonly json: Record<string, never>
  readonly bytes: Uint8Array
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '\n', 'wör', '👩‍👩‍👧', '\ufeff', '\ufffd', '</thinking>', 'null'),
  },
)

/** An object as it comes out of `JSON.parse`: no `undefined`, no negative zero. */
const json = fc
  .dictionary(
    fc.string({ unit: 'grapheme', maxLength: 4 }),
    jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }),
    { maxKeys: 3, noNullPrototype: true },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, never>)

const choice: fc.Arbitrary<Choice> = fc.record({
  move: fc.nat(999),
  task: fc.nat(9),
  number: fc.nat(60),
  flag: fc.boolean(),
  text,
  json,
  bytes: fc.uint8Array({ maxLength: 9 }),
})

const MAX_TASKS = 4
const CONTEXT = 'ctx-1'

interface Artifact {
  readonly type: 'file' | 'data' | 'dataset'
  readonly base64: boolean
  next: number
  complete: boolean
  version: number
  /** The bytes of a file so far. */
  bytes: Buffer
}

interface Thought {
  readonly id: string
  next: number
  content: string
}

/** The arguments of a tool call while they are written: the text, and how much of it is out. */
interface Writing {
  readonly name: string
  readonly json: Record<string, never>
  next: number
  rest: string
}

/** One task while it runs. */
interface Task {
  readonly id: string
  readonly parent: Task | undefined
  readonly path: string[] | undefined
  status: 'announced' | 'created' | TaskStatus
  segment: string[]
  lastContent: string | undefined
  thoughts: number
  thought: Thought | undefined
  iteration: number
  stage: number
  readonly tools: Map<string, { name: string; progress: number }>
  readonly inputs: Map<string, { requireUser: boolean }>
  readonly auths: Set<string>
  /** Tool calls whose arguments are being written. */
  readonly writing: Map<string, Writing>
  readonly artifacts: Map<string, Artifact>
}

type Bare<K extends EventKind = EventKind> = { [P in K]: Omit<EventOf<P>, 'timestamp'> }[K]
type Move = (task: Task, by: Choice) => void

function play(choices: readonly Choice[], last: Choice, options: LegalStreamOptions): ContextAnyEvent[] {
  const { ended = true } = options
  const agent = new Agent(options)
  agent.create(last)
  for (const by of choices) agent.turn(by)
  if (ended) agent.finish(last)
  return agent.events
}

class Agent {
  readonly events: ContextAnyEvent[] = []
  readonly #options: LegalStreamOptions
  readonly #tasks: Task[] = []
  #ids = 0
  #time = Date.UTC(2026, 0, 31, 10, 30)

  constructor(options: LegalStreamOptions) {
    this.#options = options
  }

  /** The root task begins. */
  create(by: Choice): void {
    const root = newTask('task-1', undefined)
    this.#tasks.push(root)
    this.#begin(root, by)
  }

  /** One event, or the few that belong together. */
  turn(by: Choice): void {
    const live = this.#tasks.filter((task) => !isEnded(task))
    const task = live[by.task % live.length]
    if (task === undefined) return
    const moves = this.#moves(task)
    moves[by.move % moves.length]?.(task, by)
  }

  /** Ends every task that has not ended, children first. */
  finish(by: Choice): void {
    for (const task of [...this.#tasks].reverse()) {
      if (task.status === 'announced') this.#begin(task, by)
      if (!isEnded(task)) this.#complete(task, by)
    }
  }

  #emit(task: Task, event: Bare, by: Choice): void {
    this.#time += by.number
    const stamped = {
      contextId: CONTEXT,
      taskId: task.id,
      ...(task.parent !== undefined && { parentTaskId: task.parent.id }),
      ...(task.path !== undefined && { path: [...task.path] }),
      ...event,
      timestamp: clock(this.#time, by.number),
    }
    this.events.push(stamped as unknown as ContextAnyEvent)
  }

  #id(prefix: string): string {
    this.#ids += 1
    return `${prefix}-${this.#ids}`
  }

  /** What the task may do next. */
  #moves(task: Task): Move[] {
    if (task.status === 'announced') return [(of, by) => this.#begin(of, by)]
    const waiting = task.status.startsWith('waiting-')
    const moves: Move[] = [this.#thinkAloud, this.#think, this.#thought, this.#fail, this.#report]
    if (!waiting) {
      moves.push(this.#say, this.#say, this.#say, this.#finishSaying, this.#writeArguments)
      moves.push(this.#callTool, this.#callTool)
    }
    if (task.writing.size > 0 && !waiting) moves.push(this.#writeArguments)
    if (task.tools.size > 0) moves.push(this.#progress, this.#endTool, this.#endTool)
    moves.push(this.#ask, this.#authenticate)
    if (task.inputs.size > 0) moves.push(this.#answer, this.#answer, this.#cancelInput)
    if (task.auths.size > 0) moves.push(this.#endAuth, this.#endAuth)
    moves.push(this.#writeFile, this.#writeFile, this.#writeData, this.#writeRows, this.#change)
    moves.push(this.#setStatus, this.#setStatus)
    if (this.#options.internal !== false) moves.push(this.#trace)
    if (this.#options.subtasks !== false && this.#tasks.length < MAX_TASKS && !waiting)
      moves.push(this.#spawn)
    if (this.#mayEnd(task)) moves.push(this.#end)
    return moves
  }

  #mayEnd(task: Task): boolean {
    return this.#tasks.every((other) => other.parent !== task || isEnded(other))
  }

  #begin(task: Task, by: Choice): void {
    task.status = 'created'
    const initiator = task.parent === undefined && by.flag ? 'user' : 'agent'
    const metadata = {
      ...by.json,
      agentId: 'assistant',
      ...(by.flag && { model: 'model-1', input: by.text }),
    }
    this.#emit(task, { kind: 'task-created', initiator, ...(by.number % 2 === 0 && { metadata }) }, by)
  }

  readonly #setStatus: Move = (task, by) => {
    const open: { status: TaskStatus; blockedBy?: string }[] = [{ status: 'working' }]
    if (task.status === 'created' || task.status === 'submitted') open.push({ status: 'submitted' })
    for (const id of task.inputs.keys()) open.push({ status: 'waiting-input', blockedBy: id })
    for (const id of task.auths) open.push({ status: 'waiting-auth', blockedBy: id })
    for (const child of this.#tasks) {
      if (child.parent === task && !isEnded(child)) {
        open.push({ status: 'waiting-subtask', blockedBy: child.id })
      }
    }
    const { status, blockedBy } = open[by.number % open.length] ?? { status: 'working' }
    task.status = status
    const metadata = { ...by.json, ...(blockedBy !== undefined && { blockedBy }) }
    const message = by.flag ? { message: by.text } : {}
    this.#emit(task, { kind: 'task-status', status, ...message, ...(by.flag && { metadata }) }, by)
  }

  readonly #say: Move = (task, by) => {
    const index = task.segment.length
    // A merged delta stands for several: so many places are taken.
    const merged = by.number % 7 === 6
    task.segment.push(by.text, ...(merged ? ['', ''] : []))
    const indexEnd = merged ? { indexEnd: index + 2 } : {}
    this.#emit(task, { kind: 'content-delta', delta: by.text, index, ...indexEnd }, by)
  }

  readonly #finishSaying: Move = (task, by) => {
    const content = task.segment.length === 0 ? by.text : task.segment.join('')
    task.segment = []
    task.lastContent = content
    this.#emit(task, { kind: 'content-complete', content, ...(by.flag && { finishReason: 'stop' }) }, by)
  }

  readonly #thinkAloud: Move = (task, by) => {
    task.thought ??= { id: this.#id('thought'), next: 0, content: '' }
    const { id: thoughtId, next: index } = task.thought
    task.thought.next += 1
    task.thought.content += by.text
    this.#emit(task, { kind: 'thought-delta', thoughtId, delta: by.text, index }, by)
  }

  readonly #think: Move = (task, by) => {
    const open = by.flag ? task.thought : undefined
    if (open !== undefined) task.thought = undefined
    const types: ThoughtType[] = [
      'planning',
      'reasoning',
      'reflection',
      'decision',
      'observation',
      'strategy',
    ]
    const levels: ThoughtVerbosity[] = ['brief', 'normal', 'detailed']
    this.#emit(
      task,
      {
        kind: 'thought-stream',
        thoughtId: open?.id ?? this.#id('thought'),
        thoughtType: types[by.number % types.length] ?? 'planning',
        verbosity: levels[by.number % levels.length] ?? 'normal',
        content: open?.content ?? by.text,
        index: task.thoughts++,
        ...(by.flag && { metadata: { ...by.json, confidence: by.number / 60, alternatives: [by.text] } }),
      },
      by,
    )
  }

  readonly #thought: Move = (task, by) => this.#think(task, { ...by, flag: true })

  readonly #writeArguments: Move = (task, by) => {
    const [open] = task.writing
    const [toolCallId, call] = open ?? [
      this.#id('call'),
      { name: 'search', json: by.json, next: 0, rest: JSON.stringify(by.json) },
    ]
    task.writing.set(toolCallId, call)
    // Cut between characters.
    this.#writeOn(task, toolCallId, call, [...call.rest].slice(0, by.number).join(''), by)
  }

  #writeOn(task: Task, toolCallId: string, call: Writing, delta: string, by: Choice): void {
    const index = call.next++
    call.rest = call.rest.slice(delta.length)
    this.#emit(task, { kind: 'tool-arguments-delta', toolCallId, toolName: call.name, delta, index }, by)
  }

  readonly #callTool: Move = (task, by) => {
    const [written] = task.writing
    const [toolCallId, call] = written ?? [this.#id('call'), undefined]
    if (call !== undefined && call.rest !== '') this.#writeOn(task, toolCallId, call, call.rest, by)
    const toolName = call?.name ?? (by.flag ? 'search' : 'run_code')
    task.writing.delete(toolCallId)
    task.tools.set(toolCallId, { name: toolName, progress: 0 })
    const metadata = { ...by.json, provider: 'local', ...(task.tools.size > 1 && { concurrent: true }) }
    const args = structuredClone(call?.json ?? by.json)
    this.#emit(
      task,
      { kind: 'tool-start', toolCallId, toolName, arguments: args, ...(by.flag && { metadata }) },
      by,
    )
  }

  readonly #progress: Move = (task, by) => {
    const [toolCallId, tool] = pick([...task.tools], by)
    tool.progress = Math.min(1, tool.progress + by.number / 200)
    const { progress } = tool
    const metadata = { step: by.text, stepsCompleted: 1, stepsTotal: 2, stream: 'stdout', chunk: by.text }
    const more = by.flag ? { message: by.text, metadata } : {}
    this.#emit(task, { kind: 'tool-progress', toolCallId, progress, ...more }, by)
  }

  readonly #endTool: Move = (task, by) => {
    const [toolCallId, { name: toolName }] = pick([...task.tools], by)
    task.tools.delete(toolCallId)
    const outcome = by.flag
      ? { success: true, ...(by.number % 3 > 0 && { result: by.number % 3 === 1 ? by.json : null }) }
      : { success: false, error: by.text || 'failed' }
    const metadata = { duration: by.number, cached: by.flag, retries: 0 }
    this.#emit(
      task,
      { kind: 'tool-complete', toolCallId, toolName, ...outcome, ...(by.flag && { metadata }) },
      by,
    )
  }

  readonly #ask: Move = (task, by) => {
    const inputId = this.#id('input')
    const requireUser = by.number % 2 === 0
    task.inputs.set(inputId, { requireUser })
    const required = by.number % 3 === 2 ? {} : { requireUser }
    const asks: Bare<'input-required'>[] = [
      { kind: 'input-required', inputId, inputType: 'clarification', prompt: by.text },
      {
        kind: 'input-required',
        inputId,
        inputType: 'confirmation',
        prompt: by.text,
        metadata: { urgency: 'high' },
      },
      {
        kind: 'input-required',
        inputId,
        inputType: 'selection',
        prompt: by.text,
        options: ['one', by.json, null],
        metadata: { timeout: 300 },
      },
      {
        kind: 'input-required',
        inputId,
        inputType: 'tool-execution',
        prompt: by.text,
        schema: { type: 'object', ...by.json },
        metadata: { toolCall: { id: this.#id('call'), function: { name: 'get_profile', arguments: '{}' } } },
      },
      { kind: 'input-required', inputId, inputType: 'custom', prompt: by.text, metadata: by.json },
    ]
    if (Object.keys(required).length === 0) task.inputs.set(inputId, { requireUser: false })
    const [ask] = pick(
      asks.map((one) => [one] as const),
      by,
    )
    this.#emit(task, { ...ask, ...required }, by)
  }

  readonly #answer: Move = (task, by) => {
    const [inputId, { requireUser }] = pick([...task.inputs], by)
    task.inputs.delete(inputId)
    const by1 = requireUser || by.flag ? ({ providedBy: 'user', userId: 'user-1' } as const) : undefined
    const by2 = { providedBy: 'agent', agentId: 'coordinator' } as const
    const outcome = by.number % 2 === 0 ? {} : ({ outcome: by.flag ? 'answered' : 'declined' } as const)
    const metadata = by.flag ? { metadata: { ...by.json, duration: by.number } } : {}
    this.#emit(task, { kind: 'input-received', inputId, ...(by1 ?? by2), ...outcome, ...metadata }, by)
  }

  readonly #cancelInput: Move = (task, by) => {
    const [inputId] = pick([...task.inputs], by)
    task.inputs.delete(inputId)
    this.#emit(task, { kind: 'input-canceled', inputId, reason: by.flag ? 'expired' : 'withdrawn' }, by)
  }

  readonly #authenticate: Move = (task, by) => {
    const authId = this.#id('auth')
    task.auths.add(authId)
    const oauth = {
      authType: 'oauth2' as const,
      provider: 'example',
      scopes: ['read', by.text] as string[],
      authUrl: 'https://login.example/authorize',
      metadata: { ...by.json, expiresIn: 600 },
    }
    const how = by.flag ? oauth : { authType: 'api-key' as const }
    this.#emit(task, { kind: 'auth-required', authId, ...how, prompt: by.text }, by)
  }

  readonly #endAuth: Move = (task, by) => {
    const [authId] = pick(
      [...task.auths].map((id) => [id] as const),
      by,
    )
    task.auths.delete(authId)
    const metadata = { expiresAt: '2026-02-28T12:00:00Z' }
    if (by.flag) {
      const when = by.number % 2 === 0 ? { metadata } : {}
      this.#emit(task, { kind: 'auth-completed', authId, userId: 'user-1', ...when }, by)
      return
    }
    const reason = (['denied', 'expired', 'failed'] as const)[by.number % 3] ?? 'failed'
    const message = by.number % 2 === 0 ? { message: by.text } : {}
    this.#emit(task, { kind: 'auth-failed', authId, reason, ...message }, by)
  }

  /** An artifact of that type that is being written, or a new one. */
  #artifact(task: Task, type: Artifact['type'], by: Choice): [id: string, artifact: Artifact] {
    for (const [id, known] of task.artifacts) {
      if (known.type === type && (type === 'data' ? by.flag : !known.complete)) return [id, known]
    }
    const id = this.#id(type)
    const opened: Artifact = {
      type,
      base64: by.number % 2 === 1,
      next: 0,
      complete: false,
      version: 0,
      bytes: Buffer.alloc(0),
    }
    task.artifacts.set(id, opened)
    return [id, opened]
  }

  readonly #writeFile: Move = (task, by) => {
    const [artifactId, file] = this.#artifact(task, 'file', by)
    const index = file.next++
    file.complete = by.flag
    const merged = by.number % 11 === 10 ? { indexEnd: file.next++ } : {}
    if (file.complete) file.version = 1
    const chunk = file.base64 ? Buffer.from(by.bytes) : Buffer.from(by.text)
    file.bytes = Buffer.concat([file.bytes, chunk])
    const first = index === 0 && {
      name: by.text,
      description: by.text,
      mimeType: 'text/markdown',
      ...((file.base64 || by.number % 4 === 0) && {
        encoding: file.base64 ? ('base64' as const) : ('utf-8' as const),
      }),
      metadata: { ...by.json, toolCallId: 'call-0', ...(file.complete && { totalSize: chunk.length }) },
    }
    const digest = `sha-256:${createHash('sha256').update(file.bytes).digest('hex')}`
    const last = file.complete && { version: 1, digest }
    const data = file.base64 ? chunk.toString('base64') : by.text
    this.#emit(
      task,
      {
        kind: 'file-write',
        artifactId,
        data,
        index,
        ...merged,
        complete: file.complete,
        ...(by.number % 3 > 0 && first),
        ...(index === 0 && file.base64 && { encoding: 'base64' as const }),
        ...(by.number % 2 === 0 && last),
      },
      by,
    )
  }

  readonly #writeData: Move = (task, by) => {
    const [artifactId, data] = this.#artifact(task, 'data', by)
    const isFirst = data.version === 0
    const versions = by.number % 2 === 0 ? { version: data.version + 1 } : {}
    const expected = by.number % 4 === 0 && !isFirst ? { expectedVersion: data.version } : {}
    data.version += 1
    data.complete = true
    const first = isFirst && by.number % 3 > 0 && { name: by.text, description: by.text, metadata: by.json }
    this.#emit(
      task,
      { kind: 'data-write', artifactId, data: by.json, ...first, ...versions, ...expected },
      by,
    )
  }

  readonly #writeRows: Move = (task, by) => {
    const [artifactId, dataset] = this.#artifact(task, 'dataset', by)
    const index = dataset.next++
    dataset.complete = by.flag
    if (dataset.complete) dataset.version = 1
    const first = index === 0 && {
      name: by.text,
      schema: { type: 'object' },
      metadata: { ...by.json, ...(by.flag && { totalRows: by.number % 3 }), batchSize: 2 },
    }
    const rows = Array.from({ length: by.number % 3 }, (_, row) => ({ row, ...by.json }))
    const { complete } = dataset
    this.#emit(
      task,
      { kind: 'dataset-write', artifactId, rows, index, complete, ...(by.number % 2 === 0 && first) },
      by,
    )
  }

  readonly #change: Move = (task, by) => {
    const complete = [...task.artifacts].filter(([, artifact]) => artifact.complete)
    if (complete.length === 0) {
      this.#writeData(task, by)
      return
    }
    const [artifactId, artifact] = pick(complete, by)
    const baseVersion = artifact.version++
    const patch = [{ op: 'add' as const, path: '/added', value: by.json }]
    const changes = {
      file: { type: 'text-append', text: by.text } as const,
      dataset: { type: 'rows-append', rows: [by.json] } as const,
      data: by.flag
        ? ({ type: 'json-patch', patch } as const)
        : ({ type: 'merge-patch', patch: { added: by.json } } as const),
    }
    const change = structuredClone(changes[artifact.type])
    this.#emit(
      task,
      { kind: 'artifact-delta', artifactId, baseVersion, version: artifact.version, change } as Bare,
      by,
    )
  }

  readonly #spawn: Move = (task, by) => {
    const child = newTask(this.#id('subtask'), task)
    this.#tasks.push(child)
    const agentId = by.flag ? { agentId: 'analyst' } : {}
    this.#emit(task, { kind: 'subtask-created', subtaskId: child.id, ...agentId, prompt: by.text }, by)
  }

  readonly #fail: Move = (task, by) => {
    const more = {
      retryAfterMs: by.number,
      attempt: 1,
      maxAttempts: 3,
      scope: 'task',
      details: by.json,
    } as const
    const error = {
      code: 'rate_limited',
      message: by.text,
      retry: 'retrying',
      ...(by.flag && more),
    } as const
    this.#emit(task, { kind: 'task-error', error }, by)
  }

  readonly #report: Move = (task, by) => {
    if (by.flag) this.#setStatus(task, by)
    else this.#fail(task, by)
  }

  readonly #trace: Move = (task, by) => {
    const stages = ['pre-llm', 'post-llm', 'pre-tool', 'post-tool'] as const
    if (task.stage === stages.length) {
      task.iteration += 1
      task.stage = 0
    }
    const { iteration } = task
    const tool = { toolCallId: 'call-0', toolName: 'search' }
    const traces: Bare[] = [
      {
        kind: 'internal:thought-process',
        iteration,
        stage: stages[task.stage] ?? 'pre-llm',
        reasoning: by.text,
        state: by.json,
      },
      { kind: 'internal:llm-call', iteration, model: 'model-1', messageCount: by.number, toolCount: 1 },
      { kind: 'internal:checkpoint', iteration },
      { kind: 'internal:tool-start', ...tool },
      { kind: 'internal:tool-complete', ...tool, success: by.flag, ...(!by.flag && { error: by.text }) },
    ]
    const [trace] = pick(
      traces.map((one) => [one] as const),
      by,
    )
    if (trace.kind === 'internal:thought-process') task.stage += 1
    this.#emit(task, trace, by)
  }

  readonly #end: Move = (task, by) => {
    if (by.number % 3 === 0) this.#complete(task, by)
    else this.#break(task, by)
  }

  /** The task fails or is canceled: what is open stays open, and nothing follows. */
  #break(task: Task, by: Choice): void {
    const status = by.number % 3 === 1 ? 'failed' : 'canceled'
    const code = by.flag ? 'tool_failed' : 'x-own'
    const error = { code, message: by.text, retry: 'terminal', details: by.json } as const
    task.status = status
    const how = status === 'failed' && by.number % 2 === 0 ? { error } : {}
    const said = by.flag ? { message: by.text, metadata: { ...by.json, reason: by.text } } : {}
    this.#emit(task, { kind: 'task-status', status, ...how, ...said }, by)
  }

  /** The task succeeds: everything that is open is finished first. */
  #complete(task: Task, by: Choice): void {
    while (task.tools.size > 0) this.#endTool(task, by)
    for (const inputId of task.inputs.keys()) {
      this.#emit(task, { kind: 'input-canceled', inputId, reason: 'task-ended' }, by)
    }
    while (task.auths.size > 0) this.#endAuth(task, by)
    if (task.segment.length > 0) this.#finishSaying(task, by)
    for (const { type, complete } of [...task.artifacts.values()]) {
      if (complete) continue
      if (type === 'file') this.#writeFile(task, { ...by, flag: true })
      if (type === 'dataset') this.#writeRows(task, { ...by, flag: true })
    }
    task.status = 'completed'
    const how = by.number % 3
    if (how > 0) this.#emit(task, { kind: 'task-status', status: 'completed' }, by)
    if (how === 1) return
    const content = task.lastContent ?? (by.flag ? by.text : undefined)
    const artifacts = [...task.artifacts.keys()]
    const metadata = { ...by.json, duration: by.number, iterations: 1, tokensUsed: 7, finishReason: 'stop' }
    this.#emit(
      task,
      {
        kind: 'task-complete',
        ...(content !== undefined && { content }),
        ...(by.flag && { artifacts, metadata }),
      },
      by,
    )
  }
}

function newTask(id: string, parent: Task | undefined): Task {
  return {
    id,
    parent,
    path: parent === undefined ? undefined : [...(parent.path ?? []), id],
    status: parent === undefined ? 'created' : 'announced',
    segment: [],
    lastContent: undefined,
    thoughts: 0,
    thought: undefined,
    iteration: 0,
    stage: 0,
    tools: new Map(),
    inputs: new Map(),
    auths: new Set(),
    writing: new Map(),
    artifacts: new Map(),
  }
}

function isEnded({ status }: Task): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled'
}

function pick<T>(items: readonly T[], by: Choice): T {
  const item = items[by.number % items.length]
  if (item === undefined) throw new Error('A move was offered that cannot be made.')
  return item
}

/** The same instant in one of the spellings producers use. */
function clock(time: number, number: number): string {
  const utc = new Date(time).toISOString()
  if (number % 9 === 7) return new Date(time + 7_200_000).toISOString().replace('Z', '+02:00')
  return number % 9 === 8 ? utc.replace('Z', '000Z') : utc
}
