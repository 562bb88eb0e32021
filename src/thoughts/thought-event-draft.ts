import type { Thought, ThoughtMeta, ThoughtType, ThoughtVerbosity } from './output.ts'
import { copyMeta } from './read.ts'

/** An event draft from {@link thoughtEvents}. An emitter adds the timestamp, the indexes and the ids. */
export type ThoughtEventDraft =
  | ContentDeltaDraft
  | ContentCompleteDraft
  | ThoughtDeltaDraft
  | ThoughtStreamDraft

/** A piece of content. */
export interface ContentDeltaDraft {
  kind: 'content-delta'
  /** The text to append. Never empty. */
  delta: string
}

/** The whole content, at the end of the output. */
export interface ContentCompleteDraft {
  kind: 'content-complete'
  /** The deltas, joined. Never empty. */
  content: string
  /** Why the model stopped. Omitted if unknown. */
  finishReason?: string
}

/** A piece of a live thought. The `thought-stream` that follows repeats it. */
export interface ThoughtDeltaDraft {
  kind: 'thought-delta'
  /** The text to append. Never empty. */
  delta: string
  /** That of the `thought-stream` which follows. */
  thoughtType: ThoughtType
  /** That of the `thought-stream` which follows. */
  verbosity: ThoughtVerbosity
}

/** A complete thought. Repeats the `thought-delta`s since the previous thought, if any. */
export interface ThoughtStreamDraft {
  kind: 'thought-stream'
  /** Defaults to `reasoning` if the model states no type. */
  thoughtType: ThoughtType
  /** Defaults to `normal` if the model states no verbosity. */
  verbosity: ThoughtVerbosity
  /**
   * The text of the thought, without surrounding whitespace. Empty only for a streamed thought whose first
   * character is longer than `maxThoughtLength`.
   */
  content: string
  /** Omitted if it would be empty. */
  metadata?: {
    /** The model's confidence, from 0 to 1. */
    confidence?: number
    /** Alternatives the model considered. */
    alternatives?: string[]
    /** The id of the thought or tool call that this one refers to. */
    relatedTo?: string
    /** `false` if the end is missing: the output was cut off, or the thought is too long. */
    complete?: false
  }
}

/** A `thought-delta` of a thought. */
export function thoughtDelta({ type, verbosity }: ThoughtMeta, delta: string): ThoughtDeltaDraft {
  return {
    kind: 'thought-delta',
    delta,
    thoughtType: type ?? DEFAULT_TYPE,
    verbosity: verbosity ?? DEFAULT_VERBOSITY,
  }
}

/** The `thought-stream` of a thought. */
export function thoughtStream(thought: Thought): ThoughtStreamDraft {
  const {
    type = DEFAULT_TYPE,
    verbosity = DEFAULT_VERBOSITY,
    text,
    complete,
    truncated,
    ...rest
  } = copyMeta(thought)
  const isCut = complete === false || truncated === true
  const metadata = { ...rest, ...(isCut && { complete: false as const }) }
  const isEmpty = Object.keys(metadata).length === 0
  return {
    kind: 'thought-stream',
    thoughtType: type,
    verbosity,
    content: text,
    ...(!isEmpty && { metadata }),
  }
}

const DEFAULT_TYPE = 'reasoning'
const DEFAULT_VERBOSITY = 'normal'
