/**
 * What comes out of model output: content and thoughts.
 *
 *     thought-start → thought-delta* → thought? → thought-end
 */

/** What kind of thinking a thought is. */
export type ThoughtType = (typeof thoughtTypes)[number]

/** How much detail a thought goes into. */
export type ThoughtVerbosity = (typeof thoughtVerbosities)[number]

/** @internal */
export const thoughtTypes = [
  'planning',
  'reasoning',
  'reflection',
  'decision',
  'observation',
  'strategy',
] as const

/** @internal */
export const thoughtVerbosities = ['brief', 'normal', 'detailed'] as const

/** What a start tag says about its thought. Each field is absent when the tag does not state it. */
export interface ThoughtMeta {
  /** From `thought_type`, `thought-type` or `type`. Absent also when the word is none of the six. */
  type?: ThoughtType
  /** How sure the model is, from 0 to 1. Absent also when the tag holds no such number. */
  confidence?: number
  /** Absent also when the word is none of the three. */
  verbosity?: ThoughtVerbosity
  /** What else was considered; the attribute separates them by `|`. Never empty. */
  alternatives?: string[]
  /** The id of what the thought is about, from `related_to`. */
  relatedTo?: string
}

/** One whole thought. */
export interface Thought extends ThoughtMeta {
  /**
   * What was thought, without white space around it: the `thought` attribute, the text between the
   * tags, or both, one below the other. Never empty.
   */
  text: string
  /** `false` when the stream ended before the thought did. Absent: the thought is complete. */
  complete?: false
  /** `true` when the end is missing because the thought is longer than `maxThoughtLength`. */
  truncated?: true
}

/**
 * One piece of model output, told apart.
 *
 * Between a `thought-start` and its `thought-end` stands nothing of another thought and no content.
 */
export type ThoughtOutput =
  | ContentOutput
  | ThoughtStartOutput
  | ThoughtDeltaOutput
  | WholeThoughtOutput
  | ThoughtEndOutput

/** Text for the reader, with the tags removed. It is never taken back. */
export interface ContentOutput {
  type: 'content'
  /** What to append. Never empty, and never half of a surrogate pair. */
  delta: string
}

/** A thought begins. */
export interface ThoughtStartOutput {
  type: 'thought-start'
  /** Which thought it is, from 0, counting every start. */
  index: number
  /** What is known at the start. The `thought` itself repeats it. */
  meta: ThoughtMeta
}

/**
 * A piece of a thought as the model writes it, white space included.
 *
 * The deltas of one thought, joined and trimmed, are its text, unless it is truncated.
 */
export interface ThoughtDeltaOutput {
  type: 'thought-delta'
  /** Which thought it is, as its `thought-start` counts. */
  index: number
  /** What to append. Never empty, and never half of a surrogate pair. */
  delta: string
}

/** The whole thought: what a consumer that does not show thoughts while they are thought waits for. */
export interface WholeThoughtOutput {
  type: 'thought'
  /** Which thought it is, as its `thought-start` counts. */
  index: number
  /** The thought, whole. */
  thought: Thought
}

/** A thought is over. Follows each `thought-start` exactly once. */
export interface ThoughtEndOutput {
  type: 'thought-end'
  /** Which thought it is, as its `thought-start` counts. */
  index: number
  /** What became of it. */
  outcome: ThoughtOutcome
}

/**
 * What became of a thought: `emitted` as a `thought`; a `duplicate` of an earlier one; `empty`, with
 * nothing but white space in it; or `reclassified`, its text follows as content.
 */
export type ThoughtOutcome = 'emitted' | 'duplicate' | 'empty' | 'reclassified'
