/** One round of a session as a task of the core: how it begins, is told and ends. */

import type { Diagnostic } from '../../../core/machine.ts'
import { stamp, unstamp } from '../../../emitter/stamp.ts'
import { checkEvent } from '../../../events/checks.generated.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { type Fields, isFields, isTimestamp } from '../../../validation/predicates.ts'
import { asFields, wordOf } from '../wire/coerce.ts'
import { EXTENSION } from '../wire/coverage.ts'
import { change } from '../wire/step.ts'

/** What {@link fromSessionEvents} remembers. */
export interface FromSessionState {
  /** The context of the events. Empty: not known yet. */
  readonly contextId: string
  /** How many rounds there were. */
  readonly rounds: number
  /** The task of the round under way. `null`: none. */
  readonly taskId: string | null
  /** Where the round stands: `ending` is told to be over, and its answer is still to come. */
  readonly stage: 'asked' | 'planned' | 'solving' | 'ending'
  /** Ids of planned tasks that are not cancelled. `null`: no plan told them. */
  readonly planned: readonly string[] | null
  /** The open segment of content. `null`: none. */
  readonly segment: {
    /** Index of the next delta. */
    readonly next: number
    /** What its deltas said. */
    readonly text: string
  } | null
  /** How many thoughts the round has told. */
  readonly thoughts: number
  /** Calls and questions, those that are over included, oldest first, up to 1024. */
  readonly calls: readonly Call[]
  /** The final answer of the round, as the fields of `task-complete`. `null`: none yet. */
  readonly answer: Readonly<Fields> | null
  /** The error told last in the round. */
  readonly error: ErrorInfo | null
  /** The time told last. */
  readonly at: string
}

/** A call of a tool, or a question. */
export interface Call {
  /** What the session calls it: `call` or `input`, a space and the id there. */
  readonly key: string
  /** What it is called in the core. */
  readonly id: string
  /** The tool. Empty: it is a question. */
  readonly name: string
  /** Whether its end is still to come. */
  readonly open: boolean
}

/** An event of the session, decoded or not. */
export interface SessionInput {
  /** The event’s name. */
  readonly event: string
  /** What it says. Whatever is of another form than expected counts as absent. */
  readonly content?: unknown
  /** What is known of it besides. */
  readonly metadata?: unknown
  /** When it was made: RFC 3339, also without zone. */
  readonly timestamp?: unknown
  /** The session. */
  readonly session_id?: unknown
  /** Ties a question to its answer. */
  readonly step_id?: unknown
}

/** One event of the session being converted. */
export interface Round {
  state: FromSessionState
  readonly out: ContextAnyEvent[]
  readonly diagnostics: Diagnostic[]
  readonly event: SessionInput
  /** Content and metadata as objects; empty where they are none. */
  readonly content: Fields
  readonly metadata: Fields
  /** What `toSessionEvents` kept of the core event. Absent: it was not made by that. */
  readonly core: Fields | undefined
}

export const noRound: FromSessionState = {
  contextId: '',
  rounds: 0,
  taskId: null,
  stage: 'asked',
  planned: null,
  segment: null,
  thoughts: 0,
  calls: [],
  answer: null,
  error: null,
  at: '1970-01-01T00:00:00Z',
}

export function roundOf(state: FromSessionState, event: SessionInput): Round {
  const metadata = asFields(event.metadata)
  const core = metadata[EXTENSION]
  return {
    state,
    out: [],
    diagnostics: [],
    event,
    content: asFields(event.content),
    metadata,
    core: isFields(core) ? core : undefined,
  }
}

export function diagnostic(round: Round, code: string, message: string, path?: string): void {
  round.diagnostics.push({ code, message, ...(path !== undefined && { path }) })
}

/** The event becomes nothing. */
export function drop(round: Round): void {
  diagnostic(round, `dropped:${round.event.event}`, 'The core has nothing for this.')
}

/**
 * Tells an event of the task. Besides `fields` it has what the session event kept of the core, or
 * else what can be derived. Says whether it was told: what fits neither way is dropped.
 */
export function tell(round: Round, kind: EventKind, fields: object, derived: object, core?: Fields): boolean {
  const { contextId, taskId, at: timestamp } = round.state
  for (const rest of core === undefined ? [derived] : [core, derived]) {
    const event = unstamp({ ...rest, ...fields, kind, timestamp } as unknown as ContextAnyEvent)
    if (checkEvent(kind, event as unknown as Fields) === true) {
      round.out.push(stamp(event, { contextId, taskId: taskId ?? '' }) as ContextAnyEvent)
      return true
    }
    if (rest === core) diagnostic(round, `repaired:${kind}`, 'metadata.core does not fit.', '/metadata/core')
  }
  drop(round)
  return false
}

/** A round begins. */
export function begin(round: Round, input: unknown, stage: FromSessionState['stage']): void {
  const { core, state } = round
  const rounds = state.rounds + 1
  const told = core?.taskId
  const taskId = typeof told === 'string' && told !== '' ? told : `${state.contextId}/round-${rounds}`
  const { contextId, calls, at } = state
  change(round, { ...noRound, contextId, calls, at, rounds, taskId, stage })
  const { model } = round.metadata
  const metadata = {
    ...(input !== undefined && { input }),
    ...(typeof model === 'string' && model !== '' && { model }),
  }
  const derived = { initiator: 'user', ...unlessEmpty(metadata) }
  tell(round, 'task-created', {}, derived, core?.initiator === undefined ? undefined : core)
}

/** Metadata that says something. */
export function unlessEmpty(metadata: object): { metadata?: object } {
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** Sees that a round is under way: one begins in the middle where the session was joined there. */
export function ensure(round: Round): void {
  if (round.state.taskId !== null) return
  diagnostic(round, 'repaired:task-created', 'The round begins in the middle.')
  begin(round, undefined, 'planned')
}

/** The open segment ends with the text that was told. */
export function closeSegment(round: Round): void {
  const { segment } = round.state
  if (segment === null) return
  tell(round, 'content-complete', {}, { content: segment.text })
  change(round, { segment: null })
}

/** The round ends. */
export function finish(
  round: Round,
  status: 'completed' | 'failed' | 'canceled',
  derived: object = {},
): void {
  closeSegment(round)
  closeCalls(round, status === 'completed')
  const told = endingOf(round.core?.ending)
  for (const { kind, timestamp, ...fields } of told) {
    change(round, { at: timestamp })
    tell(round, kind, fields, {})
  }
  if (told.length === 0) {
    tell(round, 'task-status', { status }, derived)
    if (status === 'completed' && round.state.answer !== null)
      tell(round, 'task-complete', {}, round.state.answer)
  }
  change(round, { taskId: null, answer: null })
}

type Ending = { kind: 'task-status' | 'task-complete'; timestamp: string }

/** What the core event said of the end, at most once each. */
function endingOf(ending: unknown): Ending[] {
  const list: unknown[] = Array.isArray(ending) ? ending.slice(0, 2) : []
  const events = list.filter(
    (event): event is Ending & Fields =>
      isFields(event) &&
      (event.kind === 'task-complete' ||
        (event.kind === 'task-status' && /^(completed|failed|canceled)$/.test(wordOf(event.status)))) &&
      checkEvent(event.kind, event) === true,
  )
  return events[0]?.kind === events[1]?.kind ? events.slice(0, 1) : events
}

/** A call that nothing more will be heard of has failed: the core owes each call a result. */
export function failCall(round: Round, call: Call): void {
  if (!call.open || !call.key.startsWith('call ')) return
  diagnostic(round, 'repaired:tool-complete', `The call ${call.id} got no result.`)
  const fields = { toolCallId: call.id, toolName: call.name, success: false }
  tell(round, 'tool-complete', fields, { error: 'No result was told.' })
}

/** What is open ends with the round. */
function closeCalls(round: Round, isCompleted: boolean): void {
  const { calls } = round.state
  if (!calls.some(({ open }) => open)) return
  if (isCompleted) for (const call of calls) failCall(round, call)
  change(round, { calls: calls.map((call) => ({ ...call, open: false })) })
}

/** The round that is under way, if any, is over, as nothing follows of it. */
export function close(round: Round): void {
  const { taskId, stage, answer } = round.state
  if (taskId === null) return
  const isDone = stage === 'ending' || answer !== null
  if (!isDone) diagnostic(round, 'repaired:task-status', 'The round has no end.')
  finish(round, isDone ? 'completed' : 'canceled')
}

/** The time of an event, with a zone, as the core asks for it; and what was done to it. */
export function timeOf(
  { event: { timestamp }, state }: Round,
  now: (() => string) | undefined,
): { at: string; repair?: Diagnostic } {
  if (isTimestamp(timestamp)) return { at: timestamp as string }
  const isLocal = typeof timestamp === 'string' && isTimestamp(`${timestamp}Z`)
  const message = isLocal ? 'Read as UTC.' : 'The event tells no time.'
  return {
    at: isLocal ? `${timestamp}Z` : (now?.() ?? state.at),
    repair: { code: 'repaired:timestamp', message, path: '/timestamp' },
  }
}
