/** The rules of the envelope: where a frame stands, and whether it may stand there. */
import { isFields } from '../../../validation/predicates.ts'
import type { FrameVersion } from '../wire/types.ts'
import type { Report } from './rules.ts'
import { remember, type VerifiedStream } from './state.ts'

/** Where a frame stands, as far as it can be read. */
export interface Place {
  /** In the state. Begins with a digit, so that no stream can be named after what all objects have. */
  readonly key: string
  /** Absent in version 1. */
  readonly kind: string | undefined
  /** The id of the stream. */
  readonly id: string
  readonly frameId: string
  readonly seq: number | undefined
  readonly time: number | undefined
}

/** Reads what can be read of the envelope, also where the frame as a whole is not valid. */
export function placeOf(value: unknown, version: FrameVersion): Place | undefined {
  if (!isFields(value)) return undefined
  const isV1 = version === 'v1'
  const id = isV1 ? value.session_id : value.stream_id
  const kind = isV1 ? '' : value.stream_kind
  if (typeof id !== 'string' || typeof kind !== 'string') return undefined
  return {
    key: isV1 ? `0:${id}` : `${kind.length}:${kind}/${id}`,
    kind: isV1 ? undefined : kind,
    id,
    frameId: String(value.id),
    seq: numberIn(value.seq),
    time: numberIn(value.timestamp_ms),
  }
}

function numberIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** A stream as violations name it. */
export function streamName(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}

/** The stream with one more frame in it; `undefined` when the frame was there before, or another was. */
export function verifyPlace(
  stream: VerifiedStream,
  place: Place,
  report: Report,
): VerifiedStream | undefined {
  const { next } = stream
  const { frameId, seq = next, time = stream.time } = place
  const rule = 'unique-id'
  if (seq < next) {
    // Beyond what is remembered it is taken for the same frame.
    const expected = stream.ids.at(seq - next) ?? frameId
    if (expected === frameId) report(rule, '/id', { severity: 'warn' })
    else report(rule, '/id', { expected })
    return undefined
  }
  if (stream.ids.includes(frameId)) report(rule, '/id')
  const isGap = seq > next
  if (isGap) report('sequence', '/seq', { expected: next })
  if (time < stream.time) report('time-order', '/timestamp_ms', { expected: stream.time })
  const ids = isGap ? [frameId] : remember(stream.ids, frameId)
  return { ...stream, next: seq + 1, time, ids, isHoled: stream.isHoled || isGap }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What only strict mode reports. */
export function verifyStrictly(
  rules: VerifiedStream['kind'],
  { frameId, id, kind = 'session' }: Place,
  isUnknown: boolean,
  report: Report,
): void {
  if (!UUID.test(frameId)) report('envelope', '/id')
  if (rules !== 'task' && kind === 'session' && !UUID.test(id)) report('envelope', '/session_id')
  if (isUnknown) report('open-world', '/type')
  if (!['session', 'task', 'thread', 'artifact'].includes(kind)) report('open-world', '/stream_kind')
}
