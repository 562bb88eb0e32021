/** The state of `toUiMessageStream`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { TaskStatus } from '../../../events/task-status.ts'
import type { Usage } from '../../../events/usage.ts'
import { type Changes, noChanges } from '../../engine/artifact-changes.ts'
import type { ChunkedArtifact } from '../../engine/artifact-chunks.ts'
import type { Asked } from '../../engine/asked.ts'
import { type Items, noItems } from '../../engine/item.ts'
import type { UiAuthData, UiInputData, UiSubtaskData } from '../wire/data-parts.ts'
import type { StepChunks } from './step-chunks.ts'

/** The most characters of an artifact that are stored and sent. */
export const MAX_BODY: number = 8 * 1024 * 1024

/**
 * The state of `toUiMessageStream`.
 *
 *     new ──▶ open ──waiting-input──▶ paused ──▶ open … ──completed, failed, canceled──▶ ended
 */
export interface ToUiState extends Asked {
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
  /** Whether the step has what must stay when it begins again: calls, data, files, texts of another iteration. */
  readonly stepStays: boolean
  /** The texts and thoughts of the step, to send them again. `null`: the step has other parts, or too many. */
  readonly stepChunks: StepChunks
  /** Open texts, thoughts and calls. */
  readonly items: Items
  /** The number of the next text without an id. */
  readonly nextText: number
  /** The hash of the last complete text of the task; `null` if there is none. */
  readonly text: number | null
  /** What is special about calls that have not ended, by `toolCallId`. */
  readonly calls: BoundedMap<CallRecord>
  /** Requests, by type and id. */
  readonly requests: BoundedMap<RequestRecord>
  readonly artifacts: BoundedMap<ArtifactRecord>
  /** The changed artifacts. */
  readonly changes: Changes
  /** The latest status of the task; once it is `completed`, the `finish` waits for the result. `null` before the first. */
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
  /** Whether the losses that all events have were reported. */
  readonly hasReported: boolean
}

/** Whether a task with a status waits for the user. */
export function isAsking(status: TaskStatus | null): boolean {
  return status === 'waiting-input' || status === 'waiting-auth'
}

/** A call that the user is asked to approve, or that has output. */
export interface CallRecord {
  /** The JSON of the input, which was sent to have the call approved before its start. `null`: it was not, or is refused. */
  readonly asked: string | null
  /** What that input was sent with. `null`: nothing. */
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

/** A call of which nothing is special. */
export const plainCall: CallRecord = {
  asked: null,
  metadata: null,
  approvalId: null,
  isDenied: false,
  output: null,
  outputLength: 0,
  sentLength: 0,
}

/** A request for input or authentication, as its data part has it. */
export interface RequestRecord {
  /** The call to approve. `null`: the request is sent as data. */
  readonly toolCallId: string | null
  readonly data: UiInputData | UiAuthData
}

/** An artifact as far as it is written. Files and rows are text, so that appending and copying are cheap. */
export interface ArtifactRecord extends ChunkedArtifact {
  readonly type: 'file' | 'data' | 'dataset'
  /** The type of its chunk: that of its first name. */
  readonly chunkType: `data-${string}`
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  readonly isBase64: boolean
  /** Text, joinable Base64, the JSON of each row on a line of its own, or that of each change of a record not yet applied. */
  readonly body: string
  /** The content of a record. `null` for others. Shared between states: never changed. */
  readonly data: Readonly<Record<string, unknown>> | null
  /** The last bytes of Base64 that are no group of 3. */
  readonly rest: string
  /** The length of a dataset when it was sent. */
  readonly sentLength: number
}

export const initialState: ToUiState = {
  phase: 'new',
  taskId: null,
  hasStep: false,
  isStepOver: false,
  step: -1,
  stepIteration: null,
  stepStays: false,
  stepChunks: [],
  items: noItems,
  nextText: 0,
  text: null,
  calls: emptyBoundedMap,
  requests: emptyBoundedMap,
  asked: emptyBoundedMap,
  artifacts: emptyBoundedMap,
  changes: noChanges,
  status: null,
  working: 0,
  asking: 0,
  subtasks: emptyBoundedMap,
  usage: [],
  sources: 0,
  finishReason: null,
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
    stepChunks: state.stepChunks,
    items: state.items,
    nextText: state.nextText,
    text: state.text,
    calls: state.calls,
    requests: state.requests,
    asked: state.asked,
    artifacts: state.artifacts,
    changes: state.changes,
    status: state.status,
    working: state.working,
    asking: state.asking,
    subtasks: state.subtasks,
    usage: state.usage,
    sources: state.sources,
    finishReason: state.finishReason,
    hasReported: state.hasReported,
  }
}
