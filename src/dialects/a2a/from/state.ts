/** What `fromA2a` remembers. */
import type { State } from '../wire/model.ts'

/** The state of {@link fromA2a}: plain JSON. Its fields are the library's own. */
export interface FromA2aState {
  /** The tasks seen, in the order seen. A stream of A2A has one; a conversation may have several. */
  readonly tasks: readonly ReadTask[]
}

/** One task as far as it was read. */
export interface ReadTask {
  readonly id: string
  /** The context of the events that are made. */
  readonly contextId: string
  readonly state: State
  /** The message of the last status: a task that is sent again repeats it. Absent: it had none. */
  readonly messageId?: string
  /** The last time A2A told; it tells none for artifacts. */
  readonly timestamp: string
  /** The artifacts that are being read. Few, as they are copied with each delta. */
  readonly artifacts: readonly ReadArtifact[]
  /** Those that are finished. */
  readonly done: readonly ReadArtifact[]
  /** What the task waits for. */
  readonly request?: { readonly type: 'input' | 'auth'; readonly id: string }
  /** The ids of what it has asked for so far, the last ones: ours are never used twice. */
  readonly asked: readonly string[]
  /** Number of the last task whose carried events were taken; -1 before the first. */
  readonly resume: number
  /** The files of the extension whose chunks are text. */
  readonly texts: readonly string[]
  /** Characters remembered of artifacts. */
  readonly kept: number
}

/** One artifact as far as it was read: what is needed to tell new from known. */
export interface ReadArtifact {
  /** The `artifactId` in A2A. */
  readonly id: string
  /**
   * What its parts become: the content of the task, a text file (where the content is another
   * artifact), a file, a file that is a link, a record, or the rows of a dataset.
   */
  readonly as: 'content' | 'text' | 'file' | 'link' | 'data' | 'rows'
  /** The `artifactId` of our events. An artifact of mixed parts becomes several. */
  readonly key: string
  /** Index of the next delta, chunk or batch. */
  readonly next: number
  /** All text, or the last record as JSON. */
  readonly text: string
  /** Where in the text the open segment of content begins. */
  readonly from: number
  /** Characters of all chunks or batches. */
  readonly length: number
  readonly closed: boolean
}

/** How many requests of a task are remembered. */
export const MAX_ASKED = 256

/** How many tasks are remembered; the one seen first is forgotten first. */
export const MAX_TASKS = 256

/**
 * How many characters of artifacts are remembered of one task. Content beyond that is finished and
 * goes on as another segment.
 */
export const MAX_READ: number = 32 * 1024 * 1024
