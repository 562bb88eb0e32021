import type { Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { requireBoolean } from '../core/require.ts'
import { append, emptyText, type GrowingText, textOf } from '../encoding/growing-text.ts'
import { settingsOf, type ThoughtOptions } from './options.ts'
import type { Thought, ThoughtMeta, ThoughtOutcome } from './output.ts'
import { endInto, type Read, readInto, type ThoughtEnd } from './read.ts'
import { type ExtractorState, initialState } from './state.ts'
import { type ThoughtEventDraft, thoughtDelta, thoughtStream } from './thought-event-draft.ts'
import type { ThoughtSink } from './thought-writer.ts'

/** Options of {@link thoughtEvents}. */
export interface ThoughtEventOptions extends ThoughtOptions {
  /**
   * Whether thoughts are also streamed as `thought-delta`s while the model writes them.
   * @defaultValue `false`
   */
  live?: boolean
}

/** What is known at the end of the output. */
export interface ThoughtEventsEnd extends ThoughtEnd {
  /** Why the model stopped, such as `stop`, `length`, `tool-calls` or `content-filter`. Omitted if unknown. */
  finishReason?: string
}

/** The state between two deltas. */
interface ThoughtEventsState {
  readonly extractor: ExtractorState
  /** The content so far. */
  readonly content: GrowingText
  /** The open thought while it is streamed. `null`: none, or the option `live` is off. */
  readonly live: LiveThought | null
}

/** A thought that is being streamed. */
interface LiveThought {
  /** Whether it has deltas. */
  readonly isStarted: boolean
  /** Whitespace that is held back until text follows it. At most `maxThoughtLength` code units. */
  readonly trailingWhitespace: string
}

/**
 * Converts model output to event drafts for an emitter.
 *
 * Content is emitted as `content-delta` events and, at the end, one `content-complete`, unless there was no content.
 * A thought is emitted as a `thought-stream`.
 *
 * With `live`, a thought is also streamed as `thought-delta`s; the `thought-stream` that follows repeats them.
 * Deltas cannot be withdrawn, so every streamed thought ends with a `thought-stream`: also a duplicate, and also
 * one that becomes content at the end, which is marked `complete: false` and repeated as content. Whitespace
 * around a thought is not streamed, so an empty thought emits no event.
 *
 * Diagnostics: those of {@link thoughtExtractor}.
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const emitter = createEmitter({ contextId, taskId })
 * for await (const draft of iterate(thoughtEvents(), deltas)) send(emitter.emit(draft))
 * ```
 */
export function thoughtEvents(
  options: ThoughtEventOptions = {},
): Machine<MachineState<'thoughtEvents'>, string, ThoughtEventDraft, ThoughtEventsEnd> {
  const settings = settingsOf(options, ['live'])
  const { live: isLive = false } = options
  requireBoolean('live', isLive)
  const machine: Machine<ThoughtEventsState, string, ThoughtEventDraft, ThoughtEventsEnd> = {
    initial: { extractor: initialState(settings), content: emptyText, live: null },
    step(state, delta) {
      const drafts = new Drafts(state, isLive, settings.maxThoughtLength)
      return drafts.step(readInto(drafts, settings, state.extractor, delta))
    },
    end(state, reason = {}) {
      const drafts = new Drafts(state, isLive, settings.maxThoughtLength)
      const read = endInto(drafts, settings, state.extractor, reason)
      drafts.complete(reason.finishReason)
      return drafts.step(read)
    },
  }
  return opaque(machine)
}

const unstarted: LiveThought = { isStarted: false, trailingWhitespace: '' }

/** The drafts of one step. */
class Drafts implements ThoughtSink {
  readonly #out: ThoughtEventDraft[] = []
  readonly #isLive: boolean
  readonly #maxThoughtLength: number
  #content: GrowingText
  #live: LiveThought | null

  constructor({ content, live }: ThoughtEventsState, isLive: boolean, maxThoughtLength: number) {
    this.#isLive = isLive
    this.#maxThoughtLength = maxThoughtLength
    this.#content = content
    this.#live = live
  }

  content(delta: string): void {
    this.#content = append(this.#content, delta)
    this.#out.push({ kind: 'content-delta', delta })
  }

  thoughtStart(): void {
    if (this.#isLive) this.#live = unstarted
  }

  /** Emits what a delta adds to a thought, without the whitespace around the thought. */
  thoughtDelta(_: number, piece: string, meta: ThoughtMeta): void {
    if (this.#live === null) return
    const { isStarted, trailingWhitespace } = this.#live
    const text = isStarted ? piece : piece.trimStart()
    const solid = text.trimEnd()
    let delta = solid === '' ? '' : trailingWhitespace + solid
    let rest = (solid === '' ? trailingWhitespace : '') + text.slice(solid.length)
    if (rest.length > this.#maxThoughtLength) {
      delta += rest
      rest = ''
    }
    if (delta !== '') this.#out.push(thoughtDelta(meta, delta))
    this.#live = { isStarted: isStarted || delta !== '', trailingWhitespace: rest }
  }

  thoughtEnd(_: number, outcome: ThoughtOutcome, thought: Thought): void {
    if (outcome === 'emitted' || this.#live?.isStarted) this.#out.push(thoughtStream(thought))
    this.#live = null
  }

  /** Emits the whole content. */
  complete(finishReason?: string): void {
    const content = textOf(this.#content)
    if (content === '') return
    this.#out.push({ kind: 'content-complete', content, ...(finishReason !== undefined && { finishReason }) })
    this.#content = emptyText
  }

  /** The finished step. */
  step(read: Read): Step<ThoughtEventsState, ThoughtEventDraft> {
    const { state: extractor, diagnostics } = read
    const state = { extractor, content: this.#content, live: this.#live }
    // Written out: a spread takes several times as long.
    return diagnostics === undefined ? { state, out: this.#out } : { state, out: this.#out, diagnostics }
  }
}
