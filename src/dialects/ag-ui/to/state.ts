/** The state of `toAgUi`. Plain JSON. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Asked } from '../../engine/asked.ts'
import { emptyGroupedMap, type GroupedMap } from '../../engine/grouped-map.ts'
import { type Items, noItems } from '../../engine/item.ts'
import type { AgUiInterrupt } from '../wire/types/index.ts'
import { noMessages, type SentMessages } from './sent-messages.ts'

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
  /** What its status waits for; `null` if it does not wait. */
  readonly waitsFor: 'input' | 'auth' | 'subtask' | null
  /** Whether clients have got a request for it since then. */
  readonly hasAsked: boolean
  /** The number of text segments. */
  readonly segments: number
  /** Its latest model response, and what there was before it; `null` if none is known. */
  readonly iteration: number | null
  readonly earlier: { readonly segments: number }
  /** The model response whose step is open in the stream; `null` if none is. */
  readonly step: number | null
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
  /** As views count them. */
  readonly version: number
  /** Whether readers have its current version. */
  readonly isCurrent: boolean
}

export interface ToAgUiState extends Asked {
  readonly run: TargetRun | null
  /** Grouped by parent, as long as they have not ended. */
  readonly tasks: GroupedMap<TargetTask>
  readonly items: Items
  readonly requests: readonly TargetRequest[]
  readonly artifacts: BoundedMap<TargetArtifact>
  /** What clients have; `null` if it is too much. */
  readonly sent: SentMessages | null
  /** The time of the last event, in milliseconds since 1970. */
  readonly at: number
}

export const initialState: ToAgUiState = {
  run: null,
  tasks: emptyGroupedMap,
  items: noItems,
  requests: [],
  asked: emptyBoundedMap,
  artifacts: emptyBoundedMap,
  sent: noMessages,
  at: 0,
}

/** A copy to assign to. Written out: spreading is slow. */
export function copyState(state: ToAgUiState): ToAgUiState {
  return {
    run: state.run,
    tasks: state.tasks,
    items: state.items,
    requests: state.requests,
    asked: state.asked,
    artifacts: state.artifacts,
    sent: state.sent,
    at: state.at,
  }
}
