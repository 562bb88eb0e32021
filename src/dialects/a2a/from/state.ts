/** The state of `fromA2a`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Artifact, State, Update } from '../wire/model.ts'
import type { Slot } from './slot.ts'

export interface FromA2aState {
  /** The tasks by id. An A2A stream has one; a conversation may have several. */
  readonly tasks: BoundedMap<ReceivedTask>
}

/** One task as far as it was received. */
export interface ReceivedTask {
  readonly id: string
  /** The context of the events. */
  readonly contextId: string
  readonly state: State
  /** The latest timestamp of its events. Omitted before the first event. */
  readonly timestamp?: string
  /** The artifacts, by their ids in A2A. */
  readonly artifacts: BoundedMap<ReceivedArtifact>
  /** The slots, by artifact and position. */
  readonly slots: BoundedMap<Slot>
  readonly slotCount: number
  /** The slot of the open text without a `contentId`. Omitted if none is open. */
  readonly openText?: SlotId
  /** The hash of the last complete text. Omitted before the first. */
  readonly lastContent?: number
  /** Characters of the open texts. */
  readonly textLength: number
  /** Hashes of the messages received, by id. */
  readonly messages: BoundedMap<number>
  /** The request the task waits for. Omitted if it waits for none. */
  readonly request?: { readonly type: 'input' | 'auth'; readonly id: string }
  /** The request ids used in events, so that each is unique. */
  readonly requestIds: BoundedMap<true>
  /** The hash of the last metadata that was received with a task or update. */
  readonly metadata: number
  /** The number of the next event of the extension. */
  readonly next: number
  /** How far the events of the extension wrote each output. */
  readonly written: BoundedMap<Written>
  /** Whether events of the extension are missing, so that A2A itself is read as well. */
  readonly hasGap: boolean
}

/** One artifact as far as it was received. */
export interface ReceivedArtifact {
  /** The number of its slots. Only the last one may be open. */
  readonly count: number
  /** Its name, description, metadata and extensions, as far as it has them. */
  readonly descriptor: Descriptor
}

/** What describes an artifact. */
export type Descriptor = Partial<Pick<Artifact, 'name' | 'description' | 'metadata' | 'extensions'>>

/** How far events wrote an output. */
export interface Written {
  readonly nextIndex: number
  readonly isOpen: boolean
  /** The version of a file or dataset. */
  readonly version: number
  /** Whether the chunks of a file are text. */
  readonly isUtf8: boolean
}

/** A slot of the state. */
export interface SlotId {
  readonly artifactId: string
  readonly position: number
}

/** The key of a slot in {@link ReceivedTask.slots}. */
export function slotKey({ artifactId, position }: SlotId): string {
  return `${position}/${artifactId}`
}

/** A task before anything was read of it. */
export function initialTask(update: Update, contextId: string | undefined): ReceivedTask {
  return {
    id: update.taskId,
    contextId: contextId ?? update.contextId,
    state: 'submitted',
    artifacts: emptyBoundedMap,
    slots: emptyBoundedMap,
    slotCount: 0,
    textLength: 0,
    messages: emptyBoundedMap,
    requestIds: emptyBoundedMap,
    metadata: 0,
    next: 0,
    written: emptyBoundedMap,
    hasGap: false,
  }
}

/** How many tasks are stored; the oldest are removed first. */
export const MAX_TASKS = 256

/** How many artifacts of a task are stored. */
export const MAX_ARTIFACTS = 32_768

/** How many characters of open texts are stored per task. Then a text is completed and continues as another segment. */
export const MAX_TEXT_LENGTH: number = 32 * 1024 * 1024
