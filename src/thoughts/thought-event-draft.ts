import type { ThoughtMeta, ThoughtType, ThoughtVerbosity } from './output.ts'

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
}

/** A complete thought. Repeats the `thought-delta`s since the previous thought, if any. */
export interface ThoughtStreamDraft {
  kind: 'thought-stream'
  /** Defaults to `reasoning` if the model states no type. */
  thoughtType: ThoughtType
  /** Defaults to `normal` if the model states no verbosity. */
  verbosity: ThoughtVerbosity
  /** The text of the thought, without surrounding whitespace. Never empty. */
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

/** The `thought-stream` of a thought. */
export function thoughtStream(meta: ThoughtMeta, content: string, isCut: boolean): ThoughtStreamDraft {
  const { type = 'reasoning', verbosity = 'normal', ...rest } = meta
  const metadata = { ...rest, ...(isCut && { complete: false as const }) }
  const isEmpty = Object.keys(metadata).length === 0
  return { kind: 'thought-stream', thoughtType: type, verbosity, content, ...(!isEmpty && { metadata }) }
}
