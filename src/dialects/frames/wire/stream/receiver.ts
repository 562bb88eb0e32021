/** Receiving frames: each frame of a stream once and in order, across repeated connections. */

import { type BoundedMap, boundedGet, emptyBoundedMap } from '../../../../core/bounded-map/bounded-map.ts'
import type { Machine } from '../../../../core/machine.ts'
import { type MachineState, opaque } from '../../../../core/machine-state.ts'
import { requireOneOf, requireOnly } from '../../../../core/require.ts'
import { StepBuilder } from '../../../../core/step-builder.ts'
import { stored } from '../../../shared/stored.ts'
import type { AnyFrame, FrameV1, FrameV2 } from '../types.ts'
import { taskIdOf, versionOf } from './frame-stream.ts'
import { nothingReceived, type Received, receive, reportGap } from './position.ts'
import { readFrame } from './read-frame.ts'

/** Options of {@link frameReceiver}. */
export interface FrameReceiverOptions {
  /**
   * What follows when frames are missing:
   *
   * - `wait`: later frames of the stream are dropped until the missing ones arrive. After the diagnostic `gap`, attach
   *   to the stream again: the server sends its whole past, and the receiver passes on what it lacks.
   * - `skip`: later frames are passed on. For logs, whose missing frames never arrive.
   *
   * @defaultValue `'wait'`
   */
  readonly gaps?: 'wait' | 'skip'
}

/** The state of {@link frameReceiver}. */
interface ReceiverState {
  /** By stream. */
  readonly streams: BoundedMap<ReceivedStream>
}

interface ReceivedStream extends Received {
  /** Whether the current gap was reported. */
  readonly isWaiting: boolean
}

/**
 * Receives the frames of one stream or of interleaved streams, of either version, by `seq`: each frame once and in
 * order, however often the host attaches again. A server sends no cursor: attaching sends the whole past again, and a
 * slow reader loses frames without notice. Never throws on data.
 *
 * The outputs are decoded frames, see `decodeFrame`.
 *
 * Diagnostics:
 *
 * - `gap`: frames are missing, also before the first frame; `detail` has the `stream`, the `expected` and the `actual`
 *   seq
 * - `dropped:<type>`: the frame was dropped; `detail.reason` is `repeated`, `out-of-order` for a frame that was missing
 *   and comes late, `conflict` for one whose `seq` another frame had before, or `waiting` for one after missing frames
 * - `invalid-event`: the frame was dropped; `detail` lists its issues
 * - `state-evicted`: more than 1024 streams; a stream that is evicted begins again
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const { push } = run(pipe(frameReceiver(), fromFrames()), { onDiagnostic: ({ code }) => code === 'gap' && attachAgain() })
 * ```
 */
export function frameReceiver(
  options: FrameReceiverOptions = {},
): Machine<MachineState<'frameReceiver'>, AnyFrame, AnyFrame> {
  requireOnly('options', options, ['gaps'])
  const { gaps = 'wait' } = options
  requireOneOf('gaps', gaps, ['wait', 'skip'])
  const machine: Machine<ReceiverState, AnyFrame, AnyFrame> = {
    initial: { streams: emptyBoundedMap },
    step(state, input) {
      const builder = new StepBuilder<ReceiverState, AnyFrame>(state)
      const decoded = readFrame(input)
      if (decoded.status === 'invalid') {
        builder.invalid(decoded.issues)
        return builder.done()
      }
      const frame: AnyFrame = decoded.event
      const key = keyOf(frame, state.streams)
      const before = boundedGet(state.streams, key) ?? { ...nothingReceived, isWaiting: false }
      const after = receiveNext(before, key.replace(/^:/, ''), frame, gaps, builder)
      if (after === undefined) return builder.done()
      builder.state = { streams: stored(builder, state.streams, key, after, 'streams') }
      return builder.done()
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}

/** The key of the stream of a frame. An id is that of one stream in version 1, which a log may continue in version 2. */
function keyOf(frame: AnyFrame, streams: ReceiverState['streams']): string {
  const { stream_kind: kind, stream_id: id, session_id } = frame as FrameV2
  if (versionOf(frame) === 'v1') return `:${session_id}`
  const key = taskIdOf({ kind, id })
  const isContinued = boundedGet(streams, key) === undefined && boundedGet(streams, `:${id}`) !== undefined
  return isContinued ? `:${id}` : key
}

/** Emits the frame if it is the next one. Returns the stream after it; `undefined` if nothing changes. */
function receiveNext(
  stream: ReceivedStream,
  key: string,
  frame: AnyFrame,
  gaps: 'wait' | 'skip',
  builder: StepBuilder<ReceiverState, AnyFrame>,
): ReceivedStream | undefined {
  const { nextSeq, isWaiting } = stream
  const { seq, type } = frame as FrameV1
  if (gaps === 'wait' && seq > nextSeq) {
    if (!isWaiting) reportGap(builder, key, nextSeq, seq)
    builder.dropped(type, 'waiting', `seq ${seq} of stream ${key} waits for seq ${nextSeq}.`)
    return isWaiting ? undefined : { ...stream, isWaiting: true }
  }
  const received = receive(stream, key, frame, builder)
  if (received === undefined) return undefined
  builder.emit(frame)
  // Written out: spreading is slow.
  const { nextSeq: next, completeSeq, firstHash, hashes } = received
  return { nextSeq: next, completeSeq, firstHash, hashes, isWaiting: false }
}
