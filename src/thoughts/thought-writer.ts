import type { Diagnostic, Step } from '../core/machine.ts'
import { withoutHalf } from '../encoding/surrogates.ts'
import { parseAttributes, type TagAttributes } from './attributes.ts'
import { addThought } from './dedupe.ts'
import type { Delimiter } from './delimiters.ts'
import type { Settings } from './options.ts'
import type { Thought, ThoughtMeta, ThoughtOutcome, ThoughtOutput, ThoughtType } from './output.ts'
import { copyState, type ExtractorState, type NextState, type OpenThought, PROMPT } from './state.ts'
import { contentEndAfter, skipAfter, skipOver } from './whitespace.ts'

/**
 * Converts the text and delimiters of one step to outputs.
 *
 *                opening delimiter                       closing delimiter
 *     content ─────openThought─────▶ inside a thought ─────closeThought─────▶ content
 *        text: writeContent             text: appendToThought
 *                                       end of input: closeThought, or content again
 *
 * Does not extend `StepBuilder`: there is one writer per delta, and a derived class makes extraction a tenth slower.
 */
export class ThoughtWriter {
  /** The state as changed so far. */
  readonly state: NextState
  private readonly settings: Settings
  private readonly out: ThoughtOutput[] = []
  private readonly diagnostics: Diagnostic[] = []
  /** Text of one kind, content or thought, collected so that it is emitted as one delta. */
  private delta = ''

  constructor(settings: Settings, state: ExtractorState) {
    this.state = copyState(state)
    this.settings = settings
    const { open, index } = state
    // The thought that the prompt opened has no opening tag in the output.
    if (open !== null && index === 0) this.openThought(open.delimiter, { meta: {}, text: '' })
  }

  /** The finished step. */
  done(): Step<NextState, ThoughtOutput> {
    this.flush()
    const { state, out, diagnostics } = this
    return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
  }

  /** Reports a diagnostic. */
  diagnostic(code: string, message: string, detail: unknown): void {
    this.diagnostics.push({ code, message, detail })
  }

  /** Writes text to the open thought, or else to content. */
  write(piece: string): void {
    if (piece === '') return
    if (this.state.open === null) this.writeContent(piece)
    else this.appendToThought(piece, this.state.open)
  }

  /** Handles a complete delimiter. Returns `false` if it is text at this position. */
  handleTag({ option, side, isTag, units }: Delimiter, source: string): boolean {
    const isInside = this.state.open !== null
    if (side === 'close') {
      if (isInside) this.closeThought({})
      else {
        this.diagnostic('orphan-close', 'Removed a closing tag without an opening tag.', { tag: source })
        this.skipAfterTag()
      }
      return true
    }
    const isSelfClosing = isTag && source.endsWith('/>')
    if (isInside && isSelfClosing) return false
    const inner = isTag ? source.slice(units.length, isSelfClosing ? -2 : -1) : ''
    const attributes = parseAttributes(inner, (code, message, detail) =>
      this.diagnostic(code, message, detail),
    )
    if (isInside) this.applyTagAttributes(option, attributes)
    else this.openThought(option, attributes)
    if (isSelfClosing) this.closeThought({})
    return true
  }

  /** Ends the thought that is open at the end of the input. */
  endOfInput(policy: 'thought' | 'content'): void {
    if (this.state.open === null) return
    const { delimiter, attributeText, truncated } = this.state.open
    this.diagnoseThought('unterminated', 'The output ended inside a thought.')
    const body = truncated === true ? withoutHalf(this.state.text) : this.state.text
    const raw = attributeText === '' ? body : `${attributeText}\n${body}`
    if (policy === 'thought' || raw === '') {
      this.closeThought({ complete: false })
      return
    }
    this.emitEnd('reclassified')
    // The prompt's opening tag was never in the output, so no tag is removed.
    if (delimiter === PROMPT) this.state.skip = null
    this.write(raw.slice(this.skipWhitespace(raw, 0)))
  }

  /** Skips the whitespace that a removed tag makes superfluous. Returns where the rest starts. */
  skipWhitespace(source: string, from: number): number {
    let { skip } = this.state
    let at = from
    while (skip !== null && at < source.length) {
      skip = skipOver(skip, source.charCodeAt(at))
      if (skip !== null) at++
    }
    this.state.skip = skip
    return at
  }

  private writeContent(piece: string): void {
    const { state } = this
    state.skip = null
    state.contentEnd = contentEndAfter(state.contentEnd, piece)
    this.delta += piece
  }

  /** Adds all of a piece to the deltas, and as much as there is room for to the text. */
  private appendToThought(piece: string, { attributeText }: OpenThought): void {
    const { state } = this
    const { maxThoughtLength } = this.settings
    let rest = piece
    if (state.text.length === state.leadingWhitespace) {
      rest = piece.trimStart()
      const room = maxThoughtLength - state.leadingWhitespace
      state.text += piece.slice(0, Math.min(piece.length - rest.length, room))
      state.leadingWhitespace = state.text.length
      // After the text of an attribute, the text between the tags starts on a new line.
      if (attributeText === '') this.delta += piece
      else if (rest !== '') this.delta += `\n${rest}`
    } else this.delta += piece

    const room = maxThoughtLength + state.leadingWhitespace - state.text.length
    state.text += rest.slice(0, room)
    if (rest.length > room && rest.slice(room).trim() !== '') this.markTruncated()
  }

  private markTruncated(): void {
    const { open } = this.state
    if (open === null || open.truncated === true) return
    this.state.open = { ...open, truncated: true }
    const { maxThoughtLength } = this.settings
    this.diagnoseThought('thought-truncated', `A thought is longer than ${maxThoughtLength} characters.`)
  }

  private openThought(option: string, attributes: TagAttributes): void {
    this.flush()
    const { state } = this
    this.out.push({ type: 'thought-start', index: state.index, meta: copyMeta(attributes.meta) })
    state.index++
    this.applyTagAttributes(option, attributes)
  }

  /** Gives the thought that has started the attributes of an opening tag. */
  private applyTagAttributes(option: string, { meta, text }: TagAttributes): void {
    this.state.open = { delimiter: option, meta, attributeText: text }
    this.delta += text
  }

  /** Ends the open thought, and emits it unless it is empty or a duplicate. */
  private closeThought(more: { complete?: false }): void {
    if (this.state.open === null) return
    const { maxThoughtLength } = this.settings
    const whole = `${this.state.open.attributeText}\n${this.state.text.trim()}`.trim()
    if (whole.length > maxThoughtLength) this.markTruncated()
    const { meta, truncated } = this.state.open
    const text = truncated === true ? withoutHalf(whole.slice(0, maxThoughtLength)) : whole
    if (text === '') this.emitEnd('empty')
    else if (this.isDuplicate(meta.type, text)) {
      this.diagnoseThought('duplicate-thought', 'A thought repeats an earlier one.')
      this.emitEnd('duplicate')
    } else {
      this.flush()
      const thought: Thought = { text, ...copyMeta(meta), ...more, ...(truncated && { truncated }) }
      this.out.push({ type: 'thought', index: this.state.index - 1, thought })
      this.emitEnd('emitted')
    }
  }

  /** Whether a thought repeats one of the last ones. Adds it to them otherwise. */
  private isDuplicate(type: ThoughtType | undefined, text: string): boolean {
    const { window } = this.settings
    if (window === 0) return false
    const seen = addThought(this.state.seen, type, text, window)
    this.state.seen = seen ?? this.state.seen
    return seen === undefined
  }

  /** Ends the open thought and returns to content. */
  private emitEnd(outcome: ThoughtOutcome): void {
    this.flush()
    const { state } = this
    this.out.push({ type: 'thought-end', index: state.index - 1, outcome })
    state.open = null
    state.text = ''
    state.leadingWhitespace = 0
    this.skipAfterTag()
  }

  /** Skips whitespace from here on, as a tag is removed from content. */
  private skipAfterTag(): void {
    if (this.settings.trim === 'auto') this.state.skip = skipAfter(this.state.contentEnd)
  }

  /** Emits the text collected so far. */
  private flush(): void {
    const delta = this.delta
    if (delta === '') return
    const { open, index } = this.state
    this.out.push(
      open === null ? { type: 'content', delta } : { type: 'thought-delta', index: index - 1, delta },
    )
    this.delta = ''
  }

  private diagnoseThought(code: string, message: string): void {
    this.diagnostic(code, message, { index: this.state.index - 1 })
  }
}

/** Outputs belong to the consumer, so they share nothing with the state. */
function copyMeta({ alternatives, ...meta }: ThoughtMeta): ThoughtMeta {
  return alternatives === undefined ? meta : { ...meta, alternatives: [...alternatives] }
}
