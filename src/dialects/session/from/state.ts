/** The input and state of {@link fromSessionEvents}. */
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
  /** The context of the events. Empty before the first. */
  readonly contextId: string
  /** Number of rounds so far. */
  readonly roundCount: number
  /** The task of the open round, or `null`. */
  readonly taskId: string | null
  /** The stage of the round. `ending`: the pipeline has completed, the final answer may follow. */
  readonly stage: 'asked' | 'planned' | 'solving' | 'ending'
  /** The ids of planned tasks that are not cancelled; `null` without a known plan. */
  readonly plannedTasks: readonly string[] | null
  /** The open text segments, in the order in which they began; at most 256. */
  readonly segments: readonly OpenSegment[]
  /** Number of thoughts of the round so far. */
  readonly thoughtCount: number
  /** Tool calls and questions, open or not, oldest first: at most 1024. */
  readonly calls: readonly Call[]
  /** The final answer of the round, as the fields of `task-complete`, or `null`. */
  readonly answer: Readonly<Fields> | null
  /** The last error of the round, or `null`. */
  readonly lastError: ErrorInfo | null
  /** The timestamp of the last event that had one. */
  readonly timestamp: string
}

/** An open text segment. */
export interface OpenSegment {
  /** `null` for the text without an id. */
  readonly contentId: string | null
  /** The index of the next delta. */
  readonly nextIndex: number
  /** The text of the deltas so far. */
  readonly text: string
}

/** A tool call or a question. */
export interface Call {
  /** Its key in the session: `call` or `input`, a space and its id. */
  readonly key: string
  /** Its id in the core vocabulary. */
  readonly id: string
  /** The name of the tool. Empty for a question. */
  readonly name: string
  /** Whether it has not ended. */
  readonly open: boolean
}

/** The state before the first event. */
export const initialState: FromSessionState = {
  contextId: '',
  roundCount: 0,
  taskId: null,
  stage: 'asked',
  plannedTasks: null,
  segments: [],
  thoughtCount: 0,
  calls: [],
  answer: null,
  lastError: null,
  timestamp: '1970-01-01T00:00:00Z',
}
