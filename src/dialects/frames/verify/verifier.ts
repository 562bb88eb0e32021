/** Whether a log of frames is legal. */

import type { Issue } from '../../../core/decoded.ts'
import type { Diagnostic, Machine } from '../../../core/machine.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { decodeFrame, requireVersion } from '../wire/decode.ts'
import { stepTo } from '../wire/diagnostics.ts'
import { allStreams, streamIn, withStream } from '../wire/stream-map.ts'
import { type AnyFrame, type FrameV2Body, type FrameVersion, frameV1Types } from '../wire/types.ts'
import { streamKindOf } from '../wire/versions.ts'
import { verifyArtifacts, verifyBody, verifyLeftOpen } from './check-body.ts'
import { placeOf, streamName, verifyPlace, verifyStrictly } from './check-envelope.ts'
import { verifyTask } from './check-task.ts'
import { type FrameViolation, type Report, reporter } from './rules.ts'
import type { FrameVerifierState, VerifiedStream } from './state.ts'

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
 * Diagnostics: `too-many-streams` when more than 1024 streams are open; the oldest is forgotten.
 *
 * @throws TypeError when the version is none.
 *
 * @example
 * ```ts
 * const { push, end } = run(frameVerifier({ version: 'v1' }))
 * const violations = [...frames.flatMap((frame) => [...push(frame)]), ...end()]
 * ```
 *
 * @see docs/spec/event-frames.md#invariants
 */
export function frameVerifier({
  version,
  mode = 'standard',
  runtimeGenerated = true,
}: FrameVerifierOptions): Machine<FrameVerifierState, AnyFrame, FrameViolation> {
  requireVersion(version)
  return {
    initial: { streams: { others: {} }, artifacts: [] },
    step(state, input) {
      const out: FrameViolation[] = []
      const decoded = decodeFrame(input, { version })
      const isInvalid = decoded.status === 'invalid'
      const isReadable = !isInvalid || decoded.issues[0]?.code !== 'unreadable'
      const place = isReadable ? placeOf(input, version) : undefined
      const seq = place?.seq
      const where = place && { stream: streamName(place.key), ...(seq !== undefined && { seq }) }
      const report = reporter(out, where ?? {}, input)
      if (isInvalid) reportInvalid(decoded.issues, input, report)
      if (place === undefined) return { state, out }

      const fields = (decoded.status === 'known' ? decoded.event : input) as unknown as Fields
      const type = String(fields.type)
      const before = streamIn(state.streams, place.key)
      const known = before ?? newStream(rulesFor(place.kind, type))
      let stream = verifyPlace(known, place, report)
      if (stream === undefined) return { state, out }
      if (mode === 'strict') verifyStrictly(known.kind, place, decoded.status === 'unknown', report)
      const { session_id = place.id, stream_id } = fields
      if (version === 'v1') {
        if (stream_id !== undefined) report('version-round-trip', '/stream_id')
      } else if (session_id !== place.id) report('stream-alias', '/session_id', { expected: place.id })
      verifyLifecycle(stream, type, runtimeGenerated, report)

      let { artifacts } = state
      const isSession = stream.kind === 'session'
      if (decoded.status === 'known' && !(isSession && stream.phase === 'ended')) {
        const body: FrameV2Body = decoded.event
        stream = verifyBody(stream, body, decoded.event.timestamp_ms, report)
        if ('task_id' in body) stream = verifyTask(stream, body, place.id, report)
        if (version === 'v2') artifacts = verifyArtifacts(artifacts, body, stream.isHoled, report)
      }
      if (isSession && type === 'session_ended' && stream.phase === 'open') {
        verifyLeftOpen(stream, report)
        stream = { ...stream, phase: 'ended', tools: [], more: {} }
      }
      const diagnostics: Diagnostic[] = []
      const streams = withStream(state.streams, place.key, stream, diagnostics)
      return stepTo({ streams, artifacts }, out, diagnostics)
    },
    end(state) {
      const out: FrameViolation[] = []
      for (const [key, stream] of allStreams(state.streams)) {
        if (stream.phase !== 'open') continue
        const report = reporter(out, { stream: streamName(key) })
        if (stream.kind === 'task') report('task-lifecycle', undefined, { severity: 'warn' })
        if (stream.kind !== 'session') continue
        if (runtimeGenerated) report('session-lifecycle', undefined, { severity: 'warn' })
        verifyLeftOpen(stream, report)
      }
      return { state, out }
    },
  }
}

function newStream(kind: VerifiedStream['kind']): VerifiedStream {
  return { kind, phase: 'open', next: 0, isHoled: false, ids: [], time: 0, tools: [], more: {} }
}

/** Says what is wrong with a value that is no frame. */
function reportInvalid(issues: readonly Issue[], value: unknown, report: Report): void {
  for (const { code, path, message } of issues) {
    const isNumber = code === 'out-of-range' && isFields(value) && typeof value[path.slice(1)] === 'number'
    report(isNumber ? 'safe-integer' : 'envelope', path === '' ? undefined : path, { message })
  }
}

const typesOfVersion1: readonly string[] = frameV1Types

/** Which rules a stream obeys. Version 1 does not name its kind; the first frame shows it. */
function rulesFor(kind: string | undefined, firstType: string): VerifiedStream['kind'] {
  const shown = kind ?? (typesOfVersion1.includes(firstType) ? streamKindOf(firstType) : '')
  return shown === 'session' || shown === 'task' ? shown : 'other'
}

/** What may be the first frame of a stream, what only there, and what not at all. */
function verifyLifecycle(
  { kind, phase, next, isHoled }: VerifiedStream,
  type: string,
  runtimeGenerated: boolean,
  report: Report,
): void {
  const isFirst = next === 1 && !isHoled
  const isStart = type === 'session_started'
  const isSessionFrame = isStart || type === 'session_ended'
  const isTask = kind === 'task'
  const isWrong =
    kind === 'session'
      ? phase === 'ended' || (isStart ? next > 1 : isFirst && runtimeGenerated)
      : isSessionFrame || (isTask && isFirst && type !== 'tool_task_spawned')
  if (isWrong) report(isTask ? 'task-without-session' : 'session-lifecycle', '/type')
}
