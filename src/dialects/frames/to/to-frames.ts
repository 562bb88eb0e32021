/** Maps events of the core vocabulary to frames. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireFunction, requireObject, requireText } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { readMilliseconds, readNewId } from '../../../validation/callbacks.ts'
import { isExactInMilliseconds, timestampToEpoch } from '../../shared/epoch-time.ts'
import { reportUndecoded } from '../../shared/report-undecoded.ts'
import { requireVersion } from '../wire/decode.ts'
import { inEnvelope } from '../wire/sequencer.ts'
import { getStream, type StreamMap, setStream } from '../wire/stream-map.ts'
import type { FrameByVersion, FrameVersion } from '../wire/types.ts'
import { FrameWriter } from './frame-writer.ts'
import { initialTargetStream, type TargetStream, targetKey } from './target-stream.ts'
import { writeEvent } from './write-event.ts'

/** Options of {@link toFrames}. */
export interface ToFramesOptions<V extends FrameVersion> {
  /** The version of the frames. */
  readonly version: V
  /** The id of the session that the first task maps to. Not empty; a UUID by the specification. */
  readonly sessionId: string
  /** Makes the `id` of a frame: unique, a UUID by the specification. */
  readonly newId: () => string
  /**
   * The clock: milliseconds since 1970. A frame takes the time of its event; the clock is used only for
   * events before 1970. Omitted: such frames get time 0.
   */
  readonly now?: () => number
}

/** The state of {@link toFrames}. */
export interface ToFramesState {
  /** By task. */
  readonly streams: StreamMap<TargetStream>
  /** Whether a task has been mapped to the session `sessionId`. */
  readonly hasSession: boolean
}

/**
 * Maps events to frames, as a tool runtime would have logged them. Never throws on data.
 *
 * | event | frame |
 * |---|---|
 * | `task-created` | `session_started` with `metadata.input` |
 * | `content-delta`; `content-complete` without deltas | `output_text_delta` |
 * | `tool-start` | `tool_started` |
 * | `tool-progress` with a `chunk` | `tool_stderr` if `stream` is `stderr`, otherwise `tool_stdout` |
 * | `tool-complete` | `tool_ended`, or `tool_failed` for a failure without `metadata.exitCode`; a result that was not streamed precedes it as `tool_stdout` |
 * | final `task-status`, `task-complete` | `session_ended` |
 * | any event with an embedded frame, see `embeddedFrame` | that frame |
 *
 * The first task maps to the session `sessionId`. Further tasks, such as those of sub-agents, map to
 * sessions with the task id as their id; background tools that come from frames map back to task
 * streams. {@link framesCoverage} lists the kinds without an equivalent.
 *
 * Of several open texts, the one that began first is sent as it comes, the others once they are complete.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped; `detail.reason` is `no-equivalent`, `unknown-kind`,
 *   `repeated`, `after-end`, `not-started` for the end of a call whose arguments were cut off, or `other-text`
 *   for a delta of a text that is sent whole later
 * - `lossy:<field>`: the field was dropped or changed, see {@link framesLossyFields}
 * - `inferred:session_started`: a task does not start with `task-created`
 * - `inferred:duration_ms`: a tool has no duration; 0 was written
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `too-many-streams`: more than 1024 tasks are open; `detail` is the evicted one
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const { push } = run(toFrames({ version: 'v2', sessionId, newId: () => crypto.randomUUID() }))
 * for (const frame of push(event)) log.write(`${encodeFrame(frame)}\n`)
 * ```
 */
export function toFrames<V extends FrameVersion>(
  options: ToFramesOptions<V>,
): Machine<MachineState<'toFrames'>, ContextAnyEvent, FrameByVersion[V]> {
  requireObject('options', options)
  const { version, sessionId, newId, now = () => 0 } = options
  requireVersion(version)
  requireText('sessionId', sessionId)
  requireFunction('newId', newId)
  requireFunction('now', now)
  const machine: Machine<ToFramesState, ContextAnyEvent, FrameByVersion[V]> = {
    initial: { streams: { others: {} }, hasSession: false },
    step(state, input) {
      const decoded = decodeEvent(input)
      if (decoded.status !== 'known') {
        const builder = new StepBuilder<ToFramesState, FrameByVersion[V]>(state)
        reportUndecoded(builder, decoded)
        return builder.done()
      }
      const { event } = decoded
      const key = targetKey(event.taskId)
      const known = getStream(state.streams, key)
      const stream = known ?? initialTargetStream(event, state.hasSession ? undefined : sessionId, sessionId)
      const writer = new FrameWriter(stream)
      if (known === undefined) writer.reportContext(event)
      writeEvent(writer, event, known === undefined)

      const timestamp_ms = epochOf(writer, event.timestamp) ?? readMilliseconds(now)
      const out = writer.out.map((body, i) => {
        const seq = stream.seq + i
        return inEnvelope(
          version,
          stream,
          { id: readNewId(newId), timestamp_ms, seq },
          body,
        ) as FrameByVersion[V]
      })
      writer.update({ seq: stream.seq + out.length })
      const streams = setStream(state.streams, key, writer.state, writer)
      const hasSession = state.hasSession || stream.isSession
      return { ...writer.done(), state: { streams, hasSession }, out }
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}

/** The instant of an event in milliseconds since 1970; `undefined` before 1970. */
function epochOf(writer: FrameWriter, timestamp: string): number | undefined {
  const milliseconds = timestampToEpoch(timestamp)
  if (milliseconds === undefined) {
    writer.lossy('timestamp', 'Frames cannot express an instant before 1970.', timestamp)
  } else if (!isExactInMilliseconds(timestamp)) {
    writer.lossy('timestamp', 'The timestamp was converted to UTC with millisecond precision.', timestamp)
  }
  return milliseconds
}
