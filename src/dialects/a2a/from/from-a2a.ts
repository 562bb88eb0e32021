/** From A2A to turnstream events. */

import { apiOf } from '../../../core/apis.ts'
import {
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { JsonMessage } from '../../../core/json-message.ts'
import type { Diagnostic, Machine, Step } from '../../../core/machine.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import {
  describeValue,
  mismatch,
  optional,
  requireBoolean,
  requireFunction,
  requireOnly,
  requireText,
} from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { readClock } from '../../../validation/callbacks.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import type { ShowErrors } from '../../shared/labels.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { reader } from '../../shared/reader.ts'
import { readExtension } from '../wire/extension.ts'
import { Losses } from '../wire/losses.ts'
import { isInterrupted, isTerminal, type Message, type Update } from '../wire/model.ts'
import { parseItem } from '../wire/parse.ts'
import { openSlots } from './emit-diff.ts'
import { TaskEventWriter } from './event-writer.ts'
import { isTakenByOther } from './output-id.ts'
import { messageOf } from './posted.ts'
import { readEvents } from './read-events.ts'
import { createFromRequest, readPlain } from './read-task.ts'
import { type FromA2aState, initialTask, originalId, type ReceivedTask } from './state.ts'

/** An item of a stream of A2A 0.3 or 1.0, a JSON-RPC response around it, or a task that was requested by itself. */
export interface A2aInput {
  readonly jsonrpc?: unknown
  readonly result?: unknown
  readonly error?: unknown
  /** Of 0.3: the type of the item. */
  readonly kind?: unknown
  /** Of 1.0: the item, by its type. */
  readonly task?: unknown
  readonly message?: unknown
  readonly statusUpdate?: unknown
  readonly artifactUpdate?: unknown
  /** Of the REST form of 0.3. */
  readonly msg?: unknown
  /** Of a task by itself. */
  readonly status?: unknown
}

/** A request with a message: its parameters, or the JSON-RPC request around them. */
export interface A2aRequest {
  readonly message?: object
  readonly params?: { readonly message?: object }
}

/** Options of {@link fromA2a}. */
export interface FromA2aOptions extends ShowErrors {
  /** The context of the events. Defaults to that of the stream, or the id of the task if it has none. */
  readonly contextId?: string
  /**
   * The request that was posted, as agents seldom repeat it: the parameters of `SendMessage` or `message/stream`, or the
   * JSON-RPC request around them. Its message is the input of the task that it begins, or answers the task that it names.
   * Omitted: what the agent does not repeat is unknown.
   */
  readonly request?: A2aRequest
  /**
   * Whether to read what `toA2a` with `extension: true` writes: the original events, under {@link a2aExtensionUri}. Only
   * for agents that are trusted, as they then choose all fields of the events but the ids of task and context, such as
   * who answered which request. `false`: A2A itself is read, and the events are reported as `dropped:extension`.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
  /**
   * The clock, for events that A2A states no time for: all but those of a status. Returns the current time as
   * milliseconds since 1970, or as an RFC 3339 date-time with time zone. These events have the time of the agent: that of
   * the last status, and what has passed since.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: () => number | string
}

/**
 * Maps an A2A stream of either version to turnstream events, as a client does.
 *
 * The input is parsed JSON: the JSON of 0.3, its REST form, or 1.0, with or without a JSON-RPC response around it, and
 * the task that `tasks/get` and `GetTask` answer with. A task that is sent again, as after a re-subscription, yields
 * only what is new: reading a stream gives the same texts, artifacts and result as reading the task it leads to.
 *
 * Each run of parts of the same type, name and media type in an artifact becomes one output. Text becomes content with
 * the artifact's id as its `contentId` (none for the text that {@link toA2a} writes without one), or a file if its part
 * has a name; bytes and URLs become files, lists of objects datasets, other data records. The first output has the id
 * of the artifact as its `artifactId`, the others `id/2`, `id/3` and so on; one that another output of the context has
 * gets `@2` at its end. Parts of messages that are no text become outputs in the same way. Parts of bytes without a
 * name are files of their own: chunks of one file have its name. What events have no field for is in the `metadata` of the event, under `a2a`, by the object
 * of A2A that has it, or in a diagnostic.
 *
 * With `extension: true`, an item with events under {@link a2aExtensionUri} yields exactly these events, each once. If some are missing, or A2A
 * shows more than they wrote, A2A itself is read from then on, and of the events only those A2A has no equivalent for.
 *
 * Diagnostics:
 *
 * - `dropped:error`: a JSON-RPC error response after the end of the task; `detail.error` is the error. Before it is a `task-error`; without
 *   a task, of one that fails
 * - `lossy:request`: an update of another context or task than the option `request` has is left out
 * - `dropped:extension`: the events of the extension, as the option `extension` is not set
 * - `dropped:update`: the input is not an item of an A2A stream; `detail.value` is the input
 * - `dropped:<type>`, `dropped:<kind>`: an update or event is left out; see `detail.reason`, of an update `detail.value`
 * - `lossy:<field>`: a field is left out or changed; see `path` or `detail`
 * - `lossy:parts`: parts were removed, replaced by others of another type, or replaced in a text that another one with its id
 *   followed, and events keep the old ones as well
 * - `lossy:artifactId`: bytes were appended to a complete file that is too long to store, and become another one; or the
 *   stream ended before an artifact had an event
 * - `inferred:<what>`: A2A does not state a value, such as the `userId` of who answered
 * - `invalid-event`: the extension holds an invalid event; `detail` lists the issues
 * - `gap`: events of the extension are missing, or the stream ended before its task did; subscribe to it again
 * - `state-evicted`: too many artifacts or messages to remember
 *
 * @throws TypeError if `contextId` is not a non-empty string, `now` is not a function, or it returns no time.
 *
 * @example
 * ```ts
 * const reader = pipe(jsonDecoder(), fromA2a())
 * for await (const event of iterate(reader, response.body)) render(event)
 * ```
 */
export function fromA2a(
  options: FromA2aOptions = {},
): Machine<MachineState<'fromA2a'>, A2aInput | JsonMessage, ContextAnyEvent> {
  requireOnly('options', options, ['contextId', 'request', 'extension', 'showErrors', 'now'])
  const { contextId, extension = false, showErrors, now = Date.now } = options
  optional(requireText, 'contextId', contextId)
  const posted = messageOf(options.request)
  if (options.request !== undefined && posted === undefined)
    throw mismatch('request', 'a request with a message of A2A', options.request)
  requireBoolean('extension', extension)
  optional(requireBoolean, 'showErrors', showErrors)
  requireFunction('now', now)
  const clock = (): string => readClock(now)
  // The events have the context of the option: that of the agent stands for the same.
  const request = contextId === undefined ? posted : posted && { ...posted, contextId: undefined }
  const machine: Machine<FromA2aState, A2aInput, ContextAnyEvent> = {
    initial: { tasks: emptyBoundedMap },
    step(state, input) {
      const losses = new Losses()
      const parsed = parse(input, losses)
      switch (parsed.type) {
        case 'error':
          return readError(state, parsed.error, { contextId, extension, clock, request })
        case 'unknown': {
          const message = `Expected an item of an A2A stream, got ${describeValue(input)}.`
          return ignore(state, 'dropped:update', message, { reason: 'unknown-kind', value: input })
        }
        case 'update':
          return (
            leaveOutOther(state, posted, parsed.update, input) ??
            readUpdate(state, parsed.update, input, losses.diagnostics, {
              contextId,
              extension,
              clock,
              request,
            })
          )
      }
    },
    end(state) {
      const diagnostics = [...boundedValues(state.tasks)].flatMap(endOf)
      return diagnostics.length === 0 ? { state, out: [] } : { state, out: [], diagnostics }
    },
  }
  return reader(names, machine, { isTrusted: extension, showErrors })
}

/** As `apiOf` has them. */
const names = ['A2A', 'A2A or MCP'] as const

function parse(input: unknown, losses: Losses): ReturnType<typeof parseItem> {
  try {
    // Others have messages, too.
    return isFields(input) && !['', ...names].includes(apiOf(input))
      ? { type: 'unknown' }
      : parseItem(input, losses)
  } catch {
    // A value with a getter or proxy that throws.
    return { type: 'unknown' }
  }
}

function ignore(
  state: FromA2aState,
  code: string,
  message: string,
  detail: unknown,
): Step<FromA2aState, ContextAnyEvent> {
  return { state, out: [], diagnostics: [{ code, message, path: '', detail }] }
}

/** How updates are read. */
interface Reading {
  readonly contextId: string | undefined
  readonly extension: boolean
  readonly clock: (() => string) | undefined
  readonly request: Message | undefined
}

/** Reads an error of JSON-RPC: what became of the request. */
function readError(
  state: FromA2aState,
  error: unknown,
  { contextId: given, clock, request }: Reading,
): Step<FromA2aState, ContextAnyEvent> {
  const known = [...boundedValues(state.tasks)].at(-1)
  const { code, message: text, ...details } = fieldsOf(error)
  const info = {
    code: typeof code === 'number' ? `jsonrpc${code}` : 'provider_error',
    message: typeof text === 'string' ? text : 'The agent refused the request.',
    retry: 'terminal',
    ...(Object.keys(details).length > 0 && { details }),
  } as const
  if (known !== undefined && isTerminal(known.state)) {
    const message = 'Received a JSON-RPC error response after the end of the task.'
    return ignore(state, 'dropped:error', message, { reason: 'after-end', error })
  }
  const taskId = known?.taskId ?? request?.taskId ?? request?.messageId ?? 'request'
  const contextId = request?.contextId ?? taskId
  const update: Update = { type: 'status', taskId, contextId, status: { state: 'failed' } }
  const writer = new TaskEventWriter(known ?? initialTask(update, given), clock, undefined, request)
  if (known !== undefined) writer.emitWith({ kind: 'task-error', error: info })
  else {
    createFromRequest(writer)
    writer.state.state = 'failed'
    writer.emitWith({ kind: 'task-status', status: 'failed', message: info.message, error: info })
  }
  const { state: next, ...step } = writer.done()
  return { state: { tasks: boundedSet(state.tasks, taskId, next, MAX_ITEMS).map }, ...step }
}

/**
 * Leaves out an update of another task or context than the request states, or of another context than the agent has given to
 * the task. Agents may omit the context, and of messages both.
 */
function leaveOutOther(
  state: FromA2aState,
  posted: Message | undefined,
  update: Update,
  input: unknown,
): Step<FromA2aState, ContextAnyEvent> | undefined {
  if (posted === undefined) return undefined
  const { taskId, contextId } = update.type === 'message' ? update.message : update
  const expected = posted.contextId ?? boundedGet(state.tasks, update.taskId)?.ownContextId
  for (const [field, known, id] of [
    ['taskId', posted.taskId, taskId],
    ['contextId', expected, contextId === taskId ? undefined : contextId],
  ] as const) {
    if (known === undefined || id === undefined || known === id) continue
    const message = `Expected the ${field} of the request, ${describeValue(known)}, got ${describeValue(id)}.`
    return ignore(state, 'lossy:request', message, { [field]: id, value: input })
  }
  return undefined
}

function readUpdate(
  state: FromA2aState,
  update: Update,
  input: unknown,
  losses: readonly Diagnostic[],
  { contextId, extension, clock, request: posted }: Reading,
): Step<FromA2aState, ContextAnyEvent> {
  const metadata = update.type === 'message' ? update.message.metadata : update.metadata
  const carried = readExtension(metadata)
  const events = extension ? carried : undefined
  const known = boundedGet(state.tasks, update.taskId)
  if (known !== undefined && isTerminal(known.state)) {
    const isRepeated = events !== undefined && events.first + events.events.length <= known.next
    return isRepeated ? { state, out: [] } : readLate(state, known, update, input)
  }
  const task = known ?? initialTask(update, contextId)
  const isTaken = (id: string): boolean => isTakenByOther(state, task, id)
  const writer = new TaskEventWriter(task, clock, isTaken, posted)
  for (const loss of losses) writer.diagnostics.push(loss)
  if (carried !== events) {
    writer.dropped('extension', 'extension', 'The option "extension" is not set.')
  }
  const { contextId: other } = update
  if (contextId === undefined && other !== writer.state.contextId && other !== update.taskId) {
    writer.lossy('contextId', `Expected context ${describeValue(writer.state.contextId)}.`, other)
  }
  const hasEvents = events !== undefined || (writer.state.next > 0 && !writer.state.hasGap)
  if (!hasEvents) readPlain(writer, update, known === undefined)
  else readEvents(writer, update, events, known === undefined)
  writer.finish()
  const { state: next, ...step } = writer.done()
  return { state: { tasks: boundedSet(state.tasks, update.taskId, next, MAX_ITEMS).map }, ...step }
}

/** Reads an update of a task that has ended: nothing may follow, so only what is new is reported. */
function readLate(
  state: FromA2aState,
  known: ReceivedTask,
  update: Update,
  input: unknown,
): Step<FromA2aState, ContextAnyEvent> {
  if (update.type === 'task') {
    const writer = new TaskEventWriter(known)
    readPlain(writer, update, false)
    if (writer.out.length === 0) {
      writer.finish()
      return { state, out: [], diagnostics: writer.diagnostics }
    }
  }
  const message = `Expected nothing after the end of task ${describeValue(known.taskId)}, got type ${update.type}.`
  return ignore(state, `dropped:${update.type}`, message, { reason: 'after-end', value: input })
}

/** What is missing of a task at the end of the stream. */
function endOf(task: ReceivedTask): Diagnostic[] {
  const { taskId, state, adkError: error } = task
  const missing: Diagnostic[] = []
  if (!isTerminal(state) && !isInterrupted(state)) {
    const message = `The stream ended before task ${describeValue(taskId)} did; subscribe to it again.`
    missing.push({ code: 'gap', message, detail: { taskId, ...(error && { error }) } })
  }
  for (const [{ artifactId: id }, { carried, nextIndex }] of openSlots({ state: task })) {
    const message = 'The stream ended before the event that ends a text.'
    const isUnnamed = nextIndex === 0
    const detail = isUnnamed ? { artifactId: originalId(id), ...carried } : carried
    if (detail) missing.push({ code: isUnnamed ? 'lossy:artifactId' : 'lossy:metadata', message, detail })
  }
  return missing
}
