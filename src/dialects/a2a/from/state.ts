/** The state of `fromA2a`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { DraftState, Ids } from '../../engine/draft.ts'
import type { Artifact, State, Update } from '../wire/model.ts'
import type { AdkState } from './adk.ts'
import type { Slot } from './slot.ts'

export interface FromA2aState {
  /** The tasks by id. An A2A stream has one; a conversation may have several. */
  readonly tasks: BoundedMap<ReceivedTask>
}

/** One task as far as it was received. */
export interface ReceivedTask extends Readonly<DraftState & Ids> {
  /** Its context, as the agent states it; `undefined` if it does not. */
  readonly ownContextId: string | undefined
  readonly state: State
  /** The artifacts, by their ids in A2A. */
  readonly artifacts: BoundedMap<ReceivedArtifact>
  /** The slots, by artifact and position. */
  readonly slots: BoundedMap<Slot>
  readonly slotCount: number
  /** The ids of slots in events with a `@`, so that none stands for two. */
  readonly otherIds: BoundedMap<true>
  /** The slot of the open text without a `contentId`. `undefined` if none is open. */
  readonly openText: SlotId | undefined
  /** The fingerprint of the last complete text. `undefined` before the first. */
  readonly lastContent: string | undefined
  /** Characters of the open texts. */
  readonly textLength: number
  /** Characters of the files that are stored. */
  readonly fileLength: number
  /** Fingerprints of the messages received, by id. */
  readonly messages: BoundedMap<string>
  /** The request the task waits for. `undefined` if it waits for none. */
  readonly request: { readonly type: 'input' | 'auth'; readonly id: string } | undefined
  /** The fingerprint of the last metadata that was received with a task or update; empty before the first. */
  readonly metadata: string
  /** The number of the next event of the extension. */
  readonly next: number
  /** What the events of the extension wrote, by output, until A2A itself is read. */
  readonly written: BoundedMap<Written>
  /** Fingerprints of the updates that belong to the last event, beside the one that carried it. */
  readonly repeatable: readonly string[]
  /** What Google ADK has sent; `undefined` if it is another agent. */
  readonly adk: AdkState | undefined
  /** An error of ADK that no event has stated yet: the failure of the task may repeat it. */
  readonly adkError: { readonly code: string; readonly message: string } | undefined
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
  /** The most that A2A shows of it. */
  readonly size: number
  /** Likewise, of what is complete. */
  readonly sealed: number
  /** How many iterations were reset before it was written last. */
  readonly resets: number
}

/** A slot of the state. */
export interface SlotId {
  readonly artifactId: string
  readonly position: number
  /** Its key in {@link ReceivedTask.slots}. */
  readonly key: string
}

export function slotId(artifactId: string, position: number): SlotId {
  return { artifactId, position, key: `${position}/${artifactId}` }
}

/** Begins the ids of artifacts that are parts of messages. */
export const PART = '\0/'

/** The id, in the state, of a part of a message that becomes an artifact. */
export function partId(messageId: string, nth: number): string {
  return `${PART}${messageId}/${nth}`
}

/** The id of an artifact in the state: none of a part of a message. */
export function artifactIdInState(artifactId: string): string {
  return artifactId.startsWith('\0') ? `\0${artifactId}` : artifactId
}

/** The id that A2A has for an artifact in the state, or one derived from the message it is a part of. */
export function originalId(id: string): string {
  if (id.startsWith(PART)) return id.slice(PART.length)
  return id.startsWith('\0') ? id.slice(1) : id
}

/** Whether an artifact is one that `toA2a` writes for text without a `contentId`. */
export function isOwnText(taskId: string, artifactId: string): boolean {
  const own = `${taskId}:content`
  return artifactId.startsWith(own) && /^(?:#\d+)?$/.test(artifactId.slice(own.length))
}

/** A task before anything was read of it. */
export function initialTask(update: Update, contextId: string | undefined): ReceivedTask {
  return {
    taskId: update.taskId,
    contextId: contextId ?? update.contextId,
    ownContextId: update.contextId === update.taskId ? undefined : update.contextId,
    state: 'submitted',
    time: null,
    stated: null,
    ahead: 0,
    artifacts: emptyBoundedMap,
    slots: emptyBoundedMap,
    slotCount: 0,
    otherIds: emptyBoundedMap,
    openText: undefined,
    lastContent: undefined,
    textLength: 0,
    fileLength: 0,
    messages: emptyBoundedMap,
    request: undefined,
    ids: emptyBoundedMap,
    metadata: '',
    next: 0,
    written: emptyBoundedMap,
    repeatable: [],
    adk: undefined,
    adkError: undefined,
    hasGap: false,
  }
}

/** A copy to change. Written out, as it is made for each update: a spread takes many times as long. */
export function copyTask(task: ReceivedTask): Mutable<ReceivedTask> {
  return {
    taskId: task.taskId,
    contextId: task.contextId,
    ownContextId: task.ownContextId,
    state: task.state,
    time: task.time,
    stated: task.stated ?? null,
    ahead: task.ahead ?? 0,
    artifacts: task.artifacts,
    slots: task.slots,
    slotCount: task.slotCount,
    otherIds: task.otherIds,
    openText: task.openText,
    lastContent: task.lastContent,
    textLength: task.textLength,
    fileLength: task.fileLength,
    messages: task.messages,
    request: task.request,
    ids: task.ids,
    metadata: task.metadata,
    next: task.next,
    written: task.written,
    repeatable: task.repeatable,
    adk: task.adk,
    adkError: task.adkError,
    hasGap: task.hasGap,
  }
}

/** How many updates that belong to one event are recognized when they are sent again. */
export const MAX_REPEATABLE = 64

/** How many characters of open texts are stored per task. Then a text is completed and continues as another segment. */
export const MAX_TEXT_LENGTH: number = 32 * 1024 * 1024

/** How many characters of files are stored per task, so that they can be written again when bytes are appended. */
export const MAX_FILE_LENGTH: number = 16 * 1024 * 1024
