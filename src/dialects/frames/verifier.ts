/** Whether a log of frames is legal. */
import { type Fields, isFields } from '../../checks.ts'
import type { Machine, Note } from '../../machine.ts'
import { decodeFrame } from './decode.ts'
import { stepTo } from './notes.ts'
import type { FrameViolation } from './rules.ts'
import { withStream } from './streams.ts'
import { type AnyFrame, type FrameV2Body, type FrameVersion, frameV1Types } from './types.ts'
import { Findings, type FrameVerifierState, newStream, type VerifiedStream } from './verifier-state.ts'
import { verifyArtifacts } from './verify-artifacts.ts'
import {
  findingsAt,
  placeOf,
  reportInvalid,
  streamName,
  verifyPlace,
  verifyStrictly,
} from './verify-place.ts'
import { verifyTask } from './verify-task.ts'
import { verifyLeftOpen, verifyWithin } from './verify-tools.ts'
import { streamKindOf } from './versions.ts'

/** Settings of {@link frameVerifier}. */
export interface FrameVerifierOptions {
  readonly version: FrameVersion
  /**
   * `strict` also reports ids that are no UUIDs, unknown types and unknown stream kinds.
   * @defaultValue `'standard'`
   */
  readonly mode?: 'standard' | 'strict'
  /**
   * Whether sessions are those of a runtime, which begin with `session_started` and end with
   * `session_ended`. Others may leave both out.
   * @defaultValue `true`
   */
  readonly runtimeGenerated?: boolean
}

/**
 * Checks a log of frames, of one stream or of many interleaved ones, against {@link frameRules}. Never
 * throws on data and never stops: what a violation means is up to the host. After a gap, what a
 * missing frame may have said is not asked for.
 *
 * Give it frames as they come, or the values `decodeFrame` takes. The end reports what never ended.
 * Memory is bounded: of what is over, only the latest is remembered.
 *
 * Notes: `too-many-streams` when more than 1024 streams are open; the oldest is forgotten.
 *
 * @throws TypeError when the version is none.
 *
 * @example
 * ```ts
 * const { push, end } = run(frameVerifier({ version: 'v1' }))
 * const violations = [...frames.flatMap((frame) => [...push(frame)]), ...end()]
 * ```
 *
 * @see Event Frames, “Invariants”
 */
export function frameVerifier({
  version,
  mode = 'standard',
  runtimeGenerated = true,
}: FrameVerifierOptions): Machine<FrameVerifierState, AnyFrame, FrameViolation> {
  const isStrict = mode === 'strict'
  // Refuses a version that is none before there is any frame.
  decodeFrame(undefined, { version })
  return {
    initial: { streams: {}, artifacts: [] },
    step(state, input) {
      const place = placeOf(input, version)
      const found = findingsAt(place)
      const decoded = decodeFrame(input, { version })
      if (decoded.status === 'invalid') reportInvalid(decoded.issues, input, found)
      if (place === undefined) return { state, out: found.list }

      const type = typeIn(decoded.status === 'known' ? decoded.event : input)
      const before = state.streams[place.key]
      const known = before ?? newStream(rulesFor(place.kind, type))
      let stream = verifyPlace(known, place, found)
      if (stream === undefined) return { state, out: found.list }
      if (isStrict) verifyStrictly(known, place, decoded.status === 'unknown' ? type : undefined, found)
      if (version === 'v1' && isFields(input) && input.stream_id !== undefined) {
        found.error('version-round-trip', 'A field of version 2.', { path: '/stream_id' })
      }
      const isFirst = before === undefined && !stream.isHoled
      verifyLifecycle(stream, type, isFirst, runtimeGenerated, found)
      let { artifacts } = state
      if (decoded.status === 'known' && !isEndedSession(known)) {
        const body: FrameV2Body = decoded.event
        stream = verifyWithin(stream, body, decoded.event.timestamp_ms, found)
        if ('task_id' in body) stream = verifyTask(stream, body, place.id, found)
        if (version === 'v2') artifacts = verifyArtifacts(artifacts, body, stream.isHoled, found)
      }
      if (type === 'session_ended' && stream.kind === 'session' && stream.phase === 'open') {
        verifyLeftOpen(stream, found)
        stream = { ...stream, phase: 'ended', tools: [], more: {} }
      }
      const notes: Note[] = []
      const streams = withStream(state.streams, place.key, stream, notes)
      return stepTo({ streams, artifacts }, found.list, notes)
    },
    end: (state) => ({ state, out: unended(state, runtimeGenerated) }),
  }
}

function typeIn(value: unknown): string {
  return String((value as Fields).type)
}

const typesOfVersion1: readonly string[] = frameV1Types

/** Which rules a stream obeys. Version 1 does not name its kind; the first frame shows it. */
function rulesFor(kind: string | undefined, firstType: string): VerifiedStream['kind'] {
  const shown = kind ?? (typesOfVersion1.includes(firstType) ? streamKindOf(firstType) : '')
  return shown === 'session' || shown === 'task' ? shown : 'other'
}

function isEndedSession({ kind, phase }: VerifiedStream): boolean {
  return kind === 'session' && phase === 'ended'
}

/** What may be the first frame of a stream, what only there, and what not at all. */
function verifyLifecycle(
  stream: VerifiedStream,
  type: string,
  isFirst: boolean,
  runtimeGenerated: boolean,
  found: Findings,
): void {
  const path = { path: '/type', actual: type }
  const isSessionFrame = type === 'session_started' || type === 'session_ended'
  switch (stream.kind) {
    case 'task':
      if (isSessionFrame) found.error('task-without-session', 'A task has no such frames.', path)
      else if (isFirst && type !== 'tool_task_spawned') {
        found.error('task-without-session', 'A task begins with tool_task_spawned.', path)
      }
      break
    case 'other':
      if (isSessionFrame) found.error('session-lifecycle', 'Only a session has such frames.', path)
      break
    case 'session':
      if (stream.phase === 'ended') found.error('session-lifecycle', 'The session has ended.', path)
      else if (type === 'session_started' && stream.next > 1) {
        found.error('session-lifecycle', 'Only the first frame is a session_started.', path)
      } else if (isFirst && type !== 'session_started' && runtimeGenerated) {
        found.error('session-lifecycle', 'A session begins with session_started.', path)
      }
      break
  }
}

/** What never ended. */
function unended({ streams }: FrameVerifierState, runtimeGenerated: boolean): FrameViolation[] {
  return Object.entries(streams).flatMap(([key, stream]) => {
    if (stream.phase === 'ended' || stream.more.task?.status === 'cancelled') return []
    const found = new Findings({ stream: streamName(key) })
    if (stream.kind === 'task') found.warn('task-lifecycle', 'The task never ends.')
    if (stream.kind === 'session') {
      if (runtimeGenerated) found.warn('session-lifecycle', 'The session never ends.')
      verifyLeftOpen(stream, found)
    }
    return found.list
  })
}
