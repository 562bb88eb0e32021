/** From A2A to our events. */

import type { Diagnostic, Machine, Step } from '../../../core/machine.ts'
import { base64ToText } from '../../../encoding/base64.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { isInternal } from '../../../events/guards.ts'
import {
  type CarriedEvent,
  carriedBy,
  carriedByTask,
  saidByUpdate,
  withoutExtension,
} from '../wire/extension.ts'
import { isInterrupted, isTerminal, type MessageUpdate, type TaskUpdate, type Update } from '../wire/model.ts'
import { readUpdate } from '../wire/parse.ts'
import { ReadTurn } from './event-writer.ts'
import { closeAll, readArtifact } from './read-artifact.ts'
import { readStatus, textOf } from './read-status.ts'
import { type FromA2aState, MAX_TASKS, type ReadTask } from './state.ts'

/** Settings of {@link fromA2a}. */
export interface FromA2aOptions {
  /**
   * The context of the events. Absent: that of the stream, or where it tells none, the id of the
   * task.
   */
  readonly contextId?: string
}

/** The time of events of a stream that never tells any. */
const NO_TIME = '1970-01-01T00:00:00.000Z'

/**
 * Reads an A2A stream of either version as our events: what the client of an agent does.
 *
 * Takes parsed JSON: the JSON of 0.3, its REST form, or 1.0, as it is or in a JSON-RPC response.
 * A task that is sent again, as when a client subscribes again, leads only to what is new. Items
 * that carry events under {@link a2aExtensionUri} lead to exactly these.
 *
 * A2A tells the time of states only; what has no time gets the last one told. Text of an artifact
 * becomes content; while that is open, text of another artifact becomes a file.
 *
 * Diagnostics: `json-rpc-error` (its `detail` is the error; it is no event), `unknown-update`,
 * `unknown-state`, `task-ended` (something came after the end), `interrupted` (the stream ended
 * before the task: subscribe again), `replaced` (text was replaced by other text),
 * `lossy:<field>`, `dropped:update`, `invalid-base64`, `too-large`.
 *
 * @example
 * ```ts
 * const reader = run(fromA2a())
 * for await (const message of iterate(sseDecoder(), response.body)) {
 *   for (const event of reader.push(JSON.parse(message.data))) render(event)
 * }
 * ```
 */
export function fromA2a(options: FromA2aOptions = {}): Machine<FromA2aState, unknown, ContextAnyEvent> {
  const { contextId } = options
  if (contextId !== undefined && (typeof contextId !== 'string' || contextId === '')) {
    throw new TypeError('contextId must be a non-empty string, or be left out.')
  }
  return {
    initial: { tasks: [] },
    step(state, input) {
      const reading = read(input)
      switch (reading.type) {
        case 'error':
          return refuse(state, 'json-rpc-error', 'The peer answered with an error.', reading.error)
        case 'unknown':
          return refuse(state, 'unknown-update', 'Not an item of an A2A stream.')
        case 'update':
          return take(state, reading.update, contextId)
      }
    },
    end(state) {
      const open = state.tasks.filter((task) => !isTerminal(task.state) && !isInterrupted(task.state))
      if (open.length === 0) return { state, out: [] }
      const diagnostics = open.map(({ id }) => ({
        code: 'interrupted',
        message: `The stream ended before the task ${id} did: subscribe to it again.`,
        detail: { taskId: id },
      }))
      return { state, out: [], diagnostics }
    },
  }
}

function read(input: unknown): ReturnType<typeof readUpdate> {
  try {
    return readUpdate(input)
  } catch {
    // A value that throws when it is looked at.
    return { type: 'unknown' }
  }
}

function refuse(
  state: FromA2aState,
  code: string,
  message: string,
  detail?: unknown,
): Step<FromA2aState, ContextAnyEvent> {
  const diagnostic: Diagnostic = detail === undefined ? { code, message } : { code, message, detail }
  return { state, out: [], diagnostics: [diagnostic] }
}

function take(
  state: FromA2aState,
  update: Update,
  contextId: string | undefined,
): Step<FromA2aState, ContextAnyEvent> {
  const known = state.tasks.find((task) => task.id === update.taskId)
  if (known !== undefined && isTerminal(known.state)) {
    return update.type === 'task' ? { state, out: [] } : refuse(state, 'task-ended', 'The task has ended.')
  }
  const turn = new ReadTurn(
    known ?? {
      id: update.taskId,
      contextId: contextId ?? update.contextId,
      state: 'submitted',
      timestamp: ('status' in update ? update.status.timestamp : undefined) ?? NO_TIME,
      artifacts: [],
      done: [],
      asked: [],
      resume: -1,
      texts: [],
      kept: 0,
    },
  )
  readInto(turn, update, known === undefined)
  const tasks =
    known === undefined
      ? [...state.tasks, turn.task].slice(-MAX_TASKS)
      : state.tasks.map((task): ReadTask => (task === known ? turn.task : task))
  const step = { state: { tasks }, out: turn.out }
  return turn.diagnostics.length === 0 ? step : { ...step, diagnostics: turn.diagnostics }
}

function readInto(turn: ReadTurn, update: Update, isNew: boolean): void {
  if (update.type === 'task') {
    readTask(turn, update, isNew)
    return
  }
  if (isNew) turn.emit({ kind: 'task-created', initiator: 'user' })
  const carried = carriedBy(update.metadata)
  const found = carried === undefined ? turn : new ReadTurn(turn.task)
  if (update.type === 'status') readStatus(found, update.status)
  else if (update.type === 'artifact') {
    const { artifact, append, last } = update
    readArtifact(found, artifact, { append, last, snapshot: false })
  } else readMessage(found, update, isNew)
  if (carried === undefined) return
  // What the update says is remembered, but the events it carries count.
  turn.take(found)
  restoreAll(turn, carried, found.out)
}

/** A task: at its beginning, or as it stands. */
function readTask(turn: ReadTurn, update: TaskUpdate, isNew: boolean): void {
  const { status, artifacts, metadata } = update
  const sent = carriedByTask(metadata)
  const isNews = sent !== undefined && sent.resume > turn.task.resume
  if (isNews) turn.task.resume = sent.resume
  const events = isNews ? sent.events : []
  const createdBy = isNew ? events.filter(({ kind }) => kind === 'task-created') : []
  restoreAll(turn, createdBy, [])
  if (isNew && createdBy.length === 0) {
    const facts = withoutExtension(metadata)
    turn.emit({ kind: 'task-created', initiator: 'user', ...(facts !== undefined && { metadata: facts }) })
  }
  for (const artifact of artifacts) {
    const last = isTerminal(status.state)
    readArtifact(turn, artifact, { append: false, last, snapshot: true })
  }
  const rest = events.filter(({ kind }) => kind !== 'task-created')
  if (isNew || !isNews) readStatus(turn, status)
  else {
    // The events say in detail how the task got where it stands.
    const found = new ReadTurn(turn.task)
    readStatus(found, status)
    turn.take(found)
  }
  restoreAll(turn, rest, [])
}

/** A message is the whole answer where there is no task, and a piece of content where there is one. */
function readMessage(turn: ReadTurn, { message }: MessageUpdate, isNew: boolean): void {
  const content = textOf(message)
  for (const [i, part] of message.parts.entries()) {
    if (part.type === 'text') continue
    const artifact = { artifactId: `${message.messageId}/${i + 1}`, parts: [part] }
    readArtifact(turn, artifact, { append: false, last: true, snapshot: false })
  }
  if (content !== undefined) {
    closeAll(turn)
    turn.emit({ kind: 'content-complete', content })
  }
  if (!isNew) return
  turn.task.state = 'completed'
  turn.emit({ kind: 'task-complete', ...(content !== undefined && { content }) })
}

function restoreAll(
  turn: ReadTurn,
  carried: readonly CarriedEvent[],
  found: readonly ContextAnyEvent[],
): void {
  for (const event of carried) restore(turn, event, found)
}

/** An event as it was, from what the extension carries of it and what the update says. */
function restore(turn: ReadTurn, carried: CarriedEvent, found: readonly ContextAnyEvent[]): void {
  const { id: taskId, contextId } = turn.task
  const field = saidByUpdate[carried.kind as EventKind]
  const filled =
    field !== undefined && carried[field] === undefined ? { [field]: say(turn, carried, field, found) } : {}
  const { kind, ...fields } = carried
  const ids = { contextId, taskId }
  // Twice, so that the ids come first for people and a peer cannot say other ones.
  const decoded = decodeEvent(Object.assign({ kind, ...ids }, fields, filled, ids))
  if (decoded.status !== 'known' || isInternal(decoded.event)) {
    turn.diagnostic(`dropped:${kind}`, 'The extension carries no event that may travel.', decoded)
    return
  }
  const { event } = decoded
  turn.out.push(event)
  turn.task.timestamp = event.timestamp
  if (event.kind !== 'file-write') return
  const others = turn.task.texts.filter((id) => id !== event.artifactId)
  if (event.complete) turn.task.texts = others
  else if (event.index === 0 && event.encoding !== 'base64') turn.task.texts = [...others, event.artifactId]
}

/** What the update says in place of a field. */
function say(
  turn: ReadTurn,
  carried: CarriedEvent,
  field: string,
  found: readonly ContextAnyEvent[],
): unknown {
  const values = found
    .filter(({ kind }) => kind === carried.kind)
    .map((event) => (event as unknown as Readonly<Record<string, unknown>>)[field])
  if (carried.kind === 'content-delta') return values.join('')
  const [value] = values
  const isText = carried.index === 0 ? carried.encoding !== 'base64' : isTextFile(turn, carried)
  return carried.kind === 'file-write' && isText && typeof value === 'string' ? base64ToText(value) : value
}

function isTextFile(turn: ReadTurn, { artifactId }: CarriedEvent): boolean {
  return turn.task.texts.some((id) => id === artifactId)
}
