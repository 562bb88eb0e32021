/** Numbering of frames: from bodies to the frames of one stream. */

import type { Machine } from '../../../../core/machine.ts'
import { type MachineState, opaque } from '../../../../core/machine-state.ts'
import { requireFunction, requireObject, requireOnly, requireText } from '../../../../core/require.ts'
import { StepBuilder } from '../../../../core/step-builder.ts'
import { readMilliseconds, readNewId } from '../../../../validation/callbacks.ts'
import { decodeFrame, requireVersion } from '../codec/decode.ts'
import type { FrameBodyByVersion, FrameByVersion, FrameV2Envelope, FrameVersion } from '../types.ts'
import type { FrameStream } from './frame-stream.ts'

/** Options of {@link frameSequencer}. */
export interface FrameSequencerOptions<V extends FrameVersion> {
  /** The version of the frames. */
  readonly version: V
  /** The stream the frames belong to. */
  readonly stream: FrameStream
  /** Makes the `id` of a frame: unique, a UUID by the specification. */
  readonly newId: () => string
  /** The clock: milliseconds since 1970. */
  readonly now: () => number
}

/** The state of {@link frameSequencer}. */
interface SequencerState {
  /** The `seq` of the next frame. */
  readonly seq: number
}

/**
 * Makes the frames of one stream: wraps each body in an envelope and numbers the frames from 0 without
 * gaps. To resume a stream, resume with its state; `state.seq` is the number of the next frame.
 *
 * Version 2 frames also get `session_id` as an alias, for readers of version 1.
 *
 * Diagnostics: `invalid-event` for an invalid body, which is dropped and not numbered.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const sequencer = frameSequencer({ version: 'v1', stream: { kind: 'session', id: sessionId }, newId, now })
 * const { push } = run(sequencer)
 * for (const frame of push({ type: 'session_started', input: 'hi' })) log.write(`${encodeFrame(frame)}\n`)
 * ```
 *
 * @see docs/spec/event-frames.md
 */
export function frameSequencer<V extends FrameVersion>(
  options: FrameSequencerOptions<V>,
): Machine<
  MachineState<'frameSequencer', { readonly seq: number }>,
  FrameBodyByVersion[V],
  FrameByVersion[V]
> {
  requireOnly('options', options, ['version', 'stream', 'newId', 'now'])
  const { version, stream, newId, now } = options
  requireVersion(version)
  requireStream(stream)
  requireFunction('newId', newId)
  requireFunction('now', now)
  const machine: Machine<SequencerState, FrameBodyByVersion[V], FrameByVersion[V]> = {
    initial: { seq: 0 },
    step(state, body) {
      const builder = new StepBuilder<SequencerState, FrameByVersion[V]>(state)
      const { seq } = state
      const frame = inEnvelope(
        version,
        stream,
        { id: readNewId(newId), timestamp_ms: readMilliseconds(now), seq },
        body,
      )
      const decoded = decodeFrame(frame, { version })
      if (decoded.status === 'invalid') builder.invalid(decoded.issues)
      else {
        builder.emit(decoded.event as FrameByVersion[V])
        builder.update({ seq: seq + 1 })
      }
      return builder.done()
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}

/** Wraps a body in its envelope. Envelope fields win over body fields of the same name. */
export function inEnvelope(
  version: FrameVersion,
  { kind, id: stream }: FrameStream,
  { id, timestamp_ms, seq }: { id: string; timestamp_ms: number; seq: number },
  body: object,
): object {
  const frame: Partial<FrameV2Envelope> =
    version === 'v1'
      ? { id, session_id: stream, timestamp_ms, seq, ...body }
      : { id, session_id: stream, stream_kind: kind, stream_id: stream, timestamp_ms, seq, ...body }
  // Assigned, as a second spread is slow.
  frame.id = id
  frame.session_id = stream
  frame.timestamp_ms = timestamp_ms
  frame.seq = seq
  if (version === 'v1') return frame
  frame.stream_kind = kind
  frame.stream_id = stream
  return frame
}

function requireStream(stream: FrameStream): void {
  requireObject('stream', stream)
  requireText('stream.kind', stream.kind)
  requireText('stream.id', stream.id)
}
