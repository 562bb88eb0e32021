/** Rules of the envelope: stream, id, seq and time of a frame. */
import { describeValue } from '../../../core/require.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { FrameVersion } from '../wire/types.ts'
import { type Report, WARN } from './report.ts'
import { pushBounded, type VerifiedStream } from './state.ts'

/** The readable fields of an envelope. */
export interface Envelope {
  /** The key of the stream in the state. Starts with a digit: no object has a member of that name. */
  readonly key: string
  /** The kind of the stream. Omitted in version 1. */
  readonly kind: string | undefined
  /** The id of the stream. */
  readonly id: string
  readonly frameId: string
  readonly seq: number | undefined
  readonly time: number | undefined
}

/** Reads the envelope, even of an invalid frame; `undefined` if the stream cannot be determined. */
export function readEnvelope(value: unknown, version: FrameVersion): Envelope | undefined {
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
    seq: integerOf(value.seq),
    time: integerOf(value.timestamp_ms),
  }
}

function integerOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** The name of a stream in violations. */
export function streamName(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}

/** Adds a frame to its stream; `undefined` if its `seq` is taken by the same or another frame. */
export function checkPosition(
  stream: VerifiedStream,
  envelope: Envelope,
  report: Report,
): VerifiedStream | undefined {
  const { nextSeq } = stream
  const { frameId, seq = nextSeq, time = stream.time } = envelope
  const rule = 'unique-id'
  const id = describeValue(frameId)
  if (seq < nextSeq) {
    // A frame older than the ids kept is treated as a repetition.
    const expected = stream.ids.at(seq - nextSeq) ?? frameId
    if (expected === frameId) report(rule, `Repeated frame ${id} with seq ${seq}.`, '/id', WARN)
    else
      report(rule, `Expected id ${describeValue(expected)} for seq ${seq}, got ${id}.`, '/id', { expected })
    return undefined
  }
  if (stream.ids.includes(frameId)) report(rule, `Duplicate id ${id}.`, '/id')
  const isGap = seq > nextSeq
  if (isGap) report('sequence', `Expected seq ${nextSeq}, got ${seq}.`, '/seq', { expected: nextSeq })
  if (time < stream.time) {
    const message = `Expected timestamp_ms >= ${stream.time}, got ${time}.`
    report('time-order', message, '/timestamp_ms', { expected: stream.time })
  }
  const ids = isGap ? [frameId] : pushBounded(stream.ids, frameId)
  return { ...stream, nextSeq: seq + 1, time, ids, hasGap: stream.hasGap || isGap }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const KINDS: readonly string[] = ['session', 'task', 'thread', 'artifact']

/**
 * Checks what only strict mode reports.
 *
 * @param type - The type of the frame, if it is unknown.
 */
export function checkStrictly(
  rules: VerifiedStream['kind'],
  { frameId, id, kind = 'session' }: Envelope,
  type: string | undefined,
  report: Report,
): void {
  if (!UUID.test(frameId)) report('envelope', `Expected a UUID as id, got ${describeValue(frameId)}.`, '/id')
  if (rules !== 'task' && kind === 'session' && !UUID.test(id)) {
    report('envelope', `Expected a UUID as session_id, got ${describeValue(id)}.`, '/session_id')
  }
  if (type !== undefined) report('open-world', `Unknown frame type ${describeValue(type)}.`, '/type')
  if (!KINDS.includes(kind))
    report('open-world', `Unknown stream kind ${describeValue(kind)}.`, '/stream_kind')
}
