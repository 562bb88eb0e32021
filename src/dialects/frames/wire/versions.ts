/** From one version of the envelope to the other. */
import type { AnyFrame, FrameV1, FrameV1Body, FrameV2, FrameVersion, UnknownFrame } from './types.ts'

/** Which version a frame is of: one that names its stream by `stream_kind` and `stream_id` is of version 2. */
export function versionOf(frame: object): FrameVersion {
  const { stream_kind, stream_id } = frame as Partial<FrameV2>
  return stream_kind === undefined || stream_id === undefined ? 'v1' : 'v2'
}

/**
 * Puts a frame of version 1 into the envelope of version 2. Returns a new frame.
 *
 * The kind of the stream follows from the type: `task` for `tool_task_…`, `thread` for the
 * `continuity_…` some runtimes write, otherwise `session`. `session_id` stays, as an alias.
 *
 * {@link downgradeFrame} undoes this exactly. The other way round, what comes back of a frame that
 * had no `session_id` has one.
 *
 * @see docs/spec/event-frames.md#compatibility
 */
export function upgradeFrame(frame: FrameV1): FrameV2
export function upgradeFrame(frame: UnknownFrame): UnknownFrame
export function upgradeFrame(frame: AnyFrame): AnyFrame
export function upgradeFrame(frame: AnyFrame): AnyFrame {
  const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, type, ...rest } = frame as FrameV2
  const kind = stream_kind ?? streamKindOf(type)
  return {
    id,
    session_id,
    stream_kind: kind,
    stream_id: session_id,
    timestamp_ms,
    seq,
    type,
    ...rest,
  } as AnyFrame
}

/**
 * Puts a frame of version 2 into the envelope of version 1. Returns a new frame.
 *
 * `session_id` is the `stream_id`. Where the kind of the stream does not follow from the type, as
 * with a `thread`, the field `stream_kind` stays: readers of version 1 pass over it, and
 * {@link upgradeFrame} takes it up again. A type that version 1 does not have is then unknown.
 *
 * @see docs/spec/event-frames.md#compatibility
 */
export function downgradeFrame(frame: FrameV2 & { type: FrameV1Body['type'] }): FrameV1
export function downgradeFrame(frame: AnyFrame): FrameV1 | UnknownFrame
export function downgradeFrame(frame: AnyFrame): FrameV1 | UnknownFrame {
  const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, type, ...rest } = frame as FrameV2
  const kind = stream_kind === streamKindOf(type) ? {} : { stream_kind }
  return { id, session_id: stream_id, ...kind, timestamp_ms, seq, type, ...rest } as FrameV1
}

/** The kind of stream that frames of a type stand in, unless told otherwise. */
export function streamKindOf(type: string): string {
  if (type.startsWith('tool_task_')) return 'task'
  return type.startsWith('continuity_') ? 'thread' : 'session'
}
