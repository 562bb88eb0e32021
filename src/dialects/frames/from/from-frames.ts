/** Maps frames to events of the core vocabulary. */

import {
  type BoundedMap,
  boundedEntries,
  boundedGet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { JsonMessage } from '../../../core/json-message.ts'
import type { Machine } from '../../../core/machine.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import { describeValue, optional, requireOnly, requireText } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { setEpoch } from '../../engine/draft.ts'
import { reader } from '../../shared/reader.ts'
import { stored } from '../../shared/stored.ts'
import type { FrameEvent } from '../wire/embedded-frame.ts'
import { type FrameStream, streamOf, taskIdOf } from '../wire/stream/frame-stream.ts'
import { receive } from '../wire/stream/position.ts'
import { readFrame } from '../wire/stream/read-frame.ts'
import type { AnyFrame, FrameV1, FrameV2 } from '../wire/types.ts'
import { endTask, type FrameWriter, frameWriter } from './frame-writer.ts'
import { mapFrame } from './map-frame.ts'
import { initialSourceStream, type SourceStream } from './source-stream.ts'

/** Options of {@link fromFrames}. */
export interface FromFramesOptions {
  /**
   * The `contextId` of all events. Omitted: the id of the session; for a background tool the id of the session that
   * started it. Not empty.
   */
  readonly contextId?: string
}

/** The state of {@link fromFrames}. */
export interface FromFramesState {
  /** By task id. */
  readonly streams: BoundedMap<SourceStream>
  /** The number of calls by context and tool id. */
  readonly calls: BoundedMap<number>
}

type Builder = StepBuilder<FromFramesState, FrameEvent>

/**
 * Maps frames of either version, of one stream or of interleaved streams, to events. Never throws on
 * data.
 *
 * | frame | events |
 * |---|---|
 * | `session_started` | `task-created`, `task-status: working` |
 * | `output_text_delta` | `content-delta`; `content-complete` follows before the next tool or at the end |
 * | `tool_started`, `tool_stdout`, `tool_stderr` | `tool-start`, `tool-progress` with `stream` and `chunk` |
 * | `tool_ended`, `tool_failed` | `tool-complete`; only exit code 0 is a success |
 * | `session_ended` | `task-status`, and after `completed` also `task-complete` |
 * | `tool_task_spawned` | `task-created` with `metadata.originSessionId`, `tool-start` |
 * | `tool_task_status` | `task-status`; the final one comes after `tool-complete`, and `completed` before `task-complete` |
 * | `tool_task_output_delta`, `tool_task_cancelled` | `tool-progress`, `tool-complete` |
 * | `checkpoint_…` | `internal:checkpoint` with the frame embedded: a snapshot of files, not a round of the loop |
 * | any other, including unknown types | `internal:thought-process` with the frame embedded |
 *
 * Each stream maps to a task with the id `<stream kind>:<stream id>`. A background tool may outlive the session that
 * started it, so that its task is one of its own in the same context, not a subtask. Only `id` and `seq` are lost:
 * fields without an equivalent stay in the embedded `frame` (see `embeddedFrame`), such as arguments that are not an
 * object, and so do frames out of place, such as output of a tool that never started.
 *
 * Of several calls with the same `tool_id`, the second one to start gets the id `<tool_id>#2`; a frame belongs to the
 * first one that runs.
 *
 * Frames may arrive repeatedly, as when a host attaches to a stream again: each is mapped once. To recover missing
 * frames, put {@link frameReceiver} in front.
 *
 * Diagnostics:
 *
 * - `gap`: frames are missing, also before the first one; `detail` has the `stream`, the `expected` and the `actual` seq
 * - `dropped:<type>`: the frame was dropped; `detail.reason` is `repeated`, `out-of-order` for a frame that was missing
 *   and comes late, `conflict` for one whose `seq` another frame had before, or `after-end`
 * - `inferred:task-created`: a session or task does not start with its first frame
 * - `inferred:tool-complete`: a tool was running when its session ended; `detail` is the id of the call
 * - `inferred:task-status`: at the end, a cancelled task had no final status
 * - `lossy:session_id`, `lossy:stream_id`, `lossy:stream_kind`: the envelope has another name for the stream as well
 * - `lossy:timestamp_ms`: the instant is after the year 9999 or before that of an earlier frame; `detail` is the value
 * - `invalid-event`: the frame was dropped; `detail` lists its issues. Ids have at most 1024 characters
 * - `state-evicted`: more than 1024 streams; a stream that is evicted begins again
 *
 * @throws TypeError if `contextId` is not a non-empty string.
 *
 * @example
 * ```ts
 * for await (const event of iterate(fromFrames({ contextId }), frames)) handle(event)
 * ```
 */
export function fromFrames(
  options: FromFramesOptions = {},
): Machine<MachineState<'fromFrames'>, AnyFrame | JsonMessage, FrameEvent> {
  requireOnly('options', options, ['contextId'])
  const { contextId } = options
  optional(requireText, 'contextId', contextId)
  const machine: Machine<FromFramesState, AnyFrame, FrameEvent> = {
    initial: { streams: emptyBoundedMap, calls: emptyBoundedMap },
    step(state, input) {
      const builder = new StepBuilder<FromFramesState, FrameEvent>(state)
      const decoded = readFrame(input)
      if (decoded.status === 'invalid') {
        builder.invalid(decoded.issues)
        return builder.done()
      }
      const frame: AnyFrame = decoded.event
      let known: SourceStream | undefined
      const source = streamOf(frame, (id) => {
        known = boundedGet(state.streams, id)
        return known !== undefined
      })
      const taskId = known?.taskId ?? taskIdOf(source)
      known ??= boundedGet(state.streams, taskId)
      const stream = known ?? initialSourceStream(contextId ?? originOf(frame) ?? source.id, taskId)
      const received = receive(stream, taskId, frame, builder)
      if (received === undefined) return builder.done()
      reportOtherNames(builder, frame, source)
      if (stream.phase === 'ended') {
        builder.dropped(
          frame.type,
          'after-end',
          `Expected no frame after the end of ${taskId}, got ${frame.type}.`,
        )
        setStream(builder, { ...stream, ...received })
        return builder.done()
      }
      const writer = frameWriter(stream, state.calls)
      setEpoch(writer, 'timestamp_ms', (frame as FrameV1).timestamp_ms)
      mapFrame(writer, decoded, known === undefined ? source : undefined)
      writer.state.nextSeq = received.nextSeq
      writer.state.completeSeq = received.completeSeq
      writer.state.firstHash = received.firstHash
      writer.state.hashes = received.hashes
      take(builder, writer)
      return builder.done()
    },
    end(state) {
      const builder = new StepBuilder<FromFramesState, FrameEvent>(state)
      for (const [taskId, stream] of boundedEntries(state.streams)) {
        if (stream.phase !== 'cancelled') continue
        const writer = frameWriter(stream, builder.state.calls)
        writer.inferred(
          'task-status',
          `Expected a final status of ${taskId}, got none; canceled was inferred.`,
        )
        endTask(writer, { kind: 'task-status', status: 'canceled' })
        take(builder, writer)
      }
      return builder.done()
    },
  }
  // A runtime's own log.
  return reader(['frames'], machine, { isTrusted: true })
}

/** Reports ids and kinds in the envelope that are not those of the stream. */
function reportOtherNames(builder: Builder, frame: AnyFrame, { kind, id }: FrameStream): void {
  const envelope = frame as FrameV2
  const names = { session_id: id, stream_id: id, stream_kind: kind }
  for (const field of ['session_id', 'stream_id', 'stream_kind'] as const) {
    const value = envelope[field]
    if (value === undefined || value === names[field]) continue
    builder.lossy(
      field,
      `Expected ${field} ${describeValue(names[field])}, got ${describeValue(value)}.`,
      value,
    )
  }
}

/** The session that a frame of a background tool names as its origin. */
function originOf(frame: AnyFrame): string | undefined {
  if (frame.type !== 'tool_task_spawned') return undefined
  return (frame as { origin_session_id?: string | null }).origin_session_id ?? undefined
}

/** Takes over what a stream emitted, and its state. */
function take(builder: Builder, writer: FrameWriter): void {
  for (const event of writer.out) builder.out.push(event as FrameEvent)
  for (const diagnostic of writer.diagnostics) builder.diagnostics.push(diagnostic)
  builder.state = { streams: builder.state.streams, calls: writer.state.ids }
  // Those of all streams of a context are kept once.
  writer.state.ids = emptyBoundedMap
  setStream(builder, writer.state)
}

function setStream(builder: Builder, stream: SourceStream): void {
  const { streams, calls } = builder.state
  builder.state = { streams: stored(builder, streams, stream.taskId, stream, 'streams'), calls }
}
