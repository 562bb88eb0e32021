/** The state of `fromAgentEvents`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { EventContext } from '../../../events/event.ts'
import { noOpenCalls, type OpenCall, type OpenCalls } from '../wire/open-calls.ts'

export interface FromAgentEventsState {
  /** `new`: before the first event. `ended`: after the end of the run. */
  readonly phase: 'new' | 'running' | 'ended'
  /** The context of all events. Empty before the first one. */
  readonly context: EventContext
  /** The conversation, as a control message states it; `null` before one. */
  readonly conversationId: string | null
  /** The run that the events name; `null` if they name none. */
  readonly runId: string | null
  /** The highest `seq` so far; 0 before one. */
  readonly seq: number
  /** The latest `at` so far; 0 before one. */
  readonly at: number
  /** The message that the events name, as last carried; `null` if they name none. */
  readonly messageId: string | null
  /** Whether the times are those of the host, as the first event had none. */
  readonly isHostTime: boolean
  /** The text of the current segment. */
  readonly segmentText: string
  /** The number of deltas in the current segment. */
  readonly deltaCount: number
  readonly callCount: number
  readonly thoughtCount: number
  readonly openCalls: OpenCalls<CallInProgress>
  /** What has been mapped of the snapshots of the run. */
  readonly view: MappedView
  /** The ids of calls. */
  readonly usedIds: BoundedMap<true>
}

/** A call without a result. */
export interface CallInProgress extends OpenCall {
  /** The id in the output. */
  readonly id: string
  /** The highest progress so far, 0 to 1. */
  readonly progress: number
}

/** What has been mapped of the latest snapshot. */
export interface MappedView {
  /** Position of the last step. */
  readonly step: number
  /** The length of its thought, the id of its call, the number of its progress items, whether it has a result. */
  readonly thought: number
  readonly callId: string
  readonly progress: number
  readonly hasResult: boolean
  /** The length of the text, and the number of hooks. */
  readonly content: number
  readonly hooks: number
  /** The audio and the question, as JSON text. */
  readonly audio: string
  readonly awaitingInput: string
}

/** The part of {@link MappedView} on its last step. */
export const newStep = { thought: 0, callId: '' }

const newView: MappedView = {
  step: 0,
  ...newStep,
  progress: 0,
  hasResult: false,
  content: 0,
  hooks: 0,
  audio: 'null',
  awaitingInput: 'null',
}

export const initialState: FromAgentEventsState = {
  phase: 'new',
  context: { contextId: '', taskId: '' },
  conversationId: null,
  runId: null,
  seq: 0,
  at: 0,
  messageId: null,
  isHostTime: false,
  segmentText: '',
  deltaCount: 0,
  callCount: 0,
  thoughtCount: 0,
  openCalls: noOpenCalls,
  view: newView,
  usedIds: emptyBoundedMap,
}
