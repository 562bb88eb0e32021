import type { Mutable } from '../core/mutable.ts'
import { fnv1a } from '../encoding/fnv1a.ts'
import { emptyText, type GrowingText } from '../encoding/growing-text.ts'
import { type MarkdownPosition, markdownStart } from './markdown/position.ts'
import type { Settings } from './options.ts'
import type { ThoughtMeta } from './output.ts'
import type { PartialTag } from './tag-matcher.ts'
import { type ContentEnd, contentStart, type WhitespaceSkip } from './whitespace.ts'

/**
 * The state of an extractor between two deltas. Plain JSON, for an extractor with the same options:
 *
 *     in content                                  in a thought
 *     `open` is null; `markdown`, `contentEnd`    `open`, `text`, `leadingWhitespace`
 *     and `skip` are in use                       are in use
 */
export interface ExtractorState {
  /** Text that may become a tag, or the first half of a surrogate pair. At most `maxTagLength` long. */
  readonly pending: string
  /** How far the tag in `pending` is matched. `null` if there is none. */
  readonly tag: PartialTag | null
  /** Where content is in Markdown. */
  readonly markdown: Readonly<MarkdownPosition>
  readonly contentEnd: ContentEnd
  /** The whitespace of content to leave out next. `null`: none. */
  readonly skip: WhitespaceSkip | null
  /** How many thoughts have started. */
  readonly index: number
  /** The thought that has started and not ended. */
  readonly open: OpenThought | null
  /** The text of the open thought between its tags, up to `maxThoughtLength` after leading whitespace. */
  readonly text: GrowingText
  /** The number of whitespace characters that `text` starts with. */
  readonly leadingWhitespace: number
  /** The last thoughts, to recognize duplicates. */
  readonly seen: SeenThoughts
  /** Whether an input was reported that is no text. */
  readonly hasInvalid: boolean
}

/** A thought that has started. */
export interface OpenThought {
  /** The option that defines its delimiters, such as `tags[0]`, or {@link PROMPT}. */
  readonly delimiter: string
  readonly meta: ThoughtMeta
  /** The value of its `thought` attribute. Empty if there is none. */
  readonly attributeText: string
  /** Present once it is longer than `maxThoughtLength`. */
  readonly truncated?: true
}

/** The `delimiter` of the thought that the prompt opened. */
export const PROMPT = 'prompt'

/** The next state while a step writes it. */
export type NextState = Mutable<ExtractorState>

/** The state before the first delta. */
export function initialState({ startInside }: Settings): ExtractorState {
  return {
    pending: '',
    tag: null,
    markdown: markdownStart,
    contentEnd: contentStart,
    skip: null,
    index: 0,
    open: startInside ? { delimiter: PROMPT, meta: {}, attributeText: '' } : null,
    text: emptyText,
    leadingWhitespace: 0,
    seen: [],
    hasInvalid: false,
  }
}

/** Copied field by field: this runs for every delta, and a spread takes longer. */
export function copyState(state: ExtractorState): NextState {
  const { pending, tag, markdown, contentEnd, skip, index, open, text, leadingWhitespace, seen, hasInvalid } =
    state
  return { pending, tag, markdown, contentEnd, skip, index, open, text, leadingWhitespace, seen, hasInvalid }
}

/** Hashes of the last thoughts, oldest first. */
export type SeenThoughts = readonly number[]

/** Adds a thought to the last `window` ones. Returns `undefined` if it is one of them. */
export function addThought(
  seen: SeenThoughts,
  type: string | undefined,
  text: string,
  window: number,
): SeenThoughts | undefined {
  const hash = thoughtHash(type, text)
  return seen.includes(hash) ? undefined : [...seen, hash].slice(-window)
}

/** A hash of 53 bits, so that a long thought needs no more memory than a short one. */
function thoughtHash(type = '', text: string): number {
  const normalized = `${type}\n${text.replace(/\s+/g, ' ')}`
  return (fnv1a(1, normalized) >>> 11) * 2 ** 32 + fnv1a(2, normalized)
}
