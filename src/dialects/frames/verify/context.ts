/** The workspace in which the checks of one frame report violations and change the state. */

import type { Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { Rules, VerifyMode } from '../../../rules/rule.ts'
import {
  type Violation,
  type ViolationDetails,
  ViolationReporter,
  valuesOf,
} from '../../../rules/violation.ts'
import type { FrameRuleName } from './rule-names.ts'

/** A violation of a rule of {@link frameRules}. `eventIndex` counts all frames. */
export type FrameViolation = Violation<FrameRuleName> & {
  /** The stream: `<id>` in version 1, `<kind>/<id>` in version 2. Omitted if unknown. */
  stream?: string
  /** The `seq` of the frame. Omitted if it has none, and at the end. */
  seq?: number
}

/** Lowers the severity of a violation to a warning. */
export const AS_WARNING = { severity: 'warn' } as const

/** What is known of the log. */
export interface CommonState {
  /** The position of the next frame. */
  readonly nextIndex: number
  /** Whether streams and artifacts may be unknown: the log was joined late, or state was evicted. */
  readonly isPartial: boolean
}

/** What is known of every stream. */
export interface CommonStream {
  /** Which rules apply: those of sessions, those of tasks, or only the common ones. */
  readonly kind: 'session' | 'task' | 'other'
  /** `cancelled`: the final status of a cancelled task is missing. `ended`: the last frame arrived. */
  readonly phase: 'open' | 'cancelled' | 'ended'
  /** The expected `seq` of the next frame. */
  readonly nextSeq: number
  /** Whether earlier frames are missing, or state was evicted. Rules that depend on them then do not apply. */
  readonly hasGap: boolean
  /** The ids of the last frames before `nextSeq`, in order: at most 64. */
  readonly ids: readonly string[]
  /** The `timestamp_ms` of the last frame. */
  readonly time: number
}

/**
 * Collects the violations of one frame, or of the end of the log.
 *
 * @typeParam Stream - What a check needs to know of the stream.
 * @typeParam State - What a check needs to know of the log.
 */
export class FrameContext<
  Stream extends object = object,
  State extends object = object,
> extends ViolationReporter<FrameRuleName, FrameViolation> {
  /** The state of the stream, to be changed. */
  readonly stream: Mutable<CommonStream & Stream>
  /** The state of the log, to be changed. */
  readonly state: Mutable<CommonState & State>
  /** The position of the frame among all frames. */
  readonly index: number

  /**
   * @param stream - A copy of the state.
   * @param state - A copy of the state.
   */
  constructor(
    rules: Rules<FrameRuleName>,
    mode: VerifyMode,
    place: ViolationDetails<FrameViolation>,
    stream: CommonStream & Stream,
    state: CommonState & State,
    input?: unknown,
  ) {
    super(rules, mode, place, valuesOf(input))
    this.stream = stream
    this.state = state
    this.index = state.nextIndex
  }

  /** The step to the state after the frame. */
  done(): Step<CommonState & State, FrameViolation> {
    this.state.nextIndex++
    return this.stepTo(this.state)
  }
}
