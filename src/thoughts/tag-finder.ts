import { lengthOf } from '../encoding/growing-text.ts'
import { isHighSurrogate } from '../encoding/surrogates.ts'
import type { DelimiterSet } from './delimiters.ts'
import { advance, isInCode, isPlain } from './markdown/code.ts'
import type { Settings } from './options.ts'
import type { ExtractorState } from './state.ts'
import { type CompleteTag, matchTag } from './tag-matcher.ts'
import { diagnose, handleTag, skipWhitespace, type ThoughtWriter, write } from './thought-writer.ts'

/** How much of a tag that is too long a diagnostic shows. */
const MAX_SHOWN = 64

/**
 * Reads a delta: finds the delimiters in it, and hands them and the text between them to the writer. First the
 * rest of a tag that is pending.
 */
export function readDelta(settings: Settings, writer: ThoughtWriter, delta: string): void {
  const { state } = writer
  const { pending, tag } = state
  const whole = pending + delta
  if (tag === null) {
    readText(settings, writer, whole, false)
    return
  }
  const match = matchAt(settings, writer, setAt(settings, state), delta, -pending.length)
  if (state.tag !== null) {
    state.pending = whole
    return
  }
  const end = match === null ? 0 : pending.length + match.end
  const isHandled = match !== null && handleTag(writer, match.delimiter, whole.slice(0, end))
  readText(settings, writer, isHandled ? whole.slice(end) : whole, !isHandled)
}

/** Releases what is pending, as no more input follows. */
export function readEnd(settings: Settings, writer: ThoughtWriter): void {
  const { state } = writer
  // The pending text is no tag after all, but may contain one: <thinking thought="<thinking>…
  while (state.tag !== null) readText(settings, writer, state.pending, true)
  write(writer, state.pending)
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
function readText(settings: Settings, writer: ThoughtWriter, source: string, isRefused: boolean): void {
  const { state } = writer
  state.pending = ''
  state.tag = null
  let at = 0
  let isText = isRefused
  for (;;) {
    if (state.skip !== null && state.open === null && !isText) at = skipWhitespace(writer, source, at)
    const from = at
    at = nextStart(setAt(settings, state), writer, settings.codeAware, source, at, isText)
    if (at === source.length) {
      // The first half of a surrogate pair waits for the other half.
      const last = at > from && isHighSurrogate(source.charCodeAt(at - 1)) ? at - 1 : at
      write(writer, source.slice(from, last))
      state.pending = source.slice(last)
      return
    }
    write(writer, source.slice(from, at))
    const match = matchAt(settings, writer, setAt(settings, state), source, at)
    if (state.tag !== null) {
      state.pending = source.slice(at)
      return
    }
    isText = match === null || !handleTag(writer, match.delimiter, source.slice(at, match.end))
    if (match !== null && !isText) at = match.end
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
  const before = state.markdown
  let markdown = before
  for (let at = from; at < source.length; at++) {
    const unit = source.charCodeAt(at)
    if (firstUnits[unit] === true && (at > from || !isText) && !(isTracking && isInCode(markdown))) return at
    if (!isTracking || isPlain(markdown, unit)) continue
    if (markdown === before) {
      markdown = { ...before }
      state.markdown = markdown
    }
    advance(markdown, unit)
  }
  return source.length
}

/**
 * Matches the tag that starts at `start`, or continues the pending one. Returns it if it is complete; if it
 * may still become a tag, `state.tag` holds how far it is matched.
 */
function matchAt(
  { maxTagLength }: Settings,
  writer: ThoughtWriter,
  set: DelimiterSet,
  source: string,
  start: number,
): CompleteTag | null {
  const { state } = writer
  const match = matchTag(set, source, start, maxTagLength, state.tag)
  state.tag = null
  if (match === 'too-long') {
    const from = Math.max(start, 0)
    const text = state.pending + source.slice(from, from + MAX_SHOWN)
    const tag = text.slice(0, Math.min(maxTagLength, MAX_SHOWN))
    diagnose(
      writer,
      'tag-too-long',
      `A tag is longer than ${maxTagLength} characters and was treated as text.`,
      {
        tag,
      },
    )
    return null
  }
  if (match === null || match.phase === 'complete') return match
  state.tag = match
  return null
}

/** The delimiters that apply at the current position. */
function setAt({ delimiters }: Settings, { open, text, leadingWhitespace }: ExtractorState): DelimiterSet {
  if (open === null) return delimiters.content
  const isStart = lengthOf(text) === leadingWhitespace
  return delimiters.thoughts.get(open.delimiter) ?? (isStart ? delimiters.promptStart : delimiters.prompt)
}
