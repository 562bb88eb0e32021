/** Maps the session protocol to the core vocabulary. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import type { JsonMessage } from '../../../core/json-message.ts'
import type { Diagnostic, Machine, Step } from '../../../core/machine.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import {
  describeValue,
  optional,
  requireBoolean,
  requireFunction,
  requireOnly,
  requireText,
} from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { readClock } from '../../../validation/callbacks.ts'
import type { Fields } from '../../../validation/predicates.ts'
import type { ShowErrors } from '../../shared/labels.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { reader } from '../../shared/reader.ts'
import { isBefore, parseTimestamp } from '../../shared/timestamp.ts'
import { applyAliases } from '../wire/aliases.ts'
import { readNamed } from '../wire/coerce.ts'
import { agentConversions } from './agent.ts'
import { errorConversions } from './errors.ts'
import { pipelineConversions } from './pipeline.ts'
import { carryRest } from './rest.ts'
import { closeRound } from './round.ts'
import { type Conversions, RoundWriter } from './round-writer.ts'
import {
  DEFAULT_CONTEXT,
  type FromSessionState,
  initialState,
  type SessionInput,
  type SessionState,
  sessionIn,
} from './state.ts'

/** Options of {@link fromSessionEvents}. */
export interface FromSessionOptions extends ShowErrors {
  /** The context of all events. Defaults to the `session_id` of each session. */
  readonly contextId?: string
  /** The clock for events without a timestamp. Omitted: such events repeat the previous timestamp. */
  readonly now?: () => Date | number | string
}

const TOOL = /^agent\.tool_(call|result)$/

const conversions: Conversions = { ...pipelineConversions, ...agentConversions, ...errorConversions }

/**
 * Maps the events of sessions, of both sides or of the server alone, to core events. Accepts the known events of
 * `decodeSessionEvent` in either mode, unknown ones, and events as real servers send them, without decoding. A timestamp
 * without time zone, as of Python's `isoformat()`, is read as UTC. Several sessions may share a connection: each `session_id`
 * has its own context and its own rounds. An event without one belongs to the session of the previous event.
 *
 * A round of planning and solving maps to a task, from `user.message`, `user.solve_tasks` or `plan.start` to
 * `pipeline.completed`; if that precedes the final answer, the end of the task waits for the answer. A run without
 * solving ends with its final answer. `agent.error` and `agent.timeout` fail the task, `agent.interrupted` cancels
 * it; an `agent.error` that only refuses a request of the client maps to `task-error`. A round that ends only
 * because another starts or the stream ends is completed if it had a final answer, failed after an error that was not
 * retried, and otherwise canceled.
 *
 * The plan, the results of solving and the aggregated result map to `data-write`, errors to `task-error`, and overall
 * progress to `task-status`. Servers that merge partial answers lose text: if the final answer continues the text so
 * far, the rest follows as one more delta; if it differs, it follows as a segment of its own.
 *
 * Fields without an equivalent are in `metadata.session` of the event, as `{ event, content, metadata, … }`. Those about
 * delivery, such as `seq` and `event_id`, are not carried: `sessionReceiver` reads them.
 *
 * Diagnostics:
 *
 * - `lossy:<path>`: the field is neither mapped nor carried, as the event maps to none with metadata.
 *   `lossy:step_id`: the parts of a text, or the answer that ends it, state several steps; `detail` is the one that is
 *   not carried
 * - `dropped:<name>`: the event was dropped; `detail.reason` is `no-equivalent`, `no-open-task`, `no-open-question`,
 *   `after-end`, `repeated` or `invalid-content`
 * - `inferred:<what>`: the session did not state an event, text, timestamp or `time-zone`, or stated it differently
 * - `gap`: the stream ends within a round
 * - `invalid-event`: the input has no event name and was dropped
 * - `state-evicted`: more than 4096 open calls, questions or texts, or more than 1024 sessions; the oldest are no
 *   longer tracked
 *
 * @throws TypeError if `contextId` is not a non-empty string or `now` is not a function; later if `now` returns no
 * valid time.
 */
export function fromSessionEvents(
  options: FromSessionOptions = {},
): Machine<MachineState<'fromSessionEvents'>, SessionInput | JsonMessage, ContextAnyEvent> {
  requireOnly('options', options, ['contextId', 'now', 'showErrors'])
  const { contextId, now, showErrors } = options
  optional(requireText, 'contextId', contextId)
  optional(requireFunction, 'now', now)
  optional(requireBoolean, 'showErrors', showErrors)
  const clock = now === undefined ? undefined : () => readClock(now)
  const machine: Machine<FromSessionState, SessionInput, ContextAnyEvent> = {
    initial: initialState,
    step(state, input) {
      const builder = new StepBuilder<FromSessionState, ContextAnyEvent>(state)
      const named = readNamed(builder, input)
      if (named === undefined) return builder.done()
      // Tool calls that were not decoded leniently have their name and arguments in the metadata.
      const event = TOOL.test(named.event)
        ? applyAliases(named.event, named as Fields & SessionInput, false).event
        : named
      const { session_id } = event
      const session = typeof session_id === 'string' && session_id !== '' ? session_id : state.session
      const sessions = resumed(state, event, session)
      const context = contextId ?? (session === '' ? DEFAULT_CONTEXT : session)
      const known = boundedGet(sessions, session) ?? sessionIn(context)
      const { timestamp, inferred } = timestampOf(event.timestamp, known, clock)
      const writer = new RoundWriter(known, event, state.ids)
      writer.update({ timestamp })
      const convert = Object.hasOwn(conversions, event.event) ? conversions[event.event] : undefined
      if (convert === undefined) writer.droppedEvent()
      else convert(writer)
      const isDropped = writer.diagnostics.some(({ code }) => code.startsWith('dropped:'))
      if (!isDropped) carryRest(writer)
      if (inferred !== undefined && writer.out.length > 0) {
        writer.diagnostics.unshift({ ...inferred, path: '/timestamp' })
      }
      return stepOf(writer, sessions, session, session)
    },
    end(state) {
      const builder = new StepBuilder<FromSessionState, ContextAnyEvent>(state)
      for (const [session, round] of boundedEntries(state.sessions)) {
        if (round.taskId === null) continue
        const writer = new RoundWriter(round, { event: '' }, builder.state.ids)
        closeRound(writer, 'gap')
        builder.emit(...writer.out)
        builder.diagnostics.push(...writer.diagnostics)
        builder.state = stepOf(writer, builder.state.sessions, session, builder.state.session).state
      }
      return builder.done()
    },
  }
  return reader(['session'], machine, { showErrors })
}

/** The step with the state of one session replaced. */
function stepOf(
  writer: RoundWriter,
  known: FromSessionState['sessions'],
  session: string,
  latest: string,
): Step<FromSessionState, ContextAnyEvent> {
  const { map: sessions, hasEvicted } = boundedSet(known, session, writer.state, MAX_ITEMS)
  if (hasEvicted) {
    const message = `More than ${MAX_ITEMS} sessions; the oldest are no longer tracked.`
    writer.diagnostic('state-evicted', message)
  }
  const { out, diagnostics } = writer
  const next = { session: latest, sessions, ids: writer.ids }
  return diagnostics.length === 0 ? { state: next, out } : { state: next, out, diagnostics }
}

/** The sessions; a session that continues another one under a new id has the state of that. */
function resumed(
  { sessions }: FromSessionState,
  { event, metadata }: SessionInput,
  session: string,
): FromSessionState['sessions'] {
  const original = (metadata as { original_session_id?: unknown } | null | undefined)?.original_session_id
  if (event !== 'agent.state_restored' || typeof original !== 'string' || original === session)
    return sessions
  const state = boundedGet<SessionState>(sessions, original)
  if (state === undefined) return sessions
  return boundedSet(boundedDelete(sessions, original), session, state, MAX_ITEMS).map
}

/**
 * The timestamp of an event with a zone, and whether and how it was inferred. It is never before the latest of the open
 * round: servers send delayed events after later ones.
 */
function timestampOf(
  stated: unknown,
  { timestamp: latest, taskId }: SessionState,
  now: (() => string) | undefined,
): { timestamp: string; inferred?: Diagnostic } {
  const inUtc = parseTimestamp(stated)
  const timestamp = inUtc ?? now?.() ?? latest
  const actual = (stated ?? null) === null ? 'none' : describeValue(stated)
  if (taskId !== null && isBefore(timestamp, latest)) {
    const message = `Expected a timestamp of ${latest} or later, got ${actual}.`
    return { timestamp: latest, inferred: { code: 'inferred:timestamp', message } }
  }
  if (timestamp === stated) return { timestamp }
  const what = inUtc === undefined ? 'timestamp' : 'time-zone'
  const message = `Expected an RFC 3339 timestamp with time zone, got ${actual}.`
  return { timestamp, inferred: { code: `inferred:${what}`, message } }
}
