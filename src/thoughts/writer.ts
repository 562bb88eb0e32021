/** The output side of the extractor: turns text, starts and ends into outputs and notes. */
import type { Note, Step } from '../machine.ts'
import type { TagWords } from './attributes.ts'
import { isHighSurrogate } from './characters.ts'
import { thoughtKey } from './dedupe.ts'
import type { Settings } from './options.ts'
import { type Draft, type OpenThought, PROMPT, type ThoughtState } from './state.ts'
import type { Thought, ThoughtMeta, ThoughtOutcome, ThoughtOutput } from './thought.ts'
import { EAT_NOTHING, eatAfter, eatStep, tailAfter } from './trim.ts'

/** What one step puts out. */
export interface Sink {
  readonly out: ThoughtOutput[]
  notes: Note[] | undefined
  /** Text of one kind, collected so that it comes out as one delta. */
  delta: string
}

export interface Writer {
  /** Writes text as whatever the place makes it: content or thought. */
  text(draft: Draft, sink: Sink, piece: string): void
  /** Begins a thought. */
  begin(draft: Draft, sink: Sink, by: number, words: TagWords): void
  /** Lets a start tag speak for the thought that the prompt has begun. */
  adopt(draft: Draft, sink: Sink, by: number, words: TagWords): void
  /** Ends the open thought at its close tag. */
  close(draft: Draft, sink: Sink): void
  /** Ends the open thought where the output ends. */
  cutOff(draft: Draft, sink: Sink, policy: 'thought' | 'content'): void
  /** Gets over a tag that is removed from content. */
  removed(draft: Draft): void
  /** Skips the white space that a removed tag leaves too much. Returns where the rest starts. */
  skip(draft: Draft, source: string, from: number): number
  /** The step that all this makes. */
  step(draft: Draft, sink: Sink): Step<ThoughtState, ThoughtOutput>
}

export function note(sink: Sink, code: string, message: string, detail: unknown): void {
  sink.notes ??= []
  sink.notes.push({ code, message, detail })
}

export function writerFor({ maxThoughtLength, trim, window }: Settings): Writer {
  function text(draft: Draft, sink: Sink, piece: string): void {
    if (piece === '') return
    if (draft.open !== null) {
      keep(draft, sink, piece, draft.open)
      return
    }
    draft.eat = EAT_NOTHING
    if (trim === 'auto') draft.tail = tailAfter(draft.tail, piece)
    sink.delta += piece
  }

  /** Adds to the open thought: to its deltas all, to its text as much as there is room for. */
  function keep(draft: Draft, sink: Sink, piece: string, open: OpenThought): void {
    let rest = piece
    if (draft.text.length === draft.blank) {
      rest = piece.trimStart()
      const space = piece.slice(0, Math.min(piece.length - rest.length, maxThoughtLength - draft.blank))
      draft.text += space
      draft.blank += space.length
      // Below the text of an attribute the text between the tags starts on a line of its own.
      if (open.said === '') sink.delta += piece
      else if (rest !== '') sink.delta += `\n${rest}`
    } else sink.delta += piece

    const room = maxThoughtLength + draft.blank - draft.text.length
    draft.text += rest.length <= room ? rest : rest.slice(0, room)
    if (rest.length > room && rest.slice(room).trim() !== '') truncate(draft, sink, open)
  }

  function truncate(draft: Draft, sink: Sink, open: OpenThought): void {
    if (open.truncated === true) return
    draft.open = { ...open, truncated: true }
    note(sink, 'thought-truncated', 'A thought is longer than maxThoughtLength.', { index: draft.index - 1 })
  }

  function begin(draft: Draft, sink: Sink, by: number, words: TagWords): void {
    flush(draft, sink)
    sink.out.push({ type: 'thought-start', index: draft.index, meta: copyOf(words.meta) })
    draft.index++
    draft.text = ''
    draft.blank = 0
    adopt(draft, sink, by, words)
  }

  function adopt(draft: Draft, sink: Sink, by: number, words: TagWords): void {
    draft.open = { by, meta: words.meta, said: words.text }
    sink.delta += words.text
  }

  function close(draft: Draft, sink: Sink): void {
    if (draft.open !== null) conclude(draft, sink, draft.open, {})
  }

  function cutOff(draft: Draft, sink: Sink, policy: 'thought' | 'content'): void {
    const { open } = draft
    if (open === null) return
    const body = open.truncated === true ? withoutHalf(draft.text) : draft.text
    note(sink, 'unterminated', 'The output ended inside a thought.', { index: draft.index - 1 })
    const raw = open.said === '' ? body : `${open.said}\n${body}`
    if (policy === 'thought' || raw === '') conclude(draft, sink, open, { complete: false })
    else {
      leave(draft, sink, 'reclassified')
      // The prompt's start tag was never in the output, so nothing is removed.
      if (open.by === PROMPT) draft.eat = EAT_NOTHING
      text(draft, sink, raw.slice(skip(draft, raw, 0)))
    }
  }

  /** Ends the open thought as a thought, if there is anything in it and it is new. */
  function conclude(draft: Draft, sink: Sink, open: OpenThought, cut: { complete?: false }): void {
    const index = draft.index - 1
    const whole = [open.said, draft.text.trim()].filter((part) => part !== '').join('\n')
    if (whole.length > maxThoughtLength) truncate(draft, sink, open)
    const isCut = draft.open?.truncated === true
    const kept = isCut ? withoutHalf(whole.slice(0, maxThoughtLength)) : whole
    flush(draft, sink)
    let outcome: ThoughtOutcome = 'empty'
    if (kept !== '') outcome = isNew(draft, open, kept) ? 'emitted' : 'duplicate'
    if (outcome === 'emitted') {
      const thought: Thought = { text: kept, ...copyOf(open.meta), ...cut }
      if (isCut) thought.truncated = true
      sink.out.push({ type: 'thought', index, thought })
    } else if (outcome === 'duplicate') {
      note(sink, 'duplicate-thought', 'A thought came that had come before.', { index })
    }
    leave(draft, sink, outcome)
  }

  /** Whether a thought has not come before. Remembers it. */
  function isNew(draft: Draft, open: OpenThought, whole: string): boolean {
    if (window === 0) return true
    const key = thoughtKey(open.meta.type, whole)
    if (draft.seen.includes(key)) return false
    draft.seen = (draft.seen.length < window ? draft.seen : draft.seen.slice(1)).concat(key)
    return true
  }

  /** Goes back to content. */
  function leave(draft: Draft, sink: Sink, outcome: ThoughtOutcome): void {
    flush(draft, sink)
    sink.out.push({ type: 'thought-end', index: draft.index - 1, outcome })
    draft.open = null
    draft.text = ''
    draft.blank = 0
    removed(draft)
  }

  function removed(draft: Draft): void {
    if (trim === 'auto') draft.eat = eatAfter(draft.tail)
  }

  function skip(draft: Draft, source: string, from: number): number {
    let at = from
    for (; draft.eat !== EAT_NOTHING && at < source.length; at++) {
      draft.eat = eatStep(draft.eat, source.charCodeAt(at))
      if (draft.eat === EAT_NOTHING) return at
    }
    return at
  }

  /** Puts out the text collected so far. */
  function flush(draft: Draft, sink: Sink): void {
    const { delta } = sink
    if (delta === '') return
    sink.delta = ''
    sink.out.push(
      draft.open === null
        ? { type: 'content', delta }
        : { type: 'thought-delta', index: draft.index - 1, delta },
    )
  }

  function step(draft: Draft, sink: Sink): Step<ThoughtState, ThoughtOutput> {
    flush(draft, sink)
    const { out, notes } = sink
    return notes === undefined ? { state: draft, out } : { state: draft, out, notes }
  }

  return { text, begin, adopt, close, cutOff, removed, skip, step }
}

/** Outputs are the consumer's: what the state keeps must not be in them. */
function copyOf(meta: ThoughtMeta): ThoughtMeta {
  return meta.alternatives === undefined ? { ...meta } : { ...meta, alternatives: [...meta.alternatives] }
}

/** Cutting text may leave the first half of a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text
}
