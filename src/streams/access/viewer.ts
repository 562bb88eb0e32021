/** Viewers: who reads a stream. */
import type { Audience } from './audience.ts'
import type { ThoughtPolicy } from './filter.ts'

/** Who reads a stream, and what it may see. Plain JSON. */
export interface Viewer {
  /** Its role: determines which events and fields are visible. */
  readonly audience: Audience
  /**
   * Which thoughts are visible.
   *
   * @defaultValue by audience: up to `detailed` for coordinator and operator, `normal` for user and parent,
   * `brief` for observer
   */
  readonly thoughts?: ThoughtPolicy
  /**
   * Fields to remove in addition to {@link redactions}: JSON pointers, by kind. Pointers select properties of
   * objects; a pointer into an array removes the whole array.
   *
   * Name every kind that carries the value: a snapshot writes the changes of an artifact as `data-write`, `file-write` or
   * `dataset-write`, and a streamed text in one event or the other. Some are removed wherever they are repeated: `/arguments`
   * of `tool-start`, `/metadata` of `tool-start` and `tool-complete`, `/content` of `thought-stream` and `content-complete`.
   */
  readonly removed?: Readonly<Record<string, readonly string[]>>
  /**
   * Keys of `metadata` that are shown besides the declared ones, those with a dot, such as `acme.rating`, and those that the
   * readers of this library write. Omitted: no others. Operators see all.
   */
  readonly metadata?: readonly string[]
  /**
   * `all`: users and observers also see the events of subtasks that are not forwarded: thoughts and streamed tool
   * arguments, or what the option `forward` of a router excludes. Omitted: they do not; see {@link audienceOf}.
   */
  readonly subtasks?: 'all'
}

/** Who reads whatever clients read, unless stated otherwise: the user of the task. */
export const defaultViewer: Viewer = { audience: 'user' }
