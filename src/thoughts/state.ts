import { type CodePlace, codeStart } from './markdown-code.ts'
import type { Settings } from './options.ts'
import type { ThoughtMeta } from './output.ts'
import { EAT_NOTHING, TAIL_START } from './whitespace.ts'

/**
 * Where an extractor stands between two inputs: plain JSON, to be stored and to go on from.
 *
 * It belongs to an extractor with the same options. Beside `seen` and `index`, which a host may carry
 * over to the extractor of another output, its fields are nobody else's business.
 */
export interface ThoughtState {
  /** Text that may turn out to be a tag, or half of a surrogate pair. At most `maxTagLength` long. */
  readonly held: string
  /** How far the tag in `held` is read. 0: it holds none. */
  readonly tag: number
  /** Where content stands in Markdown. */
  readonly code: Readonly<CodePlace>
  /** How content ends. */
  readonly tail: number
  /** Which white space to leave out of content. */
  readonly eat: number
  /** How many thoughts have begun. */
  readonly index: number
  /** The thought that has begun and not ended. */
  readonly open: OpenThought | null
  /** What stands in the open thought so far, as far as it is kept. */
  readonly text: string
  /** How much of `text`, at its start, is white space. */
  readonly blank: number
  /** By what the last thoughts are recognised when they come again. */
  readonly seen: { readonly early: readonly number[]; readonly late: readonly number[] }
}

/** What is known of a thought at its start. */
export interface OpenThought {
  /** By which delimiter it was opened. `PROMPT` (-1): by the prompt. */
  readonly by: number
  readonly meta: ThoughtMeta
  /** The text of its `thought` attribute. */
  readonly said: string
  /** Present once more has come than is kept. */
  readonly truncated?: true
}

/** Opens the thought that the output begins in. */
export const PROMPT = -1

/** A state that is still being written: the step that made it has not returned it yet. */
export type Draft = { -readonly [Field in keyof ThoughtState]: ThoughtState[Field] }

export function initialState({ startInside }: Settings): ThoughtState {
  return {
    held: '',
    tag: 0,
    code: codeStart,
    tail: TAIL_START,
    eat: EAT_NOTHING,
    index: 0,
    open: startInside ? { by: PROMPT, meta: {}, said: '' } : null,
    text: '',
    blank: 0,
    seen: { early: [], late: [] },
  }
}

/** Field by field: this runs for every delta, and a spread takes longer. */
export function draftOf(state: ThoughtState): Draft {
  const { held, tag, code, tail, eat, index, open, text, blank, seen } = state
  return { held, tag, code, tail, eat, index, open, text, blank, seen }
}
