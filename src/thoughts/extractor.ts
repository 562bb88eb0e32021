import type { Diagnostic, Machine, Step } from '../core/machine.ts'
import { readAttributes, type TagWords } from './attributes.ts'
import { isHighSurrogate, withoutHalf } from './char-codes.ts'
import { withThought } from './dedupe.ts'
import { type Place, placesOf } from './delimiters.ts'
import { codeStep, copyOfPlace, isCode, isIdle } from './markdown-code.ts'
import { settingsOf, type ThoughtOptions } from './options.ts'
import type { Thought, ThoughtMeta, ThoughtOutcome, ThoughtOutput, ThoughtType } from './output.ts'
import { type Draft, draftOf, initialState, type OpenThought, PROMPT, type ThoughtState } from './state.ts'
import { beginsLike, DONE, HEAD, headStep, REFUSED, tagStep } from './tag-grammar.ts'
import { EAT_NOTHING, eatAfter, eatStep, tailAfter } from './whitespace.ts'

/** What is known once the output is over. */
export interface ThoughtEnd {
  /** What a thought is that is still open. Absent: what the options say. */
  unterminated?: 'thought' | 'content'
}

/** What a reading of a possible tag comes to, beside the index after a tag that is complete. */
const NO_TAG = -1
const MORE = -2

/** How `tag` is made up: the lower bits say how far it is read, the others which delimiter it may be. */
const PHASE = 127
const WHICH_FROM = 7

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
 * Diagnostics:
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
  const { codeAware, maxTagLength, maxThoughtLength, trim, window } = settings
  const places = placesOf(settings)
  const initial = initialState(settings)

  // What a step works on: the state it leads to, …
  let now: Draft
  // … what comes out of it, …
  let out: ThoughtOutput[]
  let diagnostics: Diagnostic[] | undefined
  /** … and text of one kind, collected so that it comes out as one delta. */
  let delta = ''

  function start(state: ThoughtState): void {
    now = draftOf(state)
    out = []
    diagnostics = undefined
    // The thought that the prompt has begun has no tag to start at.
    if (now.open !== null && now.index === 0) begin(now.open.by, { meta: {}, text: '' })
  }

  function done(): Step<ThoughtState, ThoughtOutput> {
    flush()
    return diagnostics === undefined ? { state: now, out } : { state: now, out, diagnostics }
  }

  function step(state: ThoughtState, input: string): Step<ThoughtState, ThoughtOutput> {
    start(state)
    const whole = now.held + input
    if (now.tag === 0) read(whole, false)
    else {
      const known = now.held.length
      const after = readTag(input, -known)
      if (after === MORE) now.held = whole
      else if (after !== NO_TAG && take(whole.slice(0, known + after))) read(input.slice(after), false)
      else read(whole, true)
    }
    return done()
  }

  function end(
    state: ThoughtState,
    { unterminated = settings.unterminated }: ThoughtEnd = {},
  ): Step<ThoughtState, ThoughtOutput> {
    start(state)
    // What is held is no tag after all, but there may be one in it: <thinking thought="<thinking>…
    while (now.tag !== 0) read(now.held, true)
    write(now.held)
    now.held = ''
    cutOff(unterminated)
    return done()
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
  function read(source: string, plain: boolean): void {
    now.held = ''
    now.tag = 0
    let from = 0
    let at = 0
    let isPlain = plain
    for (;;) {
      if (now.eat !== EAT_NOTHING && now.open === null && !isPlain) from = at = skip(source, at)
      at = scan(source, at, isPlain)
      if (at === source.length) {
        // Half of a surrogate pair waits for the other half.
        const last = at > from && isHighSurrogate(source.charCodeAt(at - 1)) ? at - 1 : at
        write(source.slice(from, last))
        now.held = source.slice(last)
        return
      }
      // A start tag repeats the prompt's only if nothing came before it, this text included.
      if (now.open?.by === PROMPT) {
        write(source.slice(from, at))
        from = at
      }
      now.tag = HEAD
      const after = readTag(source, at)
      isPlain = after === NO_TAG
      if (isPlain) continue
      write(source.slice(from, at))
      from = at
      if (after === MORE) {
        now.held = source.slice(at)
        return
      }
      isPlain = !take(source.slice(at, after))
      if (!isPlain) from = at = after
    }
  }

  function place(): Place {
    if (now.open === null) return places.content
    return places.inside[now.open.by] ?? (now.text.length === now.blank ? places.blank : places.begun)
  }

  /** Where the next tag may start. Keeps track of Markdown code on the way. */
  function scan(source: string, from: number, plain: boolean): number {
    const { starts } = place()
    const tracks = codeAware && now.open === null
    const code = tracks ? copyOfPlace(now.code) : now.code
    if (tracks) now.code = code
    for (let at = from; at < source.length; at++) {
      const unit = source.charCodeAt(at)
      if (starts[unit] === true && (at > from || !plain) && !isCode(code)) return at
      if (tracks && !isIdle(code, unit)) codeStep(code, unit)
    }
    return source.length
  }

  /**
   * Reads on in what may be a tag. Returns the index after it, or `MORE` or `NO_TAG`.
   *
   * @param start - Where it starts: in the source, or before it by as much as is held.
   */
  function readTag(source: string, start: number): number {
    let which = now.tag >> WHICH_FROM
    let phase = now.tag & PHASE
    now.tag = 0
    for (let at = Math.max(start, 0); at < source.length; at++) {
      const read = at - start
      if (read >= maxTagLength) {
        const tag = now.held + source.slice(Math.max(start, 0), at)
        diagnostic('tag-too-long', 'What began like a tag is longer than maxTagLength.', {
          tag: tag.slice(0, 64),
        })
        return NO_TAG
      }
      const unit = source.charCodeAt(at)
      if (phase !== HEAD) phase = tagStep(phase, unit)
      else {
        const { delimiters } = place()
        const expected = delimiters[which]
        for (; ; which++) {
          const delimiter = delimiters[which]
          if (expected === undefined || delimiter === undefined) return NO_TAG
          phase = headStep(delimiter, read, unit)
          // Another may begin alike, and go on as this one does not.
          if (phase !== REFUSED && (delimiter === expected || beginsLike(delimiter, expected, read))) break
        }
      }
      if (phase === REFUSED) return NO_TAG
      if (phase === DONE) {
        now.tag = which << WHICH_FROM
        return at + 1
      }
    }
    now.tag = (which << WHICH_FROM) + phase
    return MORE
  }

  /** Does what a complete tag says. Returns `false` if it is text where it stands. */
  function take(source: string): boolean {
    const delimiter = place().delimiters[now.tag >> WHICH_FROM]
    now.tag = 0
    if (delimiter === undefined) return false
    const { by, opens, isTag, units } = delimiter
    if (!opens) {
      if (now.open !== null) conclude({})
      else {
        diagnostic('orphan-close', 'A close tag without a start tag was removed.', { tag: source })
        removed()
      }
      return true
    }
    const closesItself = isTag && source.endsWith('/>')
    const isInside = now.open !== null
    if (isInside && closesItself) return false
    const words = readAttributes(isTag ? source.slice(units.length, closesItself ? -2 : -1) : '', diagnostic)
    if (isInside) adopt(by, words)
    else begin(by, words)
    if (closesItself) conclude({})
    return true
  }

  /** Writes text as whatever the place makes it: content or thought. */
  function write(piece: string): void {
    if (piece === '') return
    if (now.open !== null) {
      keep(piece, now.open)
      return
    }
    now.eat = EAT_NOTHING
    now.tail = tailAfter(now.tail, piece)
    delta += piece
  }

  /** Adds to the open thought: to its deltas all, to its text as much as there is room for. */
  function keep(piece: string, { said }: OpenThought): void {
    let rest = piece
    if (now.text.length === now.blank) {
      rest = piece.trimStart()
      now.text += piece.slice(0, Math.min(piece.length - rest.length, maxThoughtLength - now.blank))
      now.blank = now.text.length
      // Below the text of an attribute the text between the tags starts on a line of its own.
      if (said === '') delta += piece
      else if (rest !== '') delta += `\n${rest}`
    } else delta += piece

    const room = maxThoughtLength + now.blank - now.text.length
    now.text += rest.slice(0, room)
    if (rest.length > room && rest.slice(room).trim() !== '') truncate()
  }

  function truncate(): void {
    if (now.open === null || now.open.truncated === true) return
    now.open = { ...now.open, truncated: true }
    diagnostic('thought-truncated', 'A thought is longer than maxThoughtLength.', { index: now.index - 1 })
  }

  /** Begins a thought. */
  function begin(by: number, words: TagWords): void {
    flush()
    out.push({ type: 'thought-start', index: now.index, meta: copyOf(words.meta) })
    now.index++
    adopt(by, words)
  }

  /** Lets a start tag speak for the thought that has begun. */
  function adopt(by: number, { meta, text: said }: TagWords): void {
    now.open = { by, meta, said }
    delta += said
  }

  /** Ends the open thought where the output ends. */
  function cutOff(policy: 'thought' | 'content'): void {
    if (now.open === null) return
    const { by, said, truncated } = now.open
    diagnostic('unterminated', 'The output ended inside a thought.', { index: now.index - 1 })
    const body = truncated === true ? withoutHalf(now.text) : now.text
    const raw = said === '' ? body : `${said}\n${body}`
    if (policy === 'thought' || raw === '') conclude({ complete: false })
    else {
      leave('reclassified')
      // The prompt's start tag was never in the output, so nothing is removed.
      if (by === PROMPT) now.eat = EAT_NOTHING
      write(raw.slice(skip(raw, 0)))
    }
  }

  /** Ends the open thought as a thought, if there is anything in it and it is new. */
  function conclude(cut: { complete?: false }): void {
    if (now.open === null) return
    const whole = `${now.open.said}\n${now.text.trim()}`.trim()
    if (whole.length > maxThoughtLength) truncate()
    const { meta, truncated } = now.open
    const kept = truncated === true ? withoutHalf(whole.slice(0, maxThoughtLength)) : whole
    if (kept === '') leave('empty')
    else if (isNew(meta.type, kept)) {
      flush()
      const thought: Thought = { text: kept, ...copyOf(meta), ...cut, ...(truncated && { truncated }) }
      out.push({ type: 'thought', index: now.index - 1, thought })
      leave('emitted')
    } else {
      diagnostic('duplicate-thought', 'A thought came that had come before.', { index: now.index - 1 })
      leave('duplicate')
    }
  }

  /** Whether a thought has not come before. Remembers it. */
  function isNew(type: ThoughtType | undefined, whole: string): boolean {
    const seen = window === 0 ? now.seen : withThought(now.seen, type, whole, window)
    now.seen = seen ?? now.seen
    return seen !== undefined
  }

  /** Goes back to content. */
  function leave(outcome: ThoughtOutcome): void {
    flush()
    out.push({ type: 'thought-end', index: now.index - 1, outcome })
    now.open = null
    now.text = ''
    now.blank = 0
    removed()
  }

  /** Gets over a tag that is removed from content. */
  function removed(): void {
    if (trim === 'auto') now.eat = eatAfter(now.tail)
  }

  /** Skips the white space that a removed tag leaves too much. Returns where the rest starts. */
  function skip(source: string, from: number): number {
    let at = from
    for (; now.eat !== EAT_NOTHING && at < source.length; at++) {
      now.eat = eatStep(now.eat, source.charCodeAt(at))
      if (now.eat === EAT_NOTHING) return at
    }
    return at
  }

  /** Puts out the text collected so far. */
  function flush(): void {
    if (delta === '') return
    out.push(
      now.open === null ? { type: 'content', delta } : { type: 'thought-delta', index: now.index - 1, delta },
    )
    delta = ''
  }

  function diagnostic(code: string, message: string, detail: unknown): void {
    diagnostics ??= []
    diagnostics.push({ code, message, detail })
  }

  return { initial, step, end }
}

/** Outputs are the consumer's: what the state keeps must not be in them. */
function copyOf({ alternatives, ...meta }: ThoughtMeta): ThoughtMeta {
  return alternatives === undefined ? meta : { ...meta, alternatives: [...alternatives] }
}
