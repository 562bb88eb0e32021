/** The input and state of {@link fromSessionEvents}. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { Fields } from '../../../validation/predicates.ts'

/** An event of the session, decoded or not. A field of an unexpected type counts as missing. */
export interface SessionInput {
  /** The name of the event. */
  readonly event: string
  /** The content of the event. */
  readonly content?: unknown
  /** The metadata of the event. */
  readonly metadata?: unknown
  /** When the event was created: RFC 3339, with or without zone. */
  readonly timestamp?: unknown
  /** The session. */
  readonly session_id?: unknown
  /** Links a question to its answer. */
  readonly step_id?: unknown
}

/** The state of {@link fromSessionEvents}. */
export interface FromSessionState {
  /** The session of the last event that stated one. Empty before the first. */
  readonly session: string
  /** The sessions by their ids. */
  readonly sessions: BoundedMap<SessionState>
  /** How often an id of a task, thought, call or question was used, by context, type and id. */
  readonly ids: BoundedMap<number>
}

/** The state of one session: its round of planning and solving. */
export interface SessionState {
  /** The context of its events. */
  readonly contextId: string
  /** The latest timestamp of its events. */
  readonly timestamp: string
  /** Number of rounds so far. */
  readonly roundCount: number
  /** The task of the open round, or `null`. */
  readonly taskId: string | null
  /** The stage of the round. `ending`: the pipeline has completed, the final answer may follow. */
  readonly stage: 'asked' | 'planned' | 'solving' | 'ending'
  /** The ids of planned tasks that are not cancelled; `null` without a known plan. */
  readonly plannedTasks: readonly string[] | null
  /** The open texts by their ids; the text without an id has the key `''`. */
  readonly texts: BoundedMap<OpenText>
  /** Hash of the text that was completed last; `null` before the first. */
  readonly lastText: number | null
  /** The open tool calls and questions, by type and id of the session. */
  readonly calls: BoundedMap<Call>
  /** Number of texts and calls so far, by which they are ordered. */
  readonly openedCount: number
  /** Number of thoughts of the round so far. */
  readonly thoughtCount: number
  /** The final answer of the round, as the fields of `task-complete`, or `null`. */
  readonly answer: Readonly<Fields> | null
  /** The last error of the round, or `null`. */
  readonly lastError: ErrorInfo | null
  /** How the last round ended; `null` before the first end. */
  readonly lastEnd: RoundEnd | null
}

/** The end of a round. */
export interface RoundEnd {
  readonly status: 'completed' | 'failed' | 'canceled'
  /** Hash of the final answer; `null` without one. */
  readonly answer: number | null
  /** The `seq` of the event that ended it; -1 if it had none. */
  readonly seq: number
}

/** An open text. */
export interface OpenText {
  readonly contentId: string | null
  /** The index of the next delta. */
  readonly nextIndex: number
  /** The text of the deltas so far. */
  readonly text: string
  /** The step of its first part; empty if that states none. */
  readonly stepId: string
  /** Its position among the texts and calls of the round. */
  readonly order: number
}

/** An open tool call or question. */
export interface Call {
  /** Its id in the core vocabulary. */
  readonly id: string
  /** The name of the tool; `null` for a question. */
  readonly name: string | null
  /** The progress so far, from 0 to 1. */
  readonly progress: number
  /** Its position among the texts and calls of the round. */
  readonly order: number
}

/** The state before the first event. */
export const initialState: FromSessionState = {
  session: '',
  sessions: emptyBoundedMap,
  ids: emptyBoundedMap,
}

/** The context of sessions without an id. */
export const DEFAULT_CONTEXT = 'session'

/** The state of a session before its first event. */
export function sessionIn(contextId: string): SessionState {
  return betweenRounds({ contextId, timestamp: '1970-01-01T00:00:00Z', roundCount: 0, lastEnd: null })
}

/** The state of a session without an open round. */
export function betweenRounds({
  contextId,
  timestamp,
  roundCount,
  lastEnd,
}: Pick<SessionState, 'contextId' | 'timestamp' | 'roundCount' | 'lastEnd'>): SessionState {
  return {
    contextId,
    timestamp,
    roundCount,
    taskId: null,
    stage: 'asked',
    plannedTasks: null,
    texts: emptyBoundedMap,
    lastText: null,
    calls: emptyBoundedMap,
    openedCount: 0,
    thoughtCount: 0,
    answer: null,
    lastError: null,
    lastEnd,
  }
}

/** A copy of a state. Written out: spreading is slow. */
export function copySession(state: SessionState): SessionState {
  return {
    contextId: state.contextId,
    timestamp: state.timestamp,
    roundCount: state.roundCount,
    taskId: state.taskId,
    stage: state.stage,
    plannedTasks: state.plannedTasks,
    texts: state.texts,
    lastText: state.lastText,
    calls: state.calls,
    openedCount: state.openedCount,
    thoughtCount: state.thoughtCount,
    answer: state.answer,
    lastError: state.lastError,
    lastEnd: state.lastEnd,
  }
}
