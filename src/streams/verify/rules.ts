/** When a stream of events is legal, as data. {@link verifier} checks it. */
import { type ArtifactRuleName, artifactRules } from './artifact-rules.ts'
import { type RequestRuleName, requestRules } from './request-rules.ts'
import type { RuleMeta } from './rule.ts'
import { type TaskRuleName, taskRules } from './task-rules.ts'
import { type TextRuleName, textRules } from './text-rules.ts'
import { type ToolRuleName, toolRules } from './tool-rules.ts'

/**
 * How much a verifier asks for:
 *
 * - `strict`: everything, for a producer's own tests
 * - `standard`: what a consumer relies on
 * - `lenient`: also the streams of producers that follow “Streaming & Eventing Architecture”, which
 *   begin tasks without saying so and count as it comes
 */
export type VerifyMode = 'strict' | 'standard' | 'lenient'

/** The names of {@link eventRules}. */
export type EventRuleName = TaskRuleName | TextRuleName | ToolRuleName | RequestRuleName | ArtifactRuleName

/** A rule streams obey. */
export interface EventRule extends RuleMeta {
  /** Stable, for programs. */
  readonly rule: EventRuleName
}

/** One event, or the end of a stream, that breaks a rule. */
export interface Violation {
  /** Which rule. */
  rule: EventRuleName
  /** How bad it is, by the mode of the verifier. */
  severity: 'error' | 'warn'
  /** For people, in English. May change in any release. */
  message: string
  /**
   * Position of the event in the stream, from 0, or from where it was joined; at the end, the position
   * after the last event.
   */
  eventIndex: number
  /** Absent: the event does not say, or the whole stream is meant. */
  contextId?: string
  /** Absent: the event does not say, or the whole stream is meant. */
  taskId?: string
  /** JSON pointer to the part of the event that is meant. Absent: the whole event, or the end. */
  path?: string
  /** What the rule asks for here. Absent: the message says it. */
  expected?: unknown
  /** What is there instead. Absent: nothing, or the message says it. */
  actual?: unknown
}

/** The rules by name. */
export const ruleMeta: Readonly<Record<EventRuleName, RuleMeta>> = {
  ...taskRules,
  ...textRules,
  ...toolRules,
  ...requestRules,
  ...artifactRules,
}

/** All rules, including those that events alone cannot show to be broken, in the order of their ids. */
export const eventRules: readonly EventRule[] = (Object.keys(ruleMeta) as EventRuleName[])
  .map((rule) => ({ rule, ...ruleMeta[rule] }))
  .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
