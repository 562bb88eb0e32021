/** The state of `toAgUi`. Plain JSON. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { AgUiInterrupt } from '../wire/types/index.ts'

/** The run that is open, or was open last. */
export interface TargetRun {
  readonly threadId: string
  readonly runId: string
  /** The last id that was given as an option; `null` if none was. */
  readonly givenId: string | null
  /** The task of the run. */
  readonly taskId: string
  /** Its place among the runs of the stream, from 1. */
  readonly seq: number
  /** `completed`: its task has completed; the end of the run waits for the result. */
  readonly phase: 'active' | 'completed' | 'ended'
  /** The time of its last event. */
  readonly timestamp: number
}

/** A task. */
export interface TargetTask {
  readonly taskId: string
  /** `null` for the task of a run. */
  readonly parentTaskId: string | null
  /** The run in which it started last: 0 if it has not started. */
  readonly startedIn: number
  /** `completed`: a subtask whose end waits for its result. */
  readonly phase: 'open' | 'completed' | 'ended'
  /** The name and description of its subagent. */
  readonly name: string
  readonly description: string
  /** The request that its status waits for; `null` if it does not wait. */
  readonly waitsFor: 'input' | 'auth' | null
  /** The number of text segments. */
  readonly segments: number
  /** The number of thoughts. */
  readonly thoughts: number
}

interface TargetItem {
  readonly taskId: string
  /** Whether it is open in the stream. */
  readonly isOpen: boolean
  /** The index that readers give to the next delta. */
  readonly next: number
}

/** A text segment that is not complete. */
export interface TargetText extends TargetItem {
  readonly messageId: string
}

/** A tool call that has not ended. */
export interface TargetCall extends TargetItem {
  readonly toolName: string
  readonly hasStarted: boolean
}

/** A request that is not answered. */
export interface TargetRequest {
  readonly type: 'input' | 'auth'
  readonly id: string
  readonly taskId: string
  readonly interrupt: AgUiInterrupt
  /** The call that the client is to execute; `null` if it is asked for something else. */
  readonly executes: string | null
  readonly isAnnounced: boolean
}

/** The state of an artifact that a change needs. */
export interface TargetArtifact {
  readonly name: string
  /** Whether readers have its current version. */
  readonly isCurrent: boolean
}

export interface ToAgUiState {
  readonly run: TargetRun | null
  readonly tasks: BoundedMap<TargetTask>
  /** By task and `contentId`. */
  readonly texts: BoundedMap<TargetText>
  readonly thoughts: BoundedMap<TargetItem>
  readonly calls: BoundedMap<TargetCall>
  readonly requests: readonly TargetRequest[]
  readonly artifacts: BoundedMap<TargetArtifact>
}

export const initialState: ToAgUiState = {
  run: null,
  tasks: emptyBoundedMap,
  texts: emptyBoundedMap,
  thoughts: emptyBoundedMap,
  calls: emptyBoundedMap,
  requests: [],
  artifacts: emptyBoundedMap,
}

/** A copy to assign to. Written out: spreading is slow. */
export function copyState(state: ToAgUiState): ToAgUiState {
  return {
    run: state.run,
    tasks: state.tasks,
    texts: state.texts,
    thoughts: state.thoughts,
    calls: state.calls,
    requests: state.requests,
    artifacts: state.artifacts,
  }
}
