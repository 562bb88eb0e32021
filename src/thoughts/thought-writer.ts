import type { Diagnostic } from '../core/machine.ts'
import { append, emptyText, lengthOf, textOf } from '../encoding/growing-text.ts'
import { withoutHalf } from '../encoding/surrogates.ts'
import { parseAttributes, type TagAttributes } from './attributes.ts'
import type { Delimiter } from './delimiters.ts'
import type { Settings } from './options.ts'
import type { Thought, ThoughtMeta, ThoughtOutcome } from './output.ts'
import { addThought, copyState, type ExtractorState, type NextState, PROMPT } from './state.ts'
import { contentEndAfter, skipAfter, skipOver } from './whitespace.ts'

/** Receives what a step finds in the text, in order. */
export interface ThoughtSink {
  content(delta: string): void
  thoughtStart(index: number, meta: ThoughtMeta): void
  thoughtDelta(index: number, delta: string, meta: ThoughtMeta): void
  /** @param thought - The thought, whatever the outcome. Its text is empty if it is whitespace alone. */
  thoughtEnd(index: number, outcome: ThoughtOutcome, thought: Thought): void
}

/**
 * Converts the text and delimiters of one step to calls of a sink.
 *
 *                opening delimiter                       closing delimiter
 *     content ─────openThought─────▶ inside a thought ─────closeThought─────▶ content
 *        text: writeContent             text: appendToThought
 *                                       end of input: closeThought, or content again
 *
 * Functions, not methods: minifiers shorten the names of functions only. The class holds the data, as an object
 * literal makes extraction a tenth slower.
 */
export class ThoughtWriter {
  readonly settings: Settings
  /** The state as changed so far. */
  readonly state: NextState
  readonly sink: ThoughtSink
  readonly diagnostics: Diagnostic[] = []
  /** Text of one kind, content or thought, collected so that it is emitted as one delta. */
  delta = ''

  constructor(settings: Settings, state: ExtractorState, sink: ThoughtSink) {
    this.settings = settings
    this.sink = sink
    this.state = copyState(state)
    const { open, index } = state
    // The thought that the prompt opened has no opening tag in the output.
    if (open !== null && index === 0) openThought(this, open.delimiter, { meta: {}, text: '' })
  }
}

/** Reports a diagnostic, by default about the last thought. */
export function diagnose(
  { state, diagnostics }: ThoughtWriter,
  code: string,
  message: string,
  detail: unknown = { index: state.index - 1 },
): void {
  diagnostics.push({ code, message, detail })
}

/** Writes text to the open thought, or else to content. */
export function write(writer: ThoughtWriter, piece: string): void {
  const { state } = writer
  if (piece === '') return
  if (state.open !== null) appendToThought(writer, piece, state.open.attributeText)
  else {
    state.skip = null
    state.contentEnd = contentEndAfter(state.contentEnd, piece)
    writer.delta += piece
  }
}

/** Handles a complete delimiter. Returns `false` if it is text at this position. */
export function handleTag(
  writer: ThoughtWriter,
  { option, isOpening, isTag, units }: Delimiter,
  source: string,
): boolean {
  const isInside = writer.state.open !== null
  const isSelfClosing = isTag && source.endsWith('/>')
  if (isOpening) {
    if (isInside && isSelfClosing) return false
    const inner = isTag ? source.slice(units.length, isSelfClosing ? -2 : -1) : ''
    const attributes = parseAttributes(inner, (...diagnostic) => diagnose(writer, ...diagnostic))
    if (isInside) applyTagAttributes(writer, option, attributes)
    else openThought(writer, option, attributes)
    if (isSelfClosing) closeThought(writer)
  } else if (isInside) closeThought(writer)
  else {
    diagnose(writer, 'orphan-close', 'Removed a closing tag without an opening tag.', { tag: source })
    skipAfterTag(writer)
  }
  return true
}

/** Ends the thought that is open at the end of the input. */
export function endOfInput(writer: ThoughtWriter, policy: 'thought' | 'content'): void {
  const { state } = writer
  if (state.open === null) return
  const { delimiter, attributeText, truncated } = state.open
  diagnose(writer, 'unterminated', 'The output ended inside a thought.')
  const text = textOf(state.text)
  const body = truncated ? withoutHalf(text) : text
  const raw = attributeText === '' ? body : `${attributeText}\n${body}`
  if (policy === 'thought' || raw === '') closeThought(writer, { complete: false })
  else {
    endThought(writer, 'reclassified', wholeThought(writer, { complete: false }))
    // The prompt's opening tag was never in the output, so no tag is removed.
    if (delimiter === PROMPT) state.skip = null
    write(writer, raw.slice(skipWhitespace(writer, raw, 0)))
  }
}

/** Skips the whitespace that a removed tag makes superfluous. Returns where the rest starts. */
export function skipWhitespace({ state }: ThoughtWriter, source: string, from: number): number {
  let at = from
  while (state.skip !== null && at < source.length) {
    state.skip = skipOver(state.skip, source.charCodeAt(at))
    if (state.skip !== null) at++
  }
  return at
}

/** Adds all of a piece to the deltas, and as much as there is room for to the text. */
function appendToThought(writer: ThoughtWriter, piece: string, attributeText: string): void {
  const { state, settings } = writer
  const { maxThoughtLength } = settings
  let rest = piece
  if (lengthOf(state.text) === state.leadingWhitespace) {
    rest = piece.trimStart()
    const room = maxThoughtLength - state.leadingWhitespace
    state.text = append(state.text, piece.slice(0, Math.min(piece.length - rest.length, room)))
    state.leadingWhitespace = lengthOf(state.text)
    // After the text of an attribute, the text between the tags starts on a new line.
    if (attributeText === '') writer.delta += piece
    else if (rest !== '') writer.delta += `\n${rest}`
  } else writer.delta += piece
  const room = maxThoughtLength + state.leadingWhitespace - lengthOf(state.text)
  if (room > 0) state.text = append(state.text, rest.slice(0, room))
  if (rest.length > room && rest.slice(room).trim() !== '') markTruncated(writer)
}

function markTruncated(writer: ThoughtWriter): void {
  const { state, settings } = writer
  if (state.open === null || state.open.truncated) return
  state.open = { ...state.open, truncated: true }
  diagnose(writer, 'thought-truncated', `A thought is longer than ${settings.maxThoughtLength} characters.`)
}

function openThought(writer: ThoughtWriter, option: string, attributes: TagAttributes): void {
  flush(writer)
  writer.sink.thoughtStart(writer.state.index++, attributes.meta)
  applyTagAttributes(writer, option, attributes)
}

/** Gives the thought that has started the attributes of an opening tag. */
function applyTagAttributes(writer: ThoughtWriter, option: string, { meta, text }: TagAttributes): void {
  writer.state.open = { delimiter: option, meta, attributeText: text }
  writer.delta += text
}

/** Ends the open thought, and emits it unless it is empty or a duplicate. */
function closeThought(writer: ThoughtWriter, more?: { complete: false }): void {
  const { state, settings } = writer
  const { window } = settings
  if (state.open === null) return
  const thought = wholeThought(writer, more)
  if (thought.text === '') {
    endThought(writer, 'empty', thought)
    return
  }
  const seen = window === 0 ? state.seen : addThought(state.seen, thought.type, thought.text, window)
  if (seen === undefined) {
    diagnose(writer, 'duplicate-thought', 'A thought repeats an earlier one.')
    endThought(writer, 'duplicate', thought)
  } else {
    state.seen = seen
    endThought(writer, 'emitted', thought)
  }
}

/** The open thought. */
function wholeThought(writer: ThoughtWriter, more?: { complete: false }): Thought {
  const { state, settings } = writer
  const { maxThoughtLength } = settings
  const whole = `${state.open?.attributeText ?? ''}\n${textOf(state.text).trim()}`.trim()
  if (whole.length > maxThoughtLength) markTruncated(writer)
  const { meta = {}, truncated } = state.open ?? {}
  const text = truncated ? withoutHalf(whole.slice(0, maxThoughtLength)) : whole
  return { text, ...meta, ...more, ...(truncated && { truncated }) }
}

/** Ends the open thought and returns to content. */
function endThought(writer: ThoughtWriter, outcome: ThoughtOutcome, thought: Thought): void {
  const { state } = writer
  flush(writer)
  writer.sink.thoughtEnd(state.index - 1, outcome, thought)
  state.open = null
  state.text = emptyText
  state.leadingWhitespace = 0
  skipAfterTag(writer)
}

/** Skips whitespace from here on, as a tag is removed from content. */
function skipAfterTag({ state, settings }: ThoughtWriter): void {
  if (settings.trim === 'auto') state.skip = skipAfter(state.contentEnd)
}

/** Emits the text collected so far. */
export function flush(writer: ThoughtWriter): void {
  const { delta, sink, state } = writer
  if (delta === '') return
  if (state.open === null) sink.content(delta)
  else sink.thoughtDelta(state.index - 1, delta, state.open.meta)
  writer.delta = ''
}
