/** From frames to events of the core vocabulary. */

import type { Diagnostic, Machine } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { decodeFrame } from '../wire/decode.ts'
import { invalidDiagnostic, stepTo } from '../wire/diagnostics.ts'
import type { FrameEvent } from '../wire/embedded-frame.ts'
import type { FrameStream } from '../wire/sequencer.ts'
import { allStreams, type Streams, streamIn, withStream } from '../wire/stream-map.ts'
import { taskIdOf } from '../wire/task-id.ts'
import { timestampOf } from '../wire/time.ts'
import type { AnyFrame, FrameV1, FrameV2, FrameVersion } from '../wire/types.ts'
import { streamKindOf, versionOf } from '../wire/versions.ts'
import { EventWriter } from './event-writer.ts'
import { readFrame } from './read-frame.ts'
import { type SourceStream, sourceStream } from './source-stream.ts'

/** What {@link fromFrames} is told about the events it makes. */
export interface FromFramesOptions {
  /**
   * The context all events belong to. Absent: that of a session is called as the session, and a tool
   * in the background is in that of the session that started it.
   */
  readonly contextId?: string
}

/** Where {@link fromFrames} stands between two frames. */
export interface FromFramesState {
  /** By task. */
  readonly streams: Streams<SourceStream>
}

/**
 * Says frames of either version, of one stream or of many interleaved ones, as events. Never throws
 * on data.
 *
 * | frame | events |
 * |---|---|
 * | `session_started` | `task-created`, `task-status: working` |
 * | `output_text_delta` | `content-delta`; the `content-complete` comes before the next tool or at the end |
 * | `tool_started`, `tool_stdout`, `tool_stderr` | `tool-start`, `tool-progress` with `stream` and `chunk` |
 * | `tool_ended`, `tool_failed` | `tool-complete`; an exit code other than 0 is no success |
 * | `session_ended` | `task-status`, and after `completed` `task-complete` |
 * | `tool_task_spawned` | `subtask-created` in the session that started it, `task-created`, `tool-start` |
 * | `tool_task_status` | `task-status`, with `tool-complete` before the last and `task-complete` after `completed` |
 * | `tool_task_output_delta`, `tool_task_cancelled` | `tool-progress`, `tool-complete` |
 * | `checkpoint_…` | `internal:checkpoint`, which carries the frame: a snapshot of files, not a round of the loop |
 * | all others, unknown ones as well | `internal:thought-process`, which carries the frame |
 *
 * A stream is a task, with the id `<stream kind>:<stream id>`. Nothing is left out: what an event has
 * no field for, it carries in `frame` (see `carriedFrame`), and so do frames that come where they
 * must not, such as output of a tool that never started. Only `id` and `seq` are not kept.
 *
 * Diagnostics: `implied:task-created` where a session or task does not begin with its first frame;
 * `implied:tool-complete` for a tool that runs when its session ends; `implied:task-status` at the
 * end, for a task that was cancelled and never said so; `after-end`; `lossy:timestamp_ms` after the
 * year 9999; `invalid-frame`; `too-many-streams` when more than 1024 streams are open.
 *
 * @example
 * ```ts
 * for await (const event of iterate(fromFrames({ contextId }), frames)) handle(event)
 * ```
 */
export function fromFrames(options: FromFramesOptions = {}): Machine<FromFramesState, AnyFrame, FrameEvent> {
  const { contextId } = options
  if (contextId === '') throw new TypeError('contextId must not be empty; leave it out to use session ids.')
  return {
    initial: { streams: { others: {} } },
    step(state, input) {
      const version = versionIn(input)
      const decoded = decodeFrame(input, { version })
      if (decoded.status === 'invalid') return stepTo(state, [], [invalidDiagnostic('frame', decoded.issues)])
      const frame: AnyFrame = decoded.event
      const at = placeOf(state, frame, version)
      const diagnostics: Diagnostic[] = []
      const key = taskIdOf(at.kind, at.id)
      const known = streamIn(state.streams, key)
      const stream = known ?? sourceStream(frame, at, state.streams, contextId)
      const { timestamp_ms: time } = frame as FrameV1
      const writer = new EventWriter(stream, timestampOf(time, diagnostics), diagnostics)
      readFrame(writer, decoded, known === undefined ? at : undefined)
      const next = { ...writer.stream, time }
      return stepTo({ streams: withStream(state.streams, key, next, diagnostics) }, writer.out, diagnostics)
    },
    end(state) {
      const out: ContextAnyEvent[] = []
      const diagnostics: Diagnostic[] = []
      let { streams } = state
      for (const [key, stream] of allStreams(streams)) {
        if (stream.phase !== 'cancelled') continue
        const writer = new EventWriter(stream, timestampOf(stream.time, diagnostics), diagnostics)
        diagnostics.push({
          code: 'implied:task-status',
          message: 'The task was cancelled and never said so.',
        })
        writer.end('canceled')
        streams = withStream(streams, key, writer.stream, diagnostics)
        out.push(...writer.out)
      }
      return stepTo({ streams }, out, diagnostics)
    },
  }
}

/** Where a frame stands. Version 1 does not name the kind of a stream: it is that of its first frame. */
function placeOf({ streams }: FromFramesState, frame: AnyFrame, version: FrameVersion): FrameStream {
  const { stream_kind, stream_id, session_id = '' } = frame as FrameV2
  if (version === 'v2') return { kind: stream_kind, id: stream_id }
  const known = KINDS.find((kind) => streamIn(streams, taskIdOf(kind, session_id)) !== undefined)
  return { kind: known ?? stream_kind ?? streamKindOf(frame.type), id: session_id }
}

const KINDS = ['session', 'task', 'thread']

function versionIn(input: unknown): FrameVersion {
  try {
    return typeof input === 'object' && input !== null ? versionOf(input) : 'v1'
  } catch {
    return 'v1'
  }
}
