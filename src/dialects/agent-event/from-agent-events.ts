/** From what an agent sends to events of the core vocabulary. */
import type { ContextAnyEvent, EventContext } from '../../events/event.ts'
import { requireContext } from '../../events/stamp.ts'
import type { TaskInitiator } from '../../events/task.ts'
import type { Machine } from '../../machine.ts'
import { decodeAgentEvent } from './decode.ts'
import { notKnown, stepTo } from './notes.ts'
import type { OpenCall } from './open-calls.ts'
import type { ProgressReading } from './progress.ts'
import { TaskWriter } from './task-writer.ts'
import type { AgentEvent, AgentToolProgressEvent, UnknownAgentEvent } from './types.ts'

/** What {@link fromAgentEvents} adds, as the dialect has neither ids nor times. */
export interface FromAgentEventsOptions extends Partial<EventContext> {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * text with zone. Absent: every event is of 1970-01-01T00:00:00Z, with the note
   * `assumed:timestamp`.
   */
  readonly now?: () => Date | number | string
  /**
   * Makes an id that is unique in the context. Absent: calls and thoughts are numbered after the
   * task, as in `task-7:call-1`, so that the same stream gives the same ids.
   */
  readonly newId?: () => string
  /** Who started the run. Absent: `agent` when there is a `parentTaskId`, otherwise `user`. */
  readonly initiator?: TaskInitiator
  /**
   * Reads what a tool means by the `data` of its `tool_progress`, which the dialect leaves open. Must
   * not change it. Absent, or for what it does not tell: no more than that the tool runs.
   */
  readonly readProgress?: (event: AgentToolProgressEvent) => ProgressReading | undefined
  /**
   * How much text one segment of the answer may have, in UTF-16 units: its `content-complete` repeats
   * it. Beyond it the next segment begins.
   * @defaultValue 16 Mi
   */
  readonly maxContentLength?: number
}

/** Where {@link fromAgentEvents} stands between two events. */
export interface FromAgentEventsState {
  /** `new`: nothing said yet. `ended`: after `final` or `error`. */
  readonly phase: 'new' | 'running' | 'ended'
  readonly contextId: string
  readonly taskId: string
  /** The calls without a result, in order. At most 1024. */
  readonly open: readonly CallInProgress[]
  /** The text of the segment so far. */
  readonly content: string
  /** How many deltas that is. */
  readonly deltas: number
  /** How many calls and thoughts there were. */
  readonly calls: number
  readonly thoughts: number
}

/** A call without a result. */
export interface CallInProgress extends OpenCall {
  /** How far it has come: progress never falls. */
  readonly progress: number
}

/**
 * Says what one agent sends in the core vocabulary: a run becomes a task.
 *
 * The task begins with the first event: `task-created`, then `working`. `final` becomes `completed`
 * and `task-complete`; `error` becomes `failed`. The pieces of the answer up to a tool call or the end
 * are one segment. What a tool says in `data` is kept untouched in `metadata.data` of its
 * `tool-progress`; the text of the arguments in `metadata.toolArgs` of its `tool-start`, next to the
 * parsed ones; `output` is the `result` as it is, or the `error`.
 *
 * Results and progress belong to the call of their `toolCallId`, and without one to the oldest open
 * call of their tool.
 *
 * Never throws on data. Values that are no event are left out with the note `invalid-event`, unknown
 * types with `dropped:<type>`. Other notes:
 *
 * - `dropped:<type>`: it follows the end, or no call it could belong to is open
 * - `lossy:<field>`: a field this dialect does not define
 * - `invalid-arguments`: `toolArgs` is not the text of a JSON object, or nested more than 1000 deep;
 *   `arguments` is then empty
 * - `duplicate-call-id`: an id names a call that is still open; the new one gets another
 * - `open-tool-calls`: calls without a result at `final`
 * - `too-many-open-calls`: more than 1024 calls without a result; the oldest is forgotten
 * - `truncated`: the stream ends without `final` or `error`
 * - `assumed:contextId`, `assumed:taskId`, `assumed:timestamp`: neither given, nor a way to make it
 *
 * @throws TypeError when an id is given but empty, or a limit is not a whole number of at least 1.
 *
 * @example
 * ```ts
 * const machine = fromAgentEvents({ contextId: 'ctx-1', taskId: 'task-1', now: Date.now })
 * for await (const event of iterate(machine, agent.call(memory))) send(event)
 * ```
 */
export function fromAgentEvents(
  options: FromAgentEventsOptions = {},
): Machine<FromAgentEventsState, AgentEvent | UnknownAgentEvent, ContextAnyEvent> {
  const { maxContentLength = 16 * 1024 * 1024 } = options
  if (!Number.isSafeInteger(maxContentLength) || maxContentLength < 1) {
    throw new TypeError('maxContentLength must be a whole number of at least 1.')
  }
  requireContext({ contextId: 'context', taskId: 'task', ...options })
  return {
    initial,
    step(state, input) {
      const decoded = decodeAgentEvent(input)
      if (decoded.status !== 'known') return { state, out: [], notes: [notKnown(decoded)] }
      const writer = new TaskWriter(state, options, maxContentLength)
      writer.take(decoded.event)
      return stepTo(writer.state, writer.out, writer.notes)
    },
    end(state) {
      if (state.phase !== 'running') return { state, out: [] }
      const message = 'The stream ended without final or error.'
      return { state, out: [], notes: [{ code: 'truncated', message }] }
    },
  }
}

const initial: FromAgentEventsState = {
  phase: 'new',
  contextId: '',
  taskId: '',
  open: [],
  content: '',
  deltas: 0,
  calls: 0,
  thoughts: 0,
}
