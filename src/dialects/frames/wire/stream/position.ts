/** The position of a frame among those received of its stream. */

import type { StepBuilder } from '../../../../core/step-builder.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../../encoding/fnv1a.ts'
import { jsonText } from '../../../../json/json-text.ts'
import { envelopeFields } from '../embedded-frame.ts'
import type { AnyFrame, FrameV1 } from '../types.ts'

/** What was received of a stream. */
export interface Received {
  /** The `seq` after the last one received. */
  readonly nextSeq: number
  /** All frames before this `seq` were received. Lower than `nextSeq` once a frame is missing. */
  readonly completeSeq: number
  /** The hash of the content of frame 0; `null` if it was not received. A runtime that lost its log starts over. */
  readonly firstHash: number | null
  /** The hashes of the latest frames by `seq` modulo {@link MAX_HASHES}; `null` for a missing one. */
  readonly hashes: readonly (number | null)[]
}

/** The state before the first frame. */
export const nothingReceived: Received = { nextSeq: 0, completeSeq: 0, firstHash: null, hashes: [] }

/** Repeated frames are compared with this many of the latest ones. */
const MAX_HASHES = 64

/**
 * What has been received after a frame; `undefined` for one that was received before or comes too late, which is
 * reported as dropped. Reports missing frames as `gap`. One with the `seq` of the first frame or of a recent one, but
 * other content, is a conflict.
 *
 * @param stream - The name of the stream.
 */
export function receive<State, Out>(
  received: Received,
  stream: string,
  frame: AnyFrame,
  builder: StepBuilder<State, Out>,
): Received | undefined {
  const { nextSeq, completeSeq, hashes } = received
  const { seq, type } = frame as FrameV1
  const hash = contentHash(frame)
  const known = hashAt(received, seq)
  if (known !== null && known !== hash) {
    const message = `Expected frame ${seq} of stream ${stream} as it was received before, got one with other content.`
    builder.dropped(type, 'conflict', message)
    return undefined
  }
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
  const after = hashes.slice()
  for (let missing = Math.max(nextSeq, seq - MAX_HASHES); missing < seq; missing++)
    after[missing % MAX_HASHES] = null
  after[seq % MAX_HASHES] = hash
  return {
    nextSeq: seq + 1,
    completeSeq: seq === completeSeq ? seq + 1 : completeSeq,
    firstHash: seq === 0 ? hash : received.firstHash,
    hashes: after,
  }
}

/** The hash of a frame that was received before; `null` if it is not known. */
function hashAt({ nextSeq, firstHash, hashes }: Received, seq: number): number | null {
  if (seq === 0) return firstHash
  return seq < nextSeq && seq >= nextSeq - MAX_HASHES ? (hashes[seq % MAX_HASHES] ?? null) : null
}

/** A hash of the body of a frame, whatever the order of its fields and the version of its envelope. */
function contentHash(frame: AnyFrame): number {
  const body = frame as unknown as Readonly<Record<string, unknown>>
  let sum = 0
  for (const field of Object.keys(body)) {
    const value = body[field]
    if (envelopeFields.has(field) || value === undefined || value === null) continue
    const text = typeof value === 'object' ? jsonText(value) : String(value)
    sum += fnv1a(fnv1a(FNV_OFFSET_BASIS, field), text ?? '')
  }
  return sum >>> 0
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
