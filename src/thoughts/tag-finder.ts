import { isHighSurrogate } from '../encoding/surrogates.ts'
import type { DelimiterSet, Delimiters } from './delimiters.ts'
import { advance, copyPosition, isInCode, isPlain } from './markdown-code.ts'
import type { Settings } from './options.ts'
import { type ExtractorState, PROMPT } from './state.ts'
import { type CompleteTag, matchTag } from './tag-matcher.ts'
import type { ThoughtWriter } from './thought-writer.ts'

/** The options of an extractor, checked, and the delimiters they define. */
export interface ExtractorConfig {
  readonly settings: Settings
  readonly delimiters: Delimiters
}

/** How much of a tag that is too long a diagnostic shows. */
const MAX_SHOWN = 64

/**
 * Reads a delta: finds the delimiters in it, and hands them and the text between them to the writer. First the
 * rest of a tag that is pending.
 */
export function readDelta(config: ExtractorConfig, writer: ThoughtWriter, delta: string): void {
  const { state } = writer
  const { pending, tag } = state
  const whole = pending + delta
  if (tag === null) {
    readText(config, writer, whole, false)
    return
  }
  const match = matchAt(config, writer, setAt(config, state), delta, -pending.length)
  if (state.tag !== null) {
    state.pending = whole
    return
  }
  const end = match === null ? 0 : pending.length + match.end
  const isHandled = match !== null && writer.handleTag(match.delimiter, whole.slice(0, end))
  readText(config, writer, isHandled ? whole.slice(end) : whole, !isHandled)
}

/** Releases what is pending, as no more input follows. */
export function readEnd(config: ExtractorConfig, writer: ThoughtWriter): void {
  const { state } = writer
  // The pending text is no tag after all, but may contain one: <thinking thought="<thinking>…
  while (state.tag !== null) readText(config, writer, state.pending, true)
  writer.write(state.pending)
  state.pending = ''
}

/**
 * Reads text that starts outside of a tag.
 *
 *     Two <b>and</b> <thinking>what?</thinking> two <thin
 *     ^   ^                                                 no tag: text, up to where the next may start
 *                    ^                                      a tag: handled, and the text continues after it
 *                                                   ^       may become a tag: pending
 *
 * @param isRefused - Whether the first character is known not to start a tag.
 */
function readText(config: ExtractorConfig, writer: ThoughtWriter, source: string, isRefused: boolean): void {
  const { state } = writer
  state.pending = ''
  state.tag = null
  /** Where the text starts that is not written yet. */
  let from = 0
  let at = 0
  let isText = isRefused
  for (;;) {
    if (state.skip !== null && state.open === null && !isText) from = at = writer.skipWhitespace(source, at)
    let set = setAt(config, state)
    at = nextStart(set, writer, config.settings.codeAware, source, at, isText)
    if (at === source.length) {
      // The first half of a surrogate pair waits for the other half.
      const last = at > from && isHighSurrogate(source.charCodeAt(at - 1)) ? at - 1 : at
      writer.write(source.slice(from, last))
      state.pending = source.slice(last)
      return
    }
    // An opening tag repeats the prompt's only if nothing came before it, this text included.
    if (state.open?.delimiter === PROMPT) {
      writer.write(source.slice(from, at))
      from = at
      set = setAt(config, state)
    }
    const match = matchAt(config, writer, set, source, at)
    isText = match === null && state.tag === null
    if (isText) continue
    writer.write(source.slice(from, at))
    from = at
    if (match === null) {
      state.pending = source.slice(at)
      return
    }
    isText = !writer.handleTag(match.delimiter, source.slice(at, match.end))
    if (!isText) from = at = match.end
  }
}

/** Where the next delimiter may start, from `from` on. Keeps track of Markdown code on the way. */
function nextStart(
  { firstUnits }: DelimiterSet,
  { state }: ThoughtWriter,
  codeAware: boolean,
  source: string,
  from: number,
  isText: boolean,
): number {
  const isTracking = codeAware && state.open === null
  const markdown = isTracking ? copyPosition(state.markdown) : state.markdown
  if (isTracking) state.markdown = markdown
  for (let at = from; at < source.length; at++) {
    const unit = source.charCodeAt(at)
    if (firstUnits[unit] === true && (at > from || !isText) && !isInCode(markdown)) return at
    if (isTracking && !isPlain(markdown, unit)) advance(markdown, unit)
  }
  return source.length
}

/**
 * Matches the tag that starts at `start`, or continues the pending one. Returns it if it is complete; if it
 * may still become a tag, `state.tag` holds how far it is matched.
 */
function matchAt(
  { settings }: ExtractorConfig,
  writer: ThoughtWriter,
  set: DelimiterSet,
  source: string,
  start: number,
): CompleteTag | null {
  const { state } = writer
  const { maxTagLength } = settings
  const match = matchTag(set, source, start, maxTagLength, state.tag)
  state.tag = null
  if (match === 'none') return null
  if (match === 'too-long') {
    const from = Math.max(start, 0)
    const text = state.pending + source.slice(from, from + MAX_SHOWN)
    const tag = text.slice(0, Math.min(maxTagLength, MAX_SHOWN))
    writer.diagnostic('tag-too-long', `What starts like a tag is longer than ${maxTagLength} characters.`, {
      tag,
    })
    return null
  }
  if (match.phase === 'complete') return match
  state.tag = match
  return null
}

/** The delimiters that apply at the current position. */
function setAt(
  { delimiters }: ExtractorConfig,
  { open, text, leadingWhitespace }: ExtractorState,
): DelimiterSet {
  if (open === null) return delimiters.content
  const isStart = text.length === leadingWhitespace
  return (
    delimiters.thought.get(open.delimiter) ??
    (isStart ? delimiters.promptThoughtStart : delimiters.promptThought)
  )
}
