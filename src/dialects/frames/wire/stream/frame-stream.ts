/** The stream a frame belongs to, in both versions of the envelope. */

import type { AnyFrame, FrameV2, FrameVersion } from '../types.ts'

/** Identifies a stream of frames. */
export interface FrameStream {
  /** The kind of the stream. Version 1 frames do not carry it. */
  readonly kind: 'session' | 'task' | 'continuity' | 'artifact' | (string & {})
  /** The id among streams of this kind, such as the session id. Not empty. */
  readonly id: string
}

/** The version of a frame: 2 if it has `stream_kind` and `stream_id`, otherwise 1. */
export function versionOf(frame: object): FrameVersion {
  const { stream_kind, stream_id } = frame as Partial<FrameV2>
  return stream_kind === undefined || stream_id === undefined ? 'v1' : 'v2'
}

/** The kind of stream a frame type belongs to by default. */
export function streamKindOf(type: unknown): string {
  if (typeof type !== 'string') return 'session'
  if (type.startsWith('tool_task_')) return 'task'
  return type.startsWith('continuity_') ? 'continuity' : 'session'
}

/**
 * The id of the task a stream maps to, which also identifies the stream. Prefixed with the kind, as a session, a tool
 * and an agent may share a name.
 */
export function taskIdOf({ kind, id }: FrameStream): string {
  // Unknown kinds are any text; a colon in one would end the prefix.
  return `${/^"|:/.test(kind) ? JSON.stringify(kind) : kind}:${id}`
}

/** The kinds of streams whose frames may be of types that do not name the kind. */
const KINDS = ['session', 'task', 'continuity', 'thread']

/**
 * The stream of a frame. In version 1 the first frame of an id decides about the kind: it names it, or it follows from
 * the type.
 *
 * @param isKnown - Whether a stream with this {@link taskIdOf} has started.
 */
export function streamOf(frame: AnyFrame, isKnown: (taskId: string) => boolean): FrameStream {
  const { stream_kind, stream_id, session_id, type } = frame as FrameV2
  if (versionOf(frame) === 'v2') return { kind: stream_kind, id: stream_id }
  const id = session_id as string
  const known = KINDS.find((kind) => isKnown(taskIdOf({ kind, id })))
  const named = typeof stream_kind === 'string' && stream_kind !== '' ? stream_kind : undefined
  return { kind: known ?? named ?? streamKindOf(type), id }
}
