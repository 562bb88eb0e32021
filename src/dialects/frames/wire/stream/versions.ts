/** Conversion between the two versions of the envelope. */
import { requireObject } from '../../../../core/require.ts'
import type { AnyFrame, FrameV1, FrameV1Body, FrameV2, UnknownFrame } from '../types.ts'
import { streamKindOf, versionOf } from './frame-stream.ts'

/**
 * Converts a frame from version 1 to version 2. Returns a new frame; one of version 2 is returned as it is.
 *
 * The kind of the stream follows from the type: `task` for `tool_task_…`, `continuity` for
 * the `continuity_…` types of some runtimes, otherwise `session`. `session_id` stays, as an alias.
 *
 * {@link downgradeFrame} restores the original exactly. In the other direction, a version 2 frame
 * without `session_id` comes back with one.
 *
 * @see docs/spec/event-frames.md
 */
export function upgradeFrame(frame: FrameV1): FrameV2
export function upgradeFrame(frame: UnknownFrame): UnknownFrame
export function upgradeFrame(frame: AnyFrame): AnyFrame
export function upgradeFrame(frame: AnyFrame): AnyFrame {
  requireObject('frame', frame)
  if (versionOf(frame) === 'v2') return frame
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
 * Converts a frame from version 2 to version 1. Returns a new frame; one of version 1 is returned as it is.
 *
 * `session_id` is set to the `stream_id`. If the kind of the stream does not follow from the type, as
 * in an older `thread`, the field `stream_kind` stays: readers of version 1 ignore it, and
 * {@link upgradeFrame} restores it. A type that version 1 does not define becomes an unknown frame.
 *
 * @see docs/spec/event-frames.md
 */
export function downgradeFrame(frame: FrameV2 & { type: FrameV1Body['type'] }): FrameV1
export function downgradeFrame(frame: AnyFrame): FrameV1 | UnknownFrame
export function downgradeFrame(frame: AnyFrame): FrameV1 | UnknownFrame {
  requireObject('frame', frame)
  if (versionOf(frame) === 'v1') return frame as FrameV1
  const { id, session_id, stream_kind, stream_id, timestamp_ms, seq, type, ...rest } = frame as FrameV2
  const kind = stream_kind === streamKindOf(type) ? {} : { stream_kind }
  return { id, session_id: stream_id, ...kind, timestamp_ms, seq, type, ...rest } as FrameV1
}
