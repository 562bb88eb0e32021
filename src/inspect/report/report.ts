/** What inspecting a recording results in. `turnstream inspect --json` prints it with the events. */

import type { Usage } from '../../events/usage.ts'
import type { Finding, Severity } from '../check/finding.ts'
import type { Dialect } from '../dialects.ts'

/** What a recording holds. */
export interface Report {
  /** The format of the recording; of a HAR file, that of the first entry with a known one. `null` if it was not recognized. */
  readonly dialect: Dialect | null
  /** The format that is nearly as likely. Omitted if there is none, or the format was given. */
  readonly runnerUp?: Dialect
  /** The formats of the entries of a HAR file, in order. Omitted if there is one at most. */
  readonly dialects?: readonly Dialect[]
  /** The tasks, each with those it created, in the order of their first events. At most 1000. */
  readonly tasks: readonly TaskReport[]
  /** What is wrong, in the order of the lines. At most 1000. */
  readonly diagnostics: readonly Finding[]
  readonly totals: Totals
}

/** One task. */
export interface TaskReport {
  readonly taskId: string
  readonly contextId: string
  /** The agent that does it. Omitted if unknown. */
  readonly name?: string
  /** Its last status. `null` if it has none. */
  readonly status: string | null
  /** The line of its first event. */
  readonly startLine: number
  /** From its first event to its last, in milliseconds. Omitted if the recording states no times. */
  readonly durationMs?: number
  /** Why it failed. Omitted if it did not, or nothing is known. */
  readonly error?: string
  /** Its calls of tools, in order. */
  readonly tools: readonly ToolReport[]
  /** Its thoughts, in order. */
  readonly thoughts: readonly ThoughtReport[]
  /** The length of its text in UTF-16 code units. */
  readonly textLength: number
  /** The tokens it used, by model. Omitted if unknown. */
  readonly usage?: readonly Usage[]
  /** The tasks that it created. */
  readonly children: readonly TaskReport[]
}

/** One call of a tool. */
export interface ToolReport {
  readonly toolCallId: string
  readonly toolName: string
  /** `requested`: the model has asked for it; `running`: it has started. */
  readonly status: 'requested' | 'running' | 'completed' | 'failed'
  /** The line of its first event. */
  readonly line: number
  /**
   * How long it ran, in milliseconds: as its end states, or from its start to its end, without the writing of its arguments.
   * Omitted if unknown.
   */
  readonly durationMs?: number
  /** The arguments as JSON, cut off unless all of them were asked for. Omitted before they are complete. */
  readonly arguments?: string
}

/** One thought. */
export interface ThoughtReport {
  /** The line of its first event. */
  readonly line: number
  /** The text, cut off unless all of it was asked for. */
  readonly text: string
  /** The length of the text in UTF-16 code units. */
  readonly length: number
}

/** Sums over a recording. */
export interface Totals {
  /** The values of the recording: messages, chunks or events of its format. */
  readonly values: number
  /** The events of the core vocabulary. */
  readonly events: number
  /** Events by kind. */
  readonly kinds: Readonly<Record<string, number>>
  readonly tasks: number
  readonly toolCalls: number
  readonly thoughts: number
  /** In UTF-16 code units. */
  readonly textLength: number
  /** In UTF-16 code units. */
  readonly thoughtLength: number
  /** The tokens of all tasks, by model. Omitted if unknown. */
  readonly usage?: readonly Usage[]
  /** From the first time to the last, in milliseconds. Omitted if the recording states no times. */
  readonly durationMs?: number
  /** How many findings there are of each severity. */
  readonly findings: Readonly<Record<Severity, number>>
  /** Findings by rule or code. */
  readonly rules: Readonly<Record<string, number>>
}
