/** From A2A to agentwire events. */

import type { Machine, Step } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { describeValue, optional, requireObject, requireText } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { fromExtension, fromTaskExtension, withoutExtension } from '../wire/extension.ts'
import { isInterrupted, isTerminal, type MessageUpdate, type TaskUpdate, type Update } from '../wire/model.ts'
import { parseItem } from '../wire/parse.ts'
import { TaskEventWriter } from './event-writer.ts'
import { readArtifact } from './read-artifact.ts'
import { restoreEvents } from './read-extension.ts'
import { readStatus, textOf } from './read-status.ts'
import { completeAll } from './received-artifact.ts'
import { type FromA2aState, MAX_TASKS, type ReceivedTask } from './state.ts'

/** Options of {@link fromA2a}. */
export interface FromA2aOptions {
  /** The context of the events. Defaults to that of the stream, or the id of the task if it has none. */
  readonly contextId?: string
}

/** The time of events before the first timestamp of the stream. */
const NO_TIME = '1970-01-01T00:00:00.000Z'

/**
 * Maps an A2A stream of either version to agentwire events, as a client does.
 *
 * The input is parsed JSON: the JSON of 0.3, its REST form, or 1.0, with or without a JSON-RPC response
 * around it. A task that is sent again, as after a re-subscription, yields only what is new. An item with
 * events under {@link a2aExtensionUri} yields exactly these events.
 *
 * Only states have a time in A2A; everything else gets the last one received. The text of an artifact becomes
 * content; while that is open, the text of another artifact becomes content with the artifact's id as its
 * `contentId`, or a file if the artifact has a name.
 *
 * Diagnostics:
 *
 * - `json-rpc-error`: the input is an error response; `detail` is the error
 * - `unknown-update`: the input is not an item of an A2A stream
 * - `unknown-state`: a status with an unknown state is ignored
 * - `task-ended`: an item after the end of its task is dropped
 * - `interrupted`: the stream ended before the task did; subscribe to it again
 * - `text-replaced`: text was replaced by other text
 * - `lossy:<field>`: a field is left out or changed
 * - `dropped:<kind>`, `dropped:update`: an event or update is left out; see `detail.reason`
 * - `invalid-event`: the extension holds an invalid event; `detail` lists the issues
 * - `invalid-base64`: the bytes of a file part are dropped
 * - `too-large`: content is too long to store and continues as another segment
 *
 * @throws TypeError if `contextId` is not a non-empty string.
 *
 * @example
 * ```ts
 * const reader = run(fromA2a())
 * for await (const message of iterate(sseDecoder(), response.body)) {
 *   for (const event of reader.push(JSON.parse(message.data))) render(event)
 * }
 * ```
 */
export function fromA2a(
  options: FromA2aOptions = {},
): Machine<MachineState<'fromA2a'>, unknown, ContextAnyEvent> {
  requireObject('options', options)
  const { contextId } = options
  optional(requireText, 'contextId', contextId)
  const machine: Machine<FromA2aState, unknown, ContextAnyEvent> = {
    initial: { tasks: [] },
    step(state, input) {
      const parsed = parse(input)
      switch (parsed.type) {
        case 'error':
          return ignore(state, 'json-rpc-error', 'Received a JSON-RPC error response.', parsed.error)
        case 'unknown':
          return ignore(
            state,
            'unknown-update',
            `Expected an item of an A2A stream, got ${describeItem(input)}.`,
          )
        case 'update':
          return readUpdate(state, parsed.update, contextId)
      }
    },
    end(state) {
      const open = state.tasks.filter((task) => !isTerminal(task.state) && !isInterrupted(task.state))
      if (open.length === 0) return { state, out: [] }
      const diagnostics = open.map(({ id }) => ({
        code: 'interrupted',
        message: `The stream ended before task ${describeValue(id)} did; subscribe to it again.`,
        detail: { taskId: id },
      }))
      return { state, out: [], diagnostics }
    },
  }
  return opaque(machine)
}

function parse(input: unknown): ReturnType<typeof parseItem> {
  try {
    return parseItem(input)
  } catch {
    // A value with a getter or proxy that throws.
    return { type: 'unknown' }
  }
}

function describeItem(input: unknown): string {
  try {
    return describeValue(input)
  } catch {
    // A revoked proxy.
    return 'an object'
  }
}

function ignore(
  state: FromA2aState,
  code: string,
  message: string,
  detail?: unknown,
): Step<FromA2aState, ContextAnyEvent> {
  const diagnostic = { code, message, ...(detail !== undefined && { detail }) }
  return { state, out: [], diagnostics: [diagnostic] }
}

function readUpdate(
  state: FromA2aState,
  update: Update,
  contextId: string | undefined,
): Step<FromA2aState, ContextAnyEvent> {
  const known = state.tasks.find((task) => task.id === update.taskId)
  if (known !== undefined && isTerminal(known.state)) {
    if (update.type === 'task') return { state, out: [] }
    return ignore(state, 'task-ended', `Dropped a ${update.type} update after the end of task ${known.id}.`)
  }
  const writer = new TaskEventWriter(known ?? initialTask(update, contextId))
  readInto(writer, update, known === undefined)
  const step = writer.done()
  const tasks =
    known === undefined
      ? [...state.tasks, step.state].slice(-MAX_TASKS)
      : state.tasks.map((task): ReceivedTask => (task === known ? step.state : task))
  return { ...step, state: { tasks } }
}

function initialTask(update: Update, contextId: string | undefined): ReceivedTask {
  return {
    id: update.taskId,
    contextId: contextId ?? update.contextId,
    state: 'submitted',
    timestamp: ('status' in update ? update.status.timestamp : undefined) ?? NO_TIME,
    openArtifacts: [],
    completeArtifacts: [],
    usedRequestIds: [],
    resume: -1,
    textFiles: [],
    storedLength: 0,
  }
}

function readInto(writer: TaskEventWriter, update: Update, isNew: boolean): void {
  if (update.type === 'task') {
    readTask(writer, update, isNew)
    return
  }
  if (isNew) writer.emitDraft({ kind: 'task-created', initiator: 'user' })
  const embedded = fromExtension(update.metadata)
  const target = embedded === undefined ? writer : new TaskEventWriter(writer.state)
  if (update.type === 'status') readStatus(target, update.status)
  else if (update.type === 'artifact') {
    const { artifact, append, last } = update
    readArtifact(target, artifact, { append, last, isSnapshot: false })
  } else readMessage(target, update, isNew)
  if (embedded === undefined) return
  // The update changes the state, but its embedded events are emitted instead of those read from it.
  writer.adoptState(target)
  restoreEvents(writer, embedded, target.out)
}

/** Reads a task: a new one, or the current state of a known one. */
function readTask(writer: TaskEventWriter, update: TaskUpdate, isNew: boolean): void {
  const { status, artifacts, metadata } = update
  const extension = fromTaskExtension(metadata)
  const isUnread = extension !== undefined && extension.resume > writer.state.resume
  if (isUnread) writer.state.resume = extension.resume
  const events = isUnread ? extension.events : []
  const creation = isNew ? events.filter(({ kind }) => kind === 'task-created') : []
  restoreEvents(writer, creation, [])
  if (isNew && creation.length === 0) {
    const rest = withoutExtension(metadata)
    writer.emitDraft({
      kind: 'task-created',
      initiator: 'user',
      ...(rest !== undefined && { metadata: rest }),
    })
  }
  for (const artifact of artifacts) {
    const last = isTerminal(status.state)
    readArtifact(writer, artifact, { append: false, last, isSnapshot: true })
  }
  const others = events.filter(({ kind }) => kind !== 'task-created')
  if (isNew || !isUnread) readStatus(writer, status)
  else {
    // The embedded events replace the one that the status alone would yield.
    const target = new TaskEventWriter(writer.state)
    readStatus(target, status)
    writer.adoptState(target)
  }
  restoreEvents(writer, others, [])
}

/** Reads a message: the whole answer if there is no task, otherwise a segment of content. */
function readMessage(writer: TaskEventWriter, { message }: MessageUpdate, isNew: boolean): void {
  const content = textOf(message)
  for (const [i, part] of message.parts.entries()) {
    if (part.type === 'text') continue
    const artifact = { artifactId: `${message.messageId}/${i + 1}`, parts: [part] }
    readArtifact(writer, artifact, { append: false, last: true, isSnapshot: false })
  }
  if (content !== undefined) {
    completeAll(writer)
    writer.emitDraft({ kind: 'content-complete', content })
  }
  if (!isNew) return
  writer.state.state = 'completed'
  writer.emitDraft({ kind: 'task-complete', ...(content !== undefined && { content }) })
}
