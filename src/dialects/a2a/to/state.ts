/** The state of `toA2a`. */

import type { Metadata } from '../../../events/metadata.ts'
import type { TaskStatus } from '../../../events/task-status.ts'
import type { ExtensionEvent } from '../wire/extension.ts'
import type { Message, Status } from '../wire/model.ts'
import type { A2aVersion } from '../wire/version.ts'
import type { ArtifactRecord } from './artifact-record.ts'

/**
 * The state of `toA2a`.
 *
 *     new ──▶ open ──input-required──▶ paused ──▶ open … ──completed, failed, canceled──▶ ended
 */
export interface ToA2aState<V extends A2aVersion = A2aVersion> {
  readonly version: V
  /** `paused`: the stream ended because input is required; the next event opens another. */
  readonly phase: 'new' | 'open' | 'paused' | 'ended'
  /** Omitted before the first event. */
  readonly task?: TaskInfo
  readonly status: Status
  /** The status of the last `task-status` event. Omitted before the first. */
  readonly eventStatus?: TaskStatus
  /** The artifacts that can be appended to. Few, as each delta copies the list. */
  readonly openArtifacts: readonly ArtifactRecord[]
  readonly completeArtifacts: readonly ArtifactRecord[]
  /** Unanswered requests for input and authentication, oldest first. */
  readonly requests: readonly OpenRequest[]
  /** Events that the next update carries in the extension. */
  readonly heldEvents: readonly ExtensionEvent[]
  /** A status to emit unless the next event makes it unnecessary. */
  readonly deferredStatus?: Status
  readonly counts: Counts
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
  /** Tasks written; the `resume` number of the extension. */
  readonly tasks: number
  /** Characters in the bodies of all artifacts. */
  readonly bodyLength: number
}

export function initialState<V extends A2aVersion>(version: V): ToA2aState<V> {
  return {
    version,
    phase: 'new',
    status: { state: 'submitted' },
    openArtifacts: [],
    completeArtifacts: [],
    requests: [],
    heldEvents: [],
    counts: { messages: 0, tasks: 0, bodyLength: 0 },
  }
}
