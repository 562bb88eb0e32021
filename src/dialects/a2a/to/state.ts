/** The state of `toA2a`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { TaskStatus } from '../../../events/task-status.ts'
import { type Changes, noChanges } from '../../engine/artifact-changes.ts'
import type { Asked } from '../../engine/asked.ts'
import { type Items, noItems } from '../../engine/item.ts'
import type { Message, Status } from '../wire/model.ts'
import type { A2aVersion } from '../wire/version.ts'
import type { ArtifactRecord } from './artifact-record.ts'

/**
 * The state of `toA2a`.
 *
 *     new ──▶ open ──input-required──▶ paused ──▶ open … ──completed, failed, canceled──▶ ended
 */
export interface ToA2aState<V extends A2aVersion = A2aVersion> extends Asked {
  readonly version: V
  /** `paused`: the stream ended because input is required; the next event opens another. */
  readonly phase: 'new' | 'open' | 'paused' | 'ended'
  /** Without ids before the first event. */
  readonly task: TaskInfo
  readonly status: Status
  /** The status of the last `task-status` event. `null` before the first, and if an answer has changed it since. */
  readonly eventStatus: TaskStatus | null
  /** What was written of each artifact, by its id in A2A. */
  readonly artifacts: BoundedMap<ArtifactRecord>
  /**
   * How many artifacts in A2A a text has had, one for each segment, or an artifact with the id of a text. Other artifacts have
   * the id of the events.
   */
  readonly ids: BoundedMap<number>
  /** The texts. */
  readonly items: Items
  /** The changed artifacts. */
  readonly changes: Changes
  /** Unanswered requests for input and authentication, oldest first. */
  readonly requests: readonly OpenRequest[]
  /** A status to emit unless the next event makes it unnecessary. `null`: none. */
  readonly deferredStatus: Status | null
  readonly counts: Counts
  /** What the extension needs. `null` without it. */
  readonly extension: ExtensionState | null
}

/** The fields of a task that never change. */
export interface TaskInfo {
  readonly id: string
  readonly contextId: string
  readonly metadata?: Metadata
}

/** A request that has not been answered. */
export interface OpenRequest {
  /** The `inputId` or `authId` of the event. */
  readonly id: string
  readonly state: 'input-required' | 'auth-required'
  readonly message: Message
}

/** Running totals of a task. */
export interface Counts {
  /** Messages written; part of their ids. */
  readonly messages: number
  readonly artifacts: number
  /** Characters in the bodies of all artifacts. */
  readonly bodyLength: number
}

/** The events that updates carry, numbered from 0. */
export interface ExtensionState {
  /** The number of the next event. */
  readonly next: number
  /** Events that have a number and wait for the next update. */
  readonly held: readonly ContextAnyEvent[]
  /** The last events, each as a line of JSON, so that appending is cheap. */
  readonly log: string
  /** Characters added to the log since a task repeated it. */
  readonly unrepeated: number
}

export function initialState<V extends A2aVersion>(version: V, extension: boolean): ToA2aState<V> {
  return {
    version,
    phase: 'new',
    task: { id: '', contextId: '' },
    status: { state: 'submitted' },
    eventStatus: null,
    artifacts: emptyBoundedMap,
    ids: emptyBoundedMap,
    items: noItems,
    changes: noChanges,
    requests: [],
    asked: emptyBoundedMap,
    deferredStatus: null,
    counts: { messages: 0, artifacts: 0, bodyLength: 0 },
    extension: extension ? { next: 0, held: [], log: '', unrepeated: 0 } : null,
  }
}

/** A copy to change. Written out, as it is made for each event: a spread takes many times as long. */
export function copyState(state: ToA2aState): Mutable<ToA2aState> {
  return {
    version: state.version,
    phase: state.phase,
    task: state.task,
    status: state.status,
    eventStatus: state.eventStatus,
    artifacts: state.artifacts,
    ids: state.ids,
    items: state.items,
    changes: state.changes,
    requests: state.requests,
    asked: state.asked,
    deferredStatus: state.deferredStatus,
    counts: state.counts,
    extension: state.extension,
  }
}
