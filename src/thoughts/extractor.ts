import type { Machine, Step } from '../machine.ts'
import { readAttributes, type TagWords } from './attributes.ts'
import { isHighSurrogate } from './characters.ts'
import { codeStep, isCode, isResting, TEXT } from './code-tracker.ts'
import { delimitersOf, type Place, STARTS } from './delimiters.ts'
import { settingsOf, type ThoughtOptions } from './options.ts'
import { type Draft, draftOf, initialState, PROMPT, type ThoughtState } from './state.ts'
import { afterCloseName, afterStartName, DONE, HEAD, REFUSED, tagStep } from './tag-grammar.ts'
import type { ThoughtOutput } from './thought.ts'
import { EAT_NOTHING } from './trim.ts'
import { note, type Sink, writerFor } from './writer.ts'

/** What is known once the output is over. */
export interface ThoughtEnd {
  /** What a thought is that is still open. Absent: what the options say. */
  unterminated?: 'thought' | 'content'
}

/** What a reading of a possible tag comes to, beside the index after a tag that is complete. */
const NO_TAG = -1
const MORE = -2

/**
 * Tells thoughts from content in model output, whatever way it is cut into deltas.
 *
 * Three ways of writing a thought are known, and any mixture of them:
 *
 * ```text
 * <thinking>Check the date first.</thinking>
 * <thinking thought="Check the date first." thought_type="planning" confidence="0.7"></thinking>
 * <thinking thought="Check the date first." thought_type="planning" confidence="0.7" />
 * ```
 *
 * Attribute values are quoted by `"` or `'`, or bare; quoted ones may hold `<` and `>`, the escapes
 * `\"`, `\'` and `\\`, and all may hold character entities. Attributes: `thought`, `thought_type`,
 * `confidence`, `verbosity`, `alternatives`, `related_to`.
 *
 * The first close tag of the same name ends a thought, whatever else is mentioned in it. Tags in
 * Markdown code are content. A start tag that the end of the output cuts off is content.
 *
 * Use it on what the assistant says, one run per content block of a response, and only where the
 * prompt or the model makes for tags. What tools return is not to be scanned: it could forge thoughts.
 * Content that comes out is still untrusted text; it may even spell a tag, pieced together from
 * both sides of a thought.
 *
 * At most `maxTagLength` characters are held back, and only while they may still become a tag.
 *
 * Notes:
 *
 * | code | what happened | `detail` |
 * |---|---|---|
 * | `orphan-close` | a close tag without a start tag was removed | `{ tag }` |
 * | `tag-too-long` | what began like a tag is content, being longer than `maxTagLength` | `{ tag }`, its first 64 characters |
 * | `bad-attribute` | the value of a known attribute makes no sense and was left out | `{ name, value }` |
 * | `ignored-attribute` | an attribute is not known, or stands there twice | `{ name, value }` |
 * | `duplicate-thought` | a thought was left out as a duplicate | `{ index }` |
 * | `thought-truncated` | a thought is longer than `maxThoughtLength` | `{ index }` |
 * | `unterminated` | the output ended inside a thought | `{ index }` |
 *
 * @throws TypeError for options that cannot work, such as an empty tag name.
 *
 * @example
 * ```ts
 * const thoughts = run(thoughtExtractor({ tags: ['think'] }))
 * for (const output of thoughts.push('<think>Easy.</think>\n\nFour.')) {
 *   if (output.type === 'content') show(output.delta)
 *   if (output.type === 'thought') log(output.thought.text)
 * }
 * ```
 */
export function thoughtExtractor(
  options: ThoughtOptions = {},
): Machine<ThoughtState, string, ThoughtOutput, ThoughtEnd> {
  const settings = settingsOf(options)
  const { codeAware, maxTagLength } = settings
  const delimiters = delimitersOf(settings)
  const writer = writerFor(settings)

  function step(state: ThoughtState, input: string): Step<ThoughtState, ThoughtOutput> {
    const draft = draftOf(state)
    const sink: Sink = { out: [], notes: undefined, delta: '' }
    announce(draft, sink)
    if (draft.tag !== 0) readOn(draft, sink, input)
    else {
      draft.held = ''
      read(draft, sink, state.held + input, false)
    }
    return writer.step(draft, sink)
  }

  function end(state: ThoughtState, how: ThoughtEnd = {}): Step<ThoughtState, ThoughtOutput> {
    const { unterminated = settings.unterminated } = how
    const draft = draftOf(state)
    const sink: Sink = { out: [], notes: undefined, delta: '' }
    announce(draft, sink)
    // What is held is no tag after all, but there may be one in it: <thinking thought="<thinking>…
    while (draft.held !== '') {
      const { held, tag } = draft
      draft.held = ''
      draft.tag = 0
      if (tag === 0) writer.text(draft, sink, held)
      else read(draft, sink, held, true)
    }
    writer.cutOff(draft, sink, unterminated)
    return writer.step(draft, sink)
  }

  /** The thought that the prompt has begun has no tag to start at. */
  function announce(draft: Draft, sink: Sink): void {
    if (draft.open !== null && draft.index === 0) writer.begin(draft, sink, draft.open.by, noWords)
  }

  /** Goes on with the tag that is held. */
  function readOn(draft: Draft, sink: Sink, input: string): void {
    const { held } = draft
    const after = readTag(draft, sink, input, 0)
    if (after === MORE) {
      draft.held = held + input
      return
    }
    draft.held = ''
    if (after !== NO_TAG && take(draft, sink, held + input.slice(0, after))) {
      read(draft, sink, input.slice(after), false)
    } else read(draft, sink, held + input, true)
  }

  /**
   * Reads text at whose start no tag is held.
   *
   * ```text
   * Two <b>and</b> <thinking>what?</thinking> two
   * ^   ^                                           no tag: text, up to where the next may start
   *                ^                                a tag: taken, and on after it
   * ```
   *
   * @param plain - Whether the first character is text, even where a tag may start with it.
   */
  function read(draft: Draft, sink: Sink, source: string, plain: boolean): void {
    let from = 0
    let at = 0
    let isPlain = plain
    for (;;) {
      if (draft.eat !== EAT_NOTHING && draft.open === null && !isPlain)
        from = at = writer.skip(draft, source, at)
      at = scan(draft, placeOf(draft), source, at, isPlain)
      if (at === source.length) {
        // Half of a surrogate pair waits for the other half.
        const last = at > from && isHighSurrogate(source.charCodeAt(at - 1)) ? at - 1 : at
        writer.text(draft, sink, source.slice(from, last))
        draft.held = source.slice(last)
        return
      }
      // A start tag repeats the prompt's only if nothing came before it, this text included.
      if (draft.open?.by === PROMPT) {
        writer.text(draft, sink, source.slice(from, at))
        from = at
      }
      draft.tag = placeOf(draft).root << 4
      const after = readTag(draft, sink, source, at)
      isPlain = after === NO_TAG
      if (isPlain) continue
      writer.text(draft, sink, source.slice(from, at))
      from = at
      if (after === MORE) {
        draft.held = source.slice(at)
        return
      }
      isPlain = !take(draft, sink, source.slice(at, after))
      if (!isPlain) from = at = after
    }
  }

  function placeOf({ open, text, blank }: Draft): Place {
    if (open === null) return delimiters.content
    return delimiters.inside[open.by] ?? (text.length === blank ? delimiters.blank : delimiters.begun)
  }

  /** Where the next tag may start. Keeps track of Markdown code on the way. */
  function scan(draft: Draft, place: Place, source: string, from: number, plain: boolean): number {
    const { marks, wide, root } = place
    const tracks = codeAware && draft.open === null
    let code = tracks ? draft.code : TEXT
    let at = from
    for (; at < source.length; at++) {
      const unit = source.charCodeAt(at)
      const mark = unit < 128 ? marks[unit] : wide && delimiters.next(root, unit) !== undefined ? STARTS : 0
      if (mark === 0 && isResting(code)) continue
      if (mark === STARTS && (at > from || !plain) && !isCode(code)) break
      if (tracks) code = codeStep(code, unit)
    }
    if (tracks) draft.code = code
    return at
  }

  /** Reads what may be a tag. Returns the index after it, or `MORE` or `NO_TAG`. */
  function readTag(draft: Draft, sink: Sink, source: string, from: number): number {
    let node = draft.tag >> 4
    let phase = draft.tag & 15
    const limit = from + maxTagLength - draft.held.length
    for (let at = from; at < source.length; at++) {
      if (at >= limit) {
        const tag = (draft.held + source.slice(from, limit)).slice(0, 64)
        note(sink, 'tag-too-long', 'What began like a tag is longer than maxTagLength.', { tag })
        phase = REFUSED
      } else if (phase !== HEAD) phase = tagStep(phase, source.charCodeAt(at))
      else {
        const unit = source.charCodeAt(at)
        const next = delimiters.next(node, unit)
        const head = delimiters.headAt(next ?? node)
        if (next !== undefined) {
          node = next
          if (head?.nameEnd === 0) phase = DONE
        } else if (head === undefined) phase = REFUSED
        else phase = head.opens ? afterStartName(unit) : afterCloseName(unit)
      }
      if (phase < 0) {
        draft.tag = phase === DONE ? node << 4 : 0
        return phase === DONE ? at + 1 : NO_TAG
      }
    }
    draft.tag = (node << 4) | phase
    return MORE
  }

  /** Does what a complete tag says. Returns `false` if it is text where it stands. */
  function take(draft: Draft, sink: Sink, tag: string): boolean {
    const head = delimiters.headAt(draft.tag >> 4)
    const isInside = draft.open !== null
    draft.tag = 0
    if (head === undefined) return false
    if (!head.opens) {
      if (isInside) writer.close(draft, sink)
      else {
        note(sink, 'orphan-close', 'A close tag without a start tag was removed.', { tag })
        writer.removed(draft)
      }
      return true
    }
    const closesItself = head.nameEnd > 0 && tag.endsWith('/>')
    if (isInside && closesItself) return false
    const source = head.nameEnd === 0 ? '' : tag.slice(head.nameEnd, closesItself ? -2 : -1)
    const words = readAttributes(source, (code, message, detail) => note(sink, code, message, detail))
    if (isInside) writer.adopt(draft, sink, head.by, words)
    else writer.begin(draft, sink, head.by, words)
    if (closesItself) writer.close(draft, sink)
    return true
  }

  return { initial: initialState(settings), step, end }
}

const noWords: TagWords = { meta: {}, text: '' }
