/** Numbering frames: from what is to be said to a frame of a stream. */
import type { Machine } from '../../../core/machine.ts'
import { decodeFrame, requireVersion } from './decode.ts'
import { invalidDiagnostic } from './diagnostics.ts'
import type { FrameBodyByVersion, FrameByVersion, FrameVersion } from './types.ts'

/** Which stream a frame belongs to. */
export interface FrameStream {
  /** What kind of stream. Version 1 does not say it. */
  readonly kind: 'session' | 'task' | 'thread' | 'artifact' | (string & {})
  /** The stream, among those of its kind: the id of the session or task. Not empty. */
  readonly id: string
}

/** What {@link frameSequencer} needs to know. */
export interface FrameSequencerOptions<V extends FrameVersion> {
  readonly version: V
  readonly stream: FrameStream
  /** Makes the `id` of a frame: unique, by the document a UUID. */
  readonly newId: () => string
  /** The clock: milliseconds since 1970. */
  readonly now: () => number
}

/** Where {@link frameSequencer} stands. */
export interface FrameSequencerState {
  /** The number of the next frame. */
  readonly seq: number
}

/**
 * Makes the frames of one stream: gives each body its envelope, and numbers them from 0 without
 * gaps. To go on with a stream, go on with the state.
 *
 * In version 2 it also writes `session_id`, as an alias, for readers of version 1.
 *
 * Diagnostics: `invalid-frame` for a body that is none, which takes no number.
 *
 * @throws TypeError for options that would make every frame invalid.
 *
 * @example
 * ```ts
 * const sequencer = frameSequencer({ version: 'v1', stream: { kind: 'session', id: sessionId }, newId, now })
 * const { push } = run(sequencer)
 * for (const frame of push({ type: 'session_started', input: 'hi' })) log.write(`${encodeFrame(frame)}\n`)
 * ```
 *
 * @see docs/spec/event-frames.md#invariants
 */
export function frameSequencer<V extends FrameVersion>(
  options: FrameSequencerOptions<V>,
): Machine<FrameSequencerState, FrameBodyByVersion[V], FrameByVersion[V]> {
  const { version, stream, newId, now } = options
  requireVersion(version)
  requireStream(stream)
  requireFunctions({ newId, now })
  return {
    initial: { seq: 0 },
    step({ seq }, body) {
      const frame = frameOf(version, stream, { id: newId(), timestamp_ms: now(), seq }, body)
      const decoded = decodeFrame(frame, { version })
      return decoded.status === 'invalid'
        ? { state: { seq }, out: [], diagnostics: [invalidDiagnostic('frame', decoded.issues)] }
        : { state: { seq: seq + 1 }, out: [decoded.event as FrameByVersion[V]] }
    },
    end: (state) => ({ state, out: [] }),
  }
}

/** A body in its envelope. The envelope wins where the body has fields of that name. */
export function frameOf(
  version: FrameVersion,
  { kind, id: stream }: FrameStream,
  { id, timestamp_ms, seq }: { id: string; timestamp_ms: number; seq: number },
  body: object,
): object {
  const envelope =
    version === 'v1'
      ? { id, session_id: stream, timestamp_ms, seq }
      : { id, session_id: stream, stream_kind: kind, stream_id: stream, timestamp_ms, seq }
  return Object.assign({ ...envelope, ...body }, envelope)
}

function requireStream({ kind, id }: FrameStream): void {
  if (typeof kind === 'string' && kind !== '' && typeof id === 'string' && id !== '') return
  throw new TypeError('A stream needs kind and id as non-empty strings, such as { kind: "session", id }.')
}

/** Refuses what is handed in instead of a function. */
export function requireFunctions(functions: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== 'function') throw new TypeError(`${name} must be a function.`)
  }
}
