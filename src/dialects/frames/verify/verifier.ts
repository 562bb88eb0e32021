/** Verifies a log of frames. */

import type { Issue } from '../../../core/decode-result.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { describeValue, requireBoolean, requireObject, requireOneOf } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { decodeFrame, requireVersion } from '../wire/decode.ts'
import { getStream, setStream, streamEntries } from '../wire/stream-map.ts'
import { type AnyFrame, type FrameV2Body, type FrameVersion, frameV1Types } from '../wire/types.ts'
import { streamKindOf } from '../wire/versions.ts'
import { checkArtifacts } from './check-artifact.ts'
import { checkBody, checkLeftOpen } from './check-body.ts'
import { checkPosition, checkStrictly, readEnvelope, streamName } from './check-envelope.ts'
import { checkTaskFrame } from './check-task.ts'
import { type FrameViolation, type Report, reporter, WARN } from './report.ts'
import { type FrameVerifierState, initialStream, type VerifiedStream } from './state.ts'

/** Options of {@link frameVerifier}. */
export interface FrameVerifierOptions {
  /** The version of the frames. */
  readonly version: FrameVersion
  /**
   * `strict` also reports ids that are not UUIDs, unknown types and unknown stream kinds.
   *
   * @defaultValue `'standard'`
   */
  readonly mode?: 'standard' | 'strict'
  /**
   * Whether a runtime generated the sessions. Such sessions start with `session_started` and end with
   * `session_ended`; others may omit both.
   *
   * @defaultValue `true`
   */
  readonly runtimeGenerated?: boolean
}

/**
 * Verifies a log of frames, of one stream or of interleaved streams, against {@link frameRules}. Never
 * throws on data and never stops: the host decides what a violation means. After a gap, rules that
 * depend on the missing frames do not apply.
 *
 * Pass each frame as parsed or as decoded. The end reports what never ended. Memory is bounded: of what
 * has ended, only the most recent items are kept.
 *
 * Diagnostics: `too-many-streams` if more than 1024 streams are open; `detail` is the evicted one.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { push, end } = run(frameVerifier({ version: 'v1' }))
 * const violations = [...frames.flatMap((frame) => [...push(frame)]), ...end()]
 * ```
 *
 * @see docs/spec/event-frames.md
 */
export function frameVerifier(
  options: FrameVerifierOptions,
): Machine<MachineState<'frameVerifier'>, AnyFrame, FrameViolation> {
  requireObject('options', options)
  const { version, mode = 'standard', runtimeGenerated = true } = options
  requireVersion(version)
  requireOneOf('mode', mode, ['standard', 'strict'])
  requireBoolean('runtimeGenerated', runtimeGenerated)
  const machine: Machine<FrameVerifierState, AnyFrame, FrameViolation> = {
    initial: { events: 0, streams: { others: {} }, artifacts: [] },
    step(state, input) {
      const builder = new StepBuilder<FrameVerifierState, FrameViolation>(state)
      const eventIndex = state.events
      builder.update({ events: eventIndex + 1 })
      const decoded = decodeFrame(input, { version })
      const isInvalid = decoded.status === 'invalid'
      const isReadable = !isInvalid || decoded.issues[0]?.code !== 'unreadable'
      const envelope = isReadable ? readEnvelope(input, version) : undefined
      const seq = envelope?.seq
      const place = {
        eventIndex,
        ...(envelope !== undefined && { stream: streamName(envelope.key) }),
        ...(seq !== undefined && { seq }),
      }
      const report = reporter(builder.out, place, input)
      if (isInvalid) reportIssues(decoded.issues, input, report)
      if (envelope === undefined) return builder.done()

      const fields = (decoded.status === 'known' ? decoded.event : input) as unknown as Fields
      const type = String(fields.type)
      const before = getStream(state.streams, envelope.key) ?? initialStream(rulesFor(envelope.kind, type))
      let stream = checkPosition(before, envelope, report)
      if (stream === undefined) return builder.done()
      if (mode === 'strict') {
        checkStrictly(before.kind, envelope, decoded.status === 'unknown' ? type : undefined, report)
      }
      checkAlias(fields, envelope.id, version, report)
      checkLifecycle(stream, type, runtimeGenerated, report)

      const isSession = stream.kind === 'session'
      if (decoded.status === 'known' && !(isSession && stream.phase === 'ended')) {
        const body: FrameV2Body = decoded.event
        stream = checkBody(stream, body, decoded.event.timestamp_ms, report)
        if ('task_id' in body) stream = checkTaskFrame(stream, body, envelope.id, report)
        if (version === 'v2') {
          builder.update({ artifacts: checkArtifacts(state.artifacts, body, stream.hasGap, report) })
        }
      }
      if (isSession && type === 'session_ended' && stream.phase === 'open') {
        checkLeftOpen(stream, report)
        stream = { ...stream, phase: 'ended', tools: [], details: {} }
      }
      builder.update({ streams: setStream(state.streams, envelope.key, stream, builder) })
      return builder.done()
    },
    end(state) {
      const out: FrameViolation[] = []
      for (const [key, stream] of streamEntries(state.streams)) {
        if (stream.phase !== 'open') continue
        const report = reporter(out, { eventIndex: state.events, stream: streamName(key) })
        if (stream.kind === 'task') {
          report('task-lifecycle', 'The log ends without a final status of the task.', undefined, WARN)
        }
        if (stream.kind !== 'session') continue
        if (runtimeGenerated) {
          report('session-lifecycle', 'The log ends without session_ended of the session.', undefined, WARN)
        }
        checkLeftOpen(stream, report)
      }
      return { state, out }
    },
  }
  return opaque(machine)
}

/** Reports the issues of an invalid frame. */
function reportIssues(issues: readonly Issue[], value: unknown, report: Report): void {
  for (const { code, path, message } of issues) {
    const isNumber = code === 'out-of-range' && isFields(value) && typeof value[path.slice(1)] === 'number'
    report(isNumber ? 'safe-integer' : 'envelope', message, path === '' ? undefined : path)
  }
}

const typesOfVersion1: readonly string[] = frameV1Types

/** The rules that apply to a stream. Version 1 does not name its kind: the first frame decides. */
function rulesFor(kind: string | undefined, firstType: string): VerifiedStream['kind'] {
  const inferred = kind ?? (typesOfVersion1.includes(firstType) ? streamKindOf(firstType) : '')
  return inferred === 'session' || inferred === 'task' ? inferred : 'other'
}

/** Checks `session_id` and `stream_id`, of which each version has one as an alias or not at all. */
function checkAlias(
  { session_id, stream_id }: Fields,
  id: string,
  version: FrameVersion,
  report: Report,
): void {
  if (version === 'v1') {
    if (stream_id === undefined) return
    const message = `Expected no stream_id in a frame of version 1, got ${describeValue(stream_id)}.`
    report('version-round-trip', message, '/stream_id')
  } else if (session_id !== undefined && session_id !== id) {
    const message = `Expected session_id ${describeValue(id)} as in stream_id, got ${describeValue(session_id)}.`
    report('stream-alias', message, '/session_id', { expected: id })
  }
}

/** Checks which frame starts a stream, and which frames may not follow. */
function checkLifecycle(
  { kind, phase, nextSeq, hasGap }: VerifiedStream,
  type: string,
  runtimeGenerated: boolean,
  report: Report,
): void {
  const isFirst = nextSeq === 1 && !hasGap
  const isStart = type === 'session_started'
  if (kind === 'session') {
    const rule = 'session-lifecycle'
    if (phase === 'ended') report(rule, `${type} after session_ended.`, '/type')
    else if (isStart && nextSeq > 1)
      report(rule, `session_started at seq ${nextSeq - 1}, expected at 0.`, '/type')
    else if (!isStart && isFirst && runtimeGenerated) {
      report(rule, `Expected session_started as the first frame, got ${type}.`, '/type')
    }
    return
  }
  const isTask = kind === 'task'
  const rule = isTask ? 'task-without-session' : 'session-lifecycle'
  if (isStart || type === 'session_ended') {
    report(rule, `${type} in a stream that is not a session.`, '/type')
  } else if (isTask && isFirst && type !== 'tool_task_spawned') {
    report(rule, `Expected tool_task_spawned as the first frame, got ${type}.`, '/type')
  }
}
