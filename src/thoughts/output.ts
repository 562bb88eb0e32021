/**
 * The outputs of an extractor: content and thoughts.
 *
 *     thought-start → thought-delta* → thought? → thought-end
 */

/** What a thought is about. */
export type ThoughtType = (typeof thoughtTypes)[number]

/** How detailed a thought is. */
export type ThoughtVerbosity = (typeof thoughtVerbosities)[number]

export const thoughtTypes = [
  'planning',
  'reasoning',
  'reflection',
  'decision',
  'observation',
  'strategy',
] as const

export const thoughtVerbosities = ['brief', 'normal', 'detailed'] as const

/** The attributes of a thought's opening tag. A field is omitted if the tag has no such attribute. */
export interface ThoughtMeta {
  /** From `thought_type`, `thought-type` or `type`. Also omitted if the value is not one of the six types. */
  type?: ThoughtType
  /** The model's confidence, from 0 to 1. Also omitted if the value is not such a number. */
  confidence?: number
  /** How detailed the thought is. Also omitted if the value is not one of the three levels. */
  verbosity?: ThoughtVerbosity
  /** Alternatives the model considered, separated by `|` in the attribute. Never empty. */
  alternatives?: string[]
  /** The id of the thought or tool call that this one refers to, from `related_to`. */
  relatedTo?: string
}

/** A complete thought. */
export interface Thought extends ThoughtMeta {
  /**
   * The value of the `thought` attribute, the text between the tags, or both, separated by a line break.
   * Without surrounding whitespace. Never empty.
   */
  text: string
  /** `false` if the output ended before the thought did. Omitted if the thought is complete. */
  complete?: false
  /** `true` if the thought is longer than `maxThoughtLength`, so that its end is missing. */
  truncated?: true
}

/**
 * A piece of model output.
 *
 * Between a `thought-start` and its `thought-end` there is neither content nor another thought.
 */
export type ThoughtOutput =
  | ContentOutput
  | ThoughtStartOutput
  | ThoughtDeltaOutput
  | WholeThoughtOutput
  | ThoughtEndOutput

/** Text for the reader, with the tags removed. Never withdrawn. */
export interface ContentOutput {
  type: 'content'
  /** The text to append. Never empty, and never half of a surrogate pair. */
  delta: string
}

/** A thought starts. */
export interface ThoughtStartOutput {
  type: 'thought-start'
  /** The number of the thought, from 0, in the order of the starts. */
  index: number
  /** The attributes of the opening tag. The `thought` itself repeats them. */
  meta: ThoughtMeta
}

/**
 * A piece of a thought as the model writes it, including whitespace.
 *
 * The deltas of a thought, joined and trimmed, are its text, unless it is truncated.
 */
export interface ThoughtDeltaOutput {
  type: 'thought-delta'
  /** The `index` of the thought's `thought-start`. */
  index: number
  /** The text to append. Never empty, and never half of a surrogate pair. */
  delta: string
}

/** The complete thought, for consumers that ignore its deltas. */
export interface WholeThoughtOutput {
  type: 'thought'
  /** The `index` of the thought's `thought-start`. */
  index: number
  thought: Thought
}

/** A thought ends. There is exactly one for each `thought-start`. */
export interface ThoughtEndOutput {
  type: 'thought-end'
  /** The `index` of the thought's `thought-start`. */
  index: number
  outcome: ThoughtOutcome
}

/**
 * How a thought ended: `emitted` as a `thought`; left out as a `duplicate` of an earlier one; left out as
 * `empty`, with only whitespace in it; or `reclassified`: its text follows as content.
 */
export type ThoughtOutcome = 'emitted' | 'duplicate' | 'empty' | 'reclassified'
