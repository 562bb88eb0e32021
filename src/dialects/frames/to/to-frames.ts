/** From events of the core vocabulary to frames. */

import type { Diagnostic, Machine } from '../../../core/machine.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { requireVersion } from '../wire/decode.ts'
import { dropped, invalidDiagnostic, stepTo } from '../wire/diagnostics.ts'
import { frameOf, requireFunctions } from '../wire/sequencer.ts'
import { type Streams, streamIn, withStream } from '../wire/stream-map.ts'
import { millisecondsOf } from '../wire/time.ts'
import type { FrameByVersion, FrameVersion } from '../wire/types.ts'
import { FrameWriter } from './frame-writer.ts'
import { openTarget, type TargetStream, targetKey } from './target-stream.ts'
import { sayEvent } from './write-event.ts'

/** What {@link toFrames} needs to know. */
export interface ToFramesOptions<V extends FrameVersion> {
  /** The version of the frames. */
  readonly version: V
  /** What the session is called that the first task becomes. Not empty; by the document a UUID. */
  readonly sessionId: string
  /** Makes the `id` of a frame: unique, by the document a UUID. */
  readonly newId: () => string
  /**
   * The clock: milliseconds since 1970. A frame has the time of its event; the clock is asked only
   * where that lies before 1970. Absent: 0 then.
   */
  readonly now?: () => number
}

/** Where {@link toFrames} stands between two events. */
export interface ToFramesState {
  /** By task. */
  readonly streams: Streams<TargetStream>
  /** Whether there was a task that became the session `sessionId`. */
  readonly hasSession: boolean
}

/**
 * Says events as frames: the log a runtime of tools would have kept. Never throws on data.
 *
 * | event | frame |
 * |---|---|
 * | `task-created` | `session_started` with `metadata.input` |
 * | `content-delta`; `content-complete` without deltas | `output_text_delta` |
 * | `tool-start` | `tool_started` |
 * | `tool-progress` with a `chunk` | `tool_stdout`, or `tool_stderr` where `stream` says so |
 * | `tool-complete` | `tool_ended`, or `tool_failed` where there is no `metadata.exitCode`; a result that was not streamed comes before it as `tool_stdout` |
 * | `task-status` that ends the task, `task-complete` | `session_ended` |
 * | whatever carries a frame, see `carriedFrame` | that frame |
 *
 * The first task is the session `sessionId`. Further tasks, such as those of sub-agents, are sessions
 * of their own, called as the task; tools in the background that come from frames are task streams
 * again. See {@link framesCoverage} for what has no frame.
 *
 * Diagnostics: `dropped:<kind>` for an event that is left out, `lossy:<field>` for a field that is
 * ({@link framesLossyFields}), `implied:session_started` for a task that does not begin with
 * `task-created`, `assumed:duration_ms` for a tool that does not say how long it ran,
 * `invalid-event`, and `too-many-streams` when more than 1024 tasks are open.
 *
 * @throws TypeError for options that would make every frame invalid.
 *
 * @example
 * ```ts
 * const { push } = run(toFrames({ version: 'v2', sessionId, newId: () => crypto.randomUUID() }))
 * for (const frame of push(event)) log.write(`${encodeFrame(frame)}\n`)
 * ```
 */
export function toFrames<V extends FrameVersion>(
  options: ToFramesOptions<V>,
): Machine<ToFramesState, ContextAnyEvent, FrameByVersion[V]> {
  const { version, sessionId, newId, now = () => 0 } = options
  requireVersion(version)
  requireFunctions({ newId, now })
  if (typeof sessionId !== 'string' || sessionId === '') {
    throw new TypeError('sessionId must be a non-empty string.')
  }
  return {
    initial: { streams: { others: {} }, hasSession: false },
    step(state, input) {
      const decoded = decodeEvent(input)
      if (decoded.status === 'invalid') return stepTo(state, [], [invalidDiagnostic('event', decoded.issues)])
      if (decoded.status === 'unknown') {
        return stepTo(state, [], [dropped(decoded.kind, 'Left out, as its kind is not known.')])
      }
      const { event } = decoded
      const diagnostics: Diagnostic[] = []
      const key = targetKey(event.taskId)
      const known = streamIn(state.streams, key)
      const stream =
        known ?? openTarget(event, state.hasSession ? undefined : sessionId, sessionId, diagnostics)
      const writer = new FrameWriter(stream, diagnostics)
      sayEvent(writer, event, known === undefined)

      const timestamp_ms = millisecondsOf(event.timestamp, diagnostics) ?? now()
      const out = writer.out.map((body, i) => {
        const seq = stream.seq + i
        return frameOf(version, stream, { id: newId(), timestamp_ms, seq }, body) as FrameByVersion[V]
      })
      const next = { ...writer.stream, seq: stream.seq + out.length }
      const streams = withStream(state.streams, key, next, diagnostics)
      return stepTo({ streams, hasSession: state.hasSession || stream.isSession }, out, diagnostics)
    },
    end: (state) => ({ state, out: [] }),
  }
}
