/** The state of `toUiMessageStream`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { TaskStatus } from '../../../events/task-status.ts'
import type { Usage } from '../../../events/usage.ts'
import type { UiAuthData, UiInputData, UiSubtaskData } from '../wire/data-parts.ts'
import type { UiMessageChunk } from '../wire/types.ts'
import type { ArtifactRecord } from './artifact-record.ts'

/** At least this many open items of each sort are stored, and at most twice as many. */
export const MAX_ITEMS = 1024

/** The most characters of changed artifacts that are sent at once. */
export const MAX_CREDIT = 262_144

/**
 * The state of `toUiMessageStream`.
 *
 *     new ──▶ open ──waiting-input──▶ paused ──▶ open … ──completed, failed, canceled──▶ ended
 */
export interface ToUiState {
  /** `paused`: a `finish` was sent as the task waits; the next chunk is preceded by a `start`. */
  readonly phase: 'new' | 'open' | 'paused' | 'ended'
  /** The task that the message belongs to. `null` before the first event. */
  readonly taskId: string | null
  /** Whether a `start-step` is without its `finish-step`. */
  readonly hasStep: boolean
  /** Whether a call has ended in this step, so that what the model writes next is of another. */
  readonly isStepOver: boolean
  /** The number of the step, from 0; -1 before the first. */
  readonly step: number
  /** The iteration of what the step has. `null`: nothing states it. */
  readonly stepIteration: number | null
  /** Whether the step has what must stay when it begins again: calls that have started, data, files. */
  readonly stepStays: boolean
  /** The texts and thoughts of the step, to send them again. `null`: the step has other parts, or too many. */
  readonly stepTexts: readonly StepText[] | null
  /** Open texts, thoughts and calls of the task. */
  readonly openItems: number
  /** The number of the next text without an id, and of the next item of all. */
  readonly nextText: number
  readonly nextItem: number
  /** Open texts, by `contentId`; `''` is the one without. */
  readonly texts: BoundedMap<OpenText>
  /** Whether the task has sent a text. */
  readonly hasText: boolean
  /** Open thoughts, by `thoughtId`. */
  readonly thoughts: BoundedMap<OpenText>
  /** Calls that have not ended, and the ids of those that have. */
  readonly calls: BoundedMap<CallRecord>
  readonly endedCalls: BoundedMap<true>
  /** Requests, by `inputId` and `authId`. */
  readonly inputs: BoundedMap<InputRecord>
  readonly auths: BoundedMap<UiAuthData>
  readonly artifacts: BoundedMap<ArtifactRecord>
  /** The changed artifacts that have not been sent again. */
  readonly unsent: BoundedMap<true>
  /** How many characters of changed artifacts may be sent. */
  readonly credit: number
  /** The latest status of the task. `null` before the first. */
  readonly status: TaskStatus | null
  /** How many subtasks are working, or are about to, and how many wait for the user. */
  readonly working: number
  readonly asking: number
  /** Subtasks, by `taskId`. */
  readonly subtasks: BoundedMap<UiSubtaskData>
  /** The tokens of the responses so far, by model. */
  readonly usage: readonly Usage[]
  /** Sources sent so far. */
  readonly sources: number
  /** The finish reason of the latest text. `null` if unknown. */
  readonly finishReason: string | null
  /** Whether the task has completed, and its `finish` waits for the result. */
  readonly isFinishing: boolean
  /** Whether the losses that all events have were reported. */
  readonly hasReported: boolean
}

/** Whether a task with a status waits for the user. */
export function isAsking(status: TaskStatus | null): boolean {
  return status === 'waiting-input' || status === 'waiting-auth'
}

/** A text or thought of a step, as it was sent. */
export interface StepText {
  readonly type: 'text' | 'reasoning'
  /** Its id in the stream. */
  readonly id: string
  /** Its `contentId`; `''` is the text without one, and every thought. */
  readonly key: string
  readonly start: UiMessageChunk
  readonly text: string
  /** `null`: it is open. */
  readonly end: UiMessageChunk | null
}

/** A text or thought that has not ended. */
export interface OpenText {
  /** Its id in the stream. */
  readonly id: string
  /** The order in which the open items began. */
  readonly order: number
  /** The number of characters sent. */
  readonly length: number
  /** The index of the next delta. */
  readonly nextIndex: number
  /** The hash of what was sent; `null` once deltas are missing. */
  readonly hash: number | null
}

/** A tool call. */
export interface CallRecord {
  readonly toolName: string
  /** `asked`: its input was sent to have it approved. `denied`: it was refused before it has started. */
  readonly phase: 'writing' | 'asked' | 'running' | 'denied' | 'ended'
  /** The text of the input so far while it is written, the JSON of the input once it is sent. */
  readonly input: string
  /** The index of the next piece of the input. */
  readonly nextIndex: number
  /** What its input was sent with to have it approved. `null`: nothing. */
  readonly metadata: Metadata | null
  /** The open request to approve it. `null`: none. */
  readonly approvalId: string | null
  /** Whether its latest approval was refused. */
  readonly isDenied: boolean
  /** The output so far, by stream. */
  readonly output: Readonly<Record<string, string>> | null
  /** The length of the output, and the length when it was sent. */
  readonly outputLength: number
  readonly sentLength: number
}

/** A request for input. */
export interface InputRecord {
  /** The call to approve. `null`: the request is sent as `data-input`. */
  readonly toolCallId: string | null
  readonly data: UiInputData
}

export const initialState: ToUiState = {
  phase: 'new',
  taskId: null,
  hasStep: false,
  isStepOver: false,
  step: -1,
  stepIteration: null,
  stepStays: false,
  stepTexts: [],
  openItems: 0,
  nextText: 0,
  nextItem: 0,
  texts: emptyBoundedMap,
  hasText: false,
  thoughts: emptyBoundedMap,
  calls: emptyBoundedMap,
  endedCalls: emptyBoundedMap,
  inputs: emptyBoundedMap,
  auths: emptyBoundedMap,
  artifacts: emptyBoundedMap,
  unsent: emptyBoundedMap,
  credit: MAX_CREDIT,
  status: null,
  working: 0,
  asking: 0,
  subtasks: emptyBoundedMap,
  usage: [],
  sources: 0,
  finishReason: null,
  isFinishing: false,
  hasReported: false,
}

/** A copy to change. Written out: spreading is slow. */
export function copyState(state: ToUiState): ToUiState {
  return {
    phase: state.phase,
    taskId: state.taskId,
    hasStep: state.hasStep,
    isStepOver: state.isStepOver,
    step: state.step,
    stepIteration: state.stepIteration,
    stepStays: state.stepStays,
    stepTexts: state.stepTexts,
    openItems: state.openItems,
    nextText: state.nextText,
    nextItem: state.nextItem,
    texts: state.texts,
    hasText: state.hasText,
    thoughts: state.thoughts,
    calls: state.calls,
    endedCalls: state.endedCalls,
    inputs: state.inputs,
    auths: state.auths,
    artifacts: state.artifacts,
    unsent: state.unsent,
    credit: state.credit,
    status: state.status,
    working: state.working,
    asking: state.asking,
    subtasks: state.subtasks,
    usage: state.usage,
    sources: state.sources,
    finishReason: state.finishReason,
    isFinishing: state.isFinishing,
    hasReported: state.hasReported,
  }
}
