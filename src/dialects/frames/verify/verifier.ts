/** Verifies a log of frames. */

import { boundedEntries, boundedGet, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireBoolean } from '../../../core/require.ts'
import { readVerifierOptions } from '../../../rules/options.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import type { ViolationDetails } from '../../../rules/violation.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { requireVersion } from '../wire/codec/decode.ts'
import { frameShapeOf } from '../wire/codec/frame-shape.ts'
import { streamKindOf } from '../wire/stream/frame-stream.ts'
import { readFrame } from '../wire/stream/read-frame.ts'
import type { AnyFrame, FrameVersion } from '../wire/types.ts'
import { FrameContext, type FrameViolation } from './context.ts'
import { checkArtifacts } from './rules/artifact.ts'
import { checkEnvelope, readEnvelope, reportIssues, streamName, textOf } from './rules/envelope.ts'
import { checkBody, frameRuleMeta } from './rules/index.ts'
import { checkLifecycle, checkLogEnd, endSession } from './rules/lifecycle.ts'
import { checkPosition } from './rules/position.ts'
import { checkTaskFrame } from './rules/task.ts'
import { copyStream, type FrameVerifierState, newStream, type VerifiedStream } from './state.ts'

/** Options of {@link frameVerifier}. */
export interface FrameVerifierOptions {
  /** The version of the frames. */
  readonly version: FrameVersion
  /**
   * How much is checked: {@link frameRules} has the severity of each rule by mode. Only `strict` reports ids that are
   * not UUIDs, unknown types and unknown stream kinds.
   *
   * @defaultValue `'standard'`
   */
  readonly mode?: VerifyMode
  /**
   * The `eventIndex` of the first frame. Above 0, the log was joined late: streams may begin at any `seq`, and earlier
   * frames of these streams are unknown.
   *
   * @defaultValue 0
   */
  readonly startIndex?: number
  /**
   * Whether a runtime generated the sessions. Such sessions start with `session_started` and end with
   * `session_ended`; others may omit both.
   *
   * @defaultValue `true`
   */
  readonly runtimeGenerated?: boolean
}

type Context = FrameContext<VerifiedStream, FrameVerifierState>

/**
 * Verifies a log of frames, of one stream or of interleaved streams, against {@link frameRules}. Never
 * throws on data and never stops: the host decides what a violation means. After a gap, rules that
 * depend on the missing frames do not apply.
 *
 * Pass each frame as parsed or as decoded. The end reports what never ended. Memory is bounded.
 *
 * Diagnostics: `state-evicted` if there are more than 1024 streams, artifacts, or calls of a stream; from then on,
 * unknown ones are not violations.
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
  const { mode, startIndex } = readVerifierOptions(options, ['version', 'runtimeGenerated'])
  const { version, runtimeGenerated = true } = options
  requireVersion(version)
  requireBoolean('runtimeGenerated', runtimeGenerated)
  const contextOf = (
    { nextIndex, streams, artifacts, isPartial }: FrameVerifierState,
    place: ViolationDetails<FrameViolation>,
    stream: VerifiedStream,
    input?: unknown,
  ): Context => {
    const state = { nextIndex, streams, artifacts, isPartial }
    return new FrameContext(frameRuleMeta, mode, place, copyStream(stream), state, input)
  }
  const machine: Machine<FrameVerifierState, AnyFrame, FrameViolation> = {
    initial: {
      nextIndex: startIndex,
      streams: emptyBoundedMap,
      artifacts: emptyBoundedMap,
      isPartial: startIndex > 0,
    },
    step(state, input) {
      const decoded = readFrame(input, version)
      const isInvalid = decoded.status === 'invalid'
      const isReadable = !isInvalid || decoded.issues[0]?.code !== 'unreadable'
      const envelope = isReadable ? readEnvelope(input, version) : undefined
      const eventIndex = state.nextIndex
      if (envelope === undefined) {
        const readable = isReadable ? input : undefined
        const context = contextOf(state, { eventIndex }, newStream('other', 0), readable)
        if (isInvalid) reportIssues(context, decoded.issues, readable)
        return context.done()
      }
      const { key, seq } = envelope
      const fields = (decoded.status === 'known' ? decoded.event : input) as unknown as Fields
      const type = textOf(fields.type)
      const known = boundedGet(state.streams, key)
      const before = known ?? newStream(rulesFor(envelope.kind, type), state.isPartial ? (seq ?? 0) : 0)
      const place = { eventIndex, stream: streamName(key, version), ...(seq !== undefined && { seq }) }
      const context = contextOf(state, place, before, input)
      if (isInvalid) reportIssues(context, decoded.issues, input)
      if (!checkPosition(context, envelope)) return context.done()
      checkEnvelope(context, envelope, fields, decoded.status === 'unknown' ? type : undefined)
      checkLifecycle(context, type, runtimeGenerated)
      const isOpenSession = context.stream.kind === 'session' && context.stream.phase === 'open'
      if (decoded.status === 'known' && (isOpenSession || context.stream.kind !== 'session')) {
        const { event } = decoded
        checkBody(context, event, event.timestamp_ms)
        if ('task_id' in event) checkTaskFrame(context, event, envelope.id)
        if (version === 'v2') checkArtifacts(context, event)
      }
      if (isOpenSession && type === 'session_ended') endSession(context)
      storeStream(context, key)
      return context.done()
    },
    end(state) {
      const out: FrameViolation[] = []
      const streams = [...boundedEntries(state.streams)].sort(([a], [b]) => (a < b ? -1 : 1))
      for (const [key, stream] of streams) {
        const place = { eventIndex: state.nextIndex, stream: streamName(key, version) }
        const context = contextOf(state, place, stream)
        checkLogEnd(context, runtimeGenerated)
        out.push(...context.violations)
      }
      return { state, out }
    },
  }
  return opaque(machine)
}

/** Stores the stream. Of a session that ended, only its position. */
function storeStream(context: Context, key: string): void {
  const { kind, phase, nextSeq, hasGap, ids, time } = context.stream
  const isOver = kind === 'session' && phase === 'ended'
  const stream = isOver ? { ...newStream(kind, 0), phase, nextSeq, hasGap, ids, time } : context.stream
  if (context.store<'streams', VerifiedStream>(context.state, 'streams', key, stream, MAX_ITEMS))
    context.state.isPartial = true
}

/** The rules that apply to a stream. Version 1 does not name its kind: the first frame decides. */
function rulesFor(kind: string | undefined, firstType: string): VerifiedStream['kind'] {
  const inferred = kind ?? (frameShapeOf('v1', firstType) && streamKindOf(firstType))
  return inferred === 'session' || inferred === 'task' ? inferred : 'other'
}
