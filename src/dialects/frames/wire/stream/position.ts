/** The position of a frame among those received of its stream. */

import type { StepBuilder } from '../../../../core/step-builder.ts'
import type { AnyFrame, FrameV1 } from '../types/index.ts'

/** What was received of a stream. */
export interface Received {
  /** The `seq` after the last one received. */
  readonly nextSeq: number
  /** All frames before this `seq` were received. Lower than `nextSeq` once a frame is missing. */
  readonly completeSeq: number
}

/** The state before the first frame. */
export const nothingReceived: Received = { nextSeq: 0, completeSeq: 0 }

/**
 * What has been received after a frame; `undefined` for one that was received before or comes too late, which is
 * reported as dropped. Reports missing frames as `gap`.
 *
 * @param stream - The name of the stream.
 */
export function receive<State, Out>(
  { nextSeq, completeSeq }: Received,
  stream: string,
  frame: AnyFrame,
  builder: StepBuilder<State, Out>,
): Received | undefined {
  const { seq, type } = frame as FrameV1
  if (seq < completeSeq) {
    builder.dropped(type, 'repeated', `seq ${seq} of stream ${stream} was received before.`)
    return undefined
  }
  if (seq < nextSeq) {
    const message = `Expected seq ${nextSeq} or higher in stream ${stream}, got ${seq}.`
    builder.dropped(type, 'out-of-order', message)
    return undefined
  }
  if (seq > nextSeq) reportGap(builder, stream, nextSeq, seq)
  return { nextSeq: seq + 1, completeSeq: seq === completeSeq ? seq + 1 : completeSeq }
}

/** Reports that frames of a stream are missing. */
export function reportGap<State, Out>(
  builder: StepBuilder<State, Out>,
  stream: string,
  expected: number,
  actual: number,
): void {
  const message = `Expected seq ${expected} in stream ${stream}, got ${actual}.`
  builder.diagnostic('gap', message, { path: '/seq', detail: { stream, expected, actual } })
}
