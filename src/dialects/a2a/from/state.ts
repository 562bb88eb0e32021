/** The state of `fromA2a`. */

import type { State } from '../wire/model.ts'

export interface FromA2aState {
  /** The tasks seen, oldest first. An A2A stream has one; a conversation may have several. */
  readonly tasks: readonly ReceivedTask[]
}

/** One task as far as it was received. */
export interface ReceivedTask {
  readonly id: string
  /** The context of the events. */
  readonly contextId: string
  readonly state: State
  /** The message of the last status, which a task that is sent again repeats. Omitted if it had none. */
  readonly messageId?: string
  /** The last timestamp received; A2A has none for artifacts. */
  readonly timestamp: string
  /** The artifacts being received. Few, as each delta copies the list. */
  readonly openArtifacts: readonly ReceivedArtifact[]
  readonly completeArtifacts: readonly ReceivedArtifact[]
  /** The request the task waits for. Omitted if it waits for none. */
  readonly request?: { readonly type: 'input' | 'auth'; readonly id: string }
  /** The last request ids used in events, so that each is unique. */
  readonly usedRequestIds: readonly string[]
  /** `resume` number of the last task whose extension events were read; -1 before the first. */
  readonly resume: number
  /** The `artifactId`s of incomplete files from the extension whose chunks are text. */
  readonly textFiles: readonly string[]
  /** Characters stored in the texts of all artifacts. */
  readonly storedLength: number
}

/** One artifact as far as it was received: enough to detect new content. */
export interface ReceivedArtifact {
  /** The `artifactId` in A2A. */
  readonly id: string
  /**
   * What its parts are mapped to: content, a text file (with a name, while another artifact is content), a
   * file, a file that is a link, a record, or the rows of a dataset.
   */
  readonly target: 'content' | 'text' | 'file' | 'link' | 'data' | 'rows'
  /** The `contentId` of its open segment of content. Omitted if it was the only open text when it began. */
  readonly contentId?: string
  /** The `artifactId` in events. An artifact of mixed parts becomes several. */
  readonly key: string
  /** Index of the next delta, chunk or batch. */
  readonly nextIndex: number
  /** The whole text, or the last record as JSON. */
  readonly text: string
  /** Offset in the text at which the open segment of content starts. */
  readonly segmentStart: number
  /** Characters of all chunks or batches. */
  readonly length: number
  readonly isComplete: boolean
}

/** How many request ids of a task are stored. */
export const MAX_REQUEST_IDS = 256

/** How many tasks are stored; the oldest is removed first. */
export const MAX_TASKS = 256

/**
 * How many characters of a task's artifacts are stored. Longer content is completed and continues as another segment.
 */
export const MAX_STORED_LENGTH: number = 32 * 1024 * 1024
