/** Maps events of the core vocabulary to frames. */

import {
  type BoundedMap,
  boundedEntries,
  boundedGet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireFunction, requireOnly, requireText } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Viewer } from '../../../streams/access/viewer.ts'
import { readMilliseconds, readNewId } from '../../../validation/callbacks.ts'
import { closeItems } from '../../engine/end-items.ts'
import { isExactInMilliseconds, timestampToEpoch } from '../../shared/epoch-time.ts'
import { guarded } from '../../shared/guarded.ts'
import { stored } from '../../shared/stored.ts'
import { requireVersion } from '../wire/codec/decode.ts'
import { longIds } from '../wire/stream/read-frame.ts'
import { inEnvelope } from '../wire/stream/sequencer.ts'
import type { FrameByVersion, FrameVersion } from '../wire/types.ts'
import { FrameWriter } from './frame-writer.ts'
import { formats } from './item-formats.ts'
import { initialTargetStream, type TargetStream } from './target-stream.ts'
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
  /**
   * Who reads the frames. By default an operator, who may see all: frames are a runtime's own log.
   *
   * @defaultValue `{ audience: 'operator' }`
   */
  readonly viewer?: Viewer
}

/** The state of {@link toFrames}. */
export interface ToFramesState {
  /** By task. */
  readonly streams: BoundedMap<TargetStream>
  /** Whether a task has been mapped to the session `sessionId`. */
  readonly hasSession: boolean
}

/**
 * Maps events to frames, as a tool runtime would have logged them. Never throws on data.
 *
 * | event | frame |
 * |---|---|
 * | `task-created` | `session_started` with `metadata.input` |
 * | `content-delta`; `content-complete` with text that no delta had | `output_text_delta` |
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
 * Of several open texts, the one that began first is sent as it comes, the others once they are complete, also
 * in the middle of the first. What replaces a text follows it.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience` for one
 *   that the viewer may not see, `repeated` for what was sent before, `after-end`, or `not-started` for the output or the
 *   end of a call that has not started
 * - `lossy:<field>`: the field was dropped or changed, see {@link framesLosses}; `path` leads to it. `lossy:contextId`
 *   and other fields of the context are reported once per task. `lossy:content`: readers keep another text, or
 *   cannot see where it begins and ends
 * - `gap`: deltas of a text are missing: what follows is sent with the whole; or a call has no result when its task completes
 * - `inferred:session_started`: a task does not start with `task-created`
 * - `inferred:duration_ms`: a tool has no duration; the time since its `tool-start` was written
 * - `invalid-event`: the event was dropped; `detail` lists its issues. Ids have at most 1024 characters
 * - `state-evicted`: more than 1024 tasks, or open items; a task that is evicted begins again
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
  requireOnly('options', options, ['version', 'sessionId', 'newId', 'now', 'viewer'])
  const { version, sessionId, newId, now = () => 0, viewer = { audience: 'operator' } } = options
  requireVersion(version)
  requireText('sessionId', sessionId)
  requireFunction('newId', newId)
  requireFunction('now', now)
  const machine: Machine<ToFramesState, ContextAnyEvent, FrameByVersion[V]> = {
    initial: { streams: emptyBoundedMap, hasSession: false },
    step(state, event) {
      const builder = new StepBuilder<ToFramesState, FrameByVersion[V]>(state)
      const issues = longIds(event, /^(task|toolCall|content)Id$/)
      if (issues.length > 0) {
        builder.invalid(issues)
        return builder.done()
      }
      const known = boundedGet(state.streams, event.taskId)
      const stream = known ?? initialTargetStream(event, state.hasSession ? undefined : sessionId, sessionId)
      const writer = new FrameWriter(stream)
      if (known === undefined) writer.reportContext(event)
      writeEvent(writer, event, known === undefined)
      const timestamp_ms = epochOf(writer, event.timestamp) ?? readMilliseconds(now)
      for (const body of writer.out) {
        const place = { id: readNewId(newId), timestamp_ms, seq: writer.state.seq++ }
        builder.emit(inEnvelope(version, stream, place, body) as FrameByVersion[V])
      }
      for (const diagnostic of writer.diagnostics) builder.diagnostics.push(diagnostic)
      const streams = stored(builder, state.streams, event.taskId, writer.state, 'tasks')
      builder.state = { streams, hasSession: state.hasSession || stream.isSession }
      return builder.done()
    },
    end(state) {
      // What waits for a whole that does not come is reported.
      const diagnostics = [...boundedEntries(state.streams)].flatMap(([taskId, stream]) => {
        const writer = new FrameWriter(stream)
        closeItems(writer, formats, taskId, 'failure')
        return writer.diagnostics
      })
      return diagnostics.length === 0 ? { state, out: [] } : { state, out: [], diagnostics }
    },
  }
  return opaque(guarded(viewer, machine))
}

/** The instant of an event in milliseconds since 1970; `undefined` before 1970. */
function epochOf(writer: FrameWriter, timestamp: string): number | undefined {
  const milliseconds = timestampToEpoch(timestamp)
  if (milliseconds === undefined) {
    writer.lossy('timestamp', 'Frames have no times before 1970.', timestamp)
  } else if (!isExactInMilliseconds(timestamp)) {
    writer.lossy('timestamp', 'Frames have milliseconds.', timestamp)
  }
  return milliseconds
}
