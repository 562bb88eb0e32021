/** Maps frames to events of the core vocabulary. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { optional, requireObject, requireText } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { decodeFrame } from '../wire/decode.ts'
import type { FrameEvent } from '../wire/embedded-frame.ts'
import { reportInvalidFrame } from '../wire/invalid-frame.ts'
import type { FrameStream } from '../wire/sequencer.ts'
import { getStream, type StreamMap, setStream, streamEntries } from '../wire/stream-map.ts'
import { taskIdOf } from '../wire/task-id.ts'
import type { AnyFrame, FrameV1, FrameV2, FrameVersion } from '../wire/types.ts'
import { streamKindOf, versionOf } from '../wire/versions.ts'
import { EventWriter } from './event-writer.ts'
import { mapFrame } from './map-frame.ts'
import { initialSourceStream, type SourceStream } from './source-stream.ts'

/** Options of {@link fromFrames}. */
export interface FromFramesOptions {
  /**
   * The `contextId` of all events. Omitted: the id of the session; for a background tool the context of
   * the session that started it. Not empty.
   */
  readonly contextId?: string
}

/** The state of {@link fromFrames}. */
export interface FromFramesState {
  /** By task id. */
  readonly streams: StreamMap<SourceStream>
}

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
 * | `tool_task_spawned` | `subtask-created` in the session that started it, `task-created`, `tool-start` |
 * | `tool_task_status` | `task-status`; the final one comes after `tool-complete`, and `completed` before `task-complete` |
 * | `tool_task_output_delta`, `tool_task_cancelled` | `tool-progress`, `tool-complete` |
 * | `checkpoint_…` | `internal:checkpoint` with the frame embedded: a snapshot of files, not a round of the loop |
 * | any other, including unknown types | `internal:thought-process` with the frame embedded |
 *
 * Each stream maps to a task with the id `<stream kind>:<stream id>`. Only `id` and `seq` are lost:
 * fields without an equivalent stay in the embedded `frame` (see `embeddedFrame`), and so do frames out
 * of order, such as output of a tool that never started.
 *
 * Diagnostics:
 *
 * - `inferred:task-created`: a session or task does not start with its first frame
 * - `inferred:tool-complete`: a tool was running when its session ended; `detail` is its id
 * - `inferred:task-status`: at the end, a cancelled task had no final status
 * - `after-end`: a frame follows the end of its stream; `detail` is its type
 * - `lossy:timestamp_ms`: the instant is after the year 9999
 * - `invalid-frame`: the frame was dropped; `detail` lists its issues
 * - `too-many-streams`: more than 1024 streams are open; `detail` is the evicted task
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
): Machine<MachineState<'fromFrames'>, AnyFrame, FrameEvent> {
  requireObject('options', options)
  const { contextId } = options
  optional(requireText, 'contextId', contextId)
  const machine: Machine<FromFramesState, AnyFrame, FrameEvent> = {
    initial: { streams: { others: {} } },
    step(state, input) {
      const version = safeVersionOf(input)
      const decoded = decodeFrame(input, { version })
      if (decoded.status === 'invalid') {
        const builder = new StepBuilder<FromFramesState, FrameEvent>(state)
        reportInvalidFrame(builder, decoded.issues)
        return builder.done()
      }
      const frame: AnyFrame = decoded.event
      const source = streamOf(state, frame, version)
      const key = taskIdOf(source.kind, source.id)
      const known = getStream(state.streams, key)
      const stream = known ?? initialSourceStream(frame, source, state.streams, contextId)
      const { timestamp_ms: time } = frame as FrameV1
      const writer = new EventWriter(stream, time)
      mapFrame(writer, decoded, known === undefined ? source : undefined)
      const streams = setStream(state.streams, key, { ...writer.state, time }, writer)
      return { ...writer.done(), state: { streams } }
    },
    end(state) {
      const builder = new StepBuilder<FromFramesState, FrameEvent>(state)
      for (const [key, stream] of streamEntries(state.streams)) {
        if (stream.phase !== 'cancelled') continue
        const writer = new EventWriter(stream, stream.time)
        writer.inferred(
          'task-status',
          `Task ${JSON.stringify(key)} was cancelled but has no final status; canceled was inferred.`,
        )
        writer.endTask('canceled')
        builder.update({ streams: setStream(builder.state.streams, key, writer.state, writer) })
        builder.emit(...writer.out)
        for (const diagnostic of writer.diagnostics) builder.diagnostics.push(diagnostic)
      }
      return builder.done()
    },
  }
  return opaque(machine)
}

/** The stream of a frame. Version 1 does not name the kind of a stream: its first frame decides. */
function streamOf({ streams }: FromFramesState, frame: AnyFrame, version: FrameVersion): FrameStream {
  const { stream_kind, stream_id, session_id = '' } = frame as FrameV2
  if (version === 'v2') return { kind: stream_kind, id: stream_id }
  const known = KINDS.find((kind) => getStream(streams, taskIdOf(kind, session_id)) !== undefined)
  return { kind: known ?? stream_kind ?? streamKindOf(frame.type), id: session_id }
}

const KINDS = ['session', 'task', 'thread']

/** The version of any value; 1 if it cannot be determined. */
function safeVersionOf(input: unknown): FrameVersion {
  try {
    return typeof input === 'object' && input !== null ? versionOf(input) : 'v1'
  } catch {
    return 'v1'
  }
}
