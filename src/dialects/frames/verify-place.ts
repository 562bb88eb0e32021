/** The rules of the envelope: where a frame stands, and whether it may stand there. */
import { isFields } from '../../checks.ts'
import type { Issue } from '../../decoded.ts'
import type { FrameVersion } from './types.ts'
import { Findings, remember, type VerifiedStream } from './verifier-state.ts'

/** Where a frame stands, as far as it can be read. */
export interface Place {
  /** In the state. Begins with a digit, so that no stream can be named after what all objects have. */
  readonly key: string
  /** Absent in version 1. */
  readonly kind?: string
  /** The id of the stream. */
  readonly id: string
  /** Another name for the stream, in version 2. */
  readonly alias: unknown
  readonly frameId: unknown
  readonly seq: number | undefined
  readonly time: number | undefined
}

/** Reads what can be read of the envelope, also where the frame as a whole is not valid. */
export function placeOf(value: unknown, version: FrameVersion): Place | undefined {
  try {
    if (!isFields(value)) return undefined
    const { id: frameId, session_id, stream_kind, stream_id } = value
    const seq = numberIn(value.seq)
    const time = numberIn(value.timestamp_ms)
    if (version === 'v1') {
      if (typeof session_id !== 'string') return undefined
      return { key: `0:${session_id}`, id: session_id, alias: undefined, frameId, seq, time }
    }
    if (typeof stream_id !== 'string' || typeof stream_kind !== 'string') return undefined
    const key = `${stream_kind.length}:${stream_kind}/${stream_id}`
    return { key, kind: stream_kind, id: stream_id, alias: session_id, frameId, seq, time }
  } catch {
    return undefined
  }
}

function numberIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** Collects the findings of a frame at a place. */
export function findingsAt(place: Place | undefined): Findings {
  if (place === undefined) return new Findings({})
  const stream = streamName(place.key)
  return new Findings(place.seq === undefined ? { stream } : { stream, seq: place.seq })
}

/** A stream as violations name it. */
export function streamName(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}

/** Says what is wrong with a value that is no frame. */
export function reportInvalid(issues: readonly Issue[], value: unknown, found: Findings): void {
  for (const { code, path, message } of issues) {
    const actual = code === 'out-of-range' && isFields(value) ? value[path.slice(1)] : undefined
    if (typeof actual === 'number') found.error('safe-integer', message, { path, actual })
    else found.error('envelope', message, { path })
  }
}

/** The stream with one more frame in it; `undefined` when the frame was there before, or another was. */
export function verifyPlace(
  stream: VerifiedStream,
  place: Place,
  found: Findings,
): VerifiedStream | undefined {
  const { frameId, seq = stream.next, time = stream.time, alias, id } = place
  const { next } = stream
  const text = String(frameId)
  if (alias !== undefined && alias !== null && alias !== id) {
    const more = { path: '/session_id', expected: id, actual: alias }
    found.error('stream-alias', 'Not the stream_id.', more)
  }
  if (seq < next) {
    reportRepeated(stream.ids.at(seq - next), text, found)
    return undefined
  }
  if (stream.ids.includes(text)) {
    found.error('unique-id', 'Another frame has this id.', { path: '/id', actual: frameId })
  }
  const isGap = seq > next
  if (isGap) {
    const message = next === 0 ? 'The first frame has the number 0.' : 'Frames are missing.'
    found.error('sequence', message, { path: '/seq', expected: next, actual: seq })
  }
  if (time < stream.time) {
    const more = { path: '/timestamp_ms', expected: stream.time, actual: time }
    found.warn('time-order', 'Earlier than the frame before.', more)
  }
  const ids = isGap ? [text] : remember(stream.ids, text)
  return { ...stream, next: seq + 1, time, ids, isHoled: stream.isHoled || isGap }
}

function reportRepeated(before: string | undefined, id: string, found: Findings): void {
  const rule = 'unique-id'
  if (before === undefined) {
    found.warn(rule, 'It has the number of a frame that is too long ago to compare.', { path: '/seq' })
  } else if (before === id) found.warn(rule, 'The frame was there before.', { path: '/id', actual: id })
  else {
    const more = { path: '/id', expected: before, actual: id }
    found.error(rule, 'Another frame has this number.', more)
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const STREAM_KINDS: readonly (string | undefined)[] = ['session', 'task', 'thread', 'artifact', undefined]

/** What only strict mode reports. */
export function verifyStrictly(
  { kind: rules }: VerifiedStream,
  { frameId, id, alias, kind }: Place,
  unknownType: string | undefined,
  found: Findings,
): void {
  if (typeof frameId === 'string' && !UUID.test(frameId)) {
    found.error('envelope', 'Not a UUID.', { path: '/id', actual: frameId })
  }
  const session = kind === undefined ? id : alias
  if (rules !== 'task' && typeof session === 'string' && !UUID.test(session)) {
    found.error('envelope', 'Not a UUID.', { path: '/session_id', actual: session })
  }
  if (unknownType !== undefined) {
    found.warn('open-world', 'A type the document does not have.', { path: '/type', actual: unknownType })
  }
  if (!STREAM_KINDS.includes(kind)) {
    const more = { path: '/stream_kind', actual: kind }
    found.warn('open-world', 'A kind of stream the document does not have.', more)
  }
}
