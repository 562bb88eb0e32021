import type { Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { requireBoolean } from '../core/require.ts'
import { withoutHalf } from '../encoding/surrogates.ts'
import { type ThoughtEnd, thoughtExtractor } from './extractor.ts'
import { settingsOf, type ThoughtOptions } from './options.ts'
import type { ThoughtMeta, ThoughtOutput } from './output.ts'
import { type ThoughtEventDraft, thoughtStream } from './thought-event-draft.ts'

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
interface ThoughtEventsState<Extractor> {
  readonly extractor: Extractor
  /** The content so far. */
  readonly content: string
  /** The thought that is being streamed. `null`: none, or the option `live` is off. */
  readonly live: LiveThought | null
}

/** A thought that is being streamed. */
interface LiveThought {
  readonly meta: ThoughtMeta
  /** The deltas so far, joined: at most `maxThoughtLength` + 1 code units. */
  readonly content: string
  /** Whitespace that is held back until text follows it. */
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
  const extractor = thoughtExtractor(options)
  const { maxThoughtLength } = settingsOf(options)
  const { live: isLive = false } = options
  requireBoolean('live', isLive)
  type Extractor = typeof extractor.initial
  type State = ThoughtEventsState<Extractor>

  function convert(
    state: State,
    { state: next, out: outputs, diagnostics }: Step<Extractor, ThoughtOutput>,
    end?: ThoughtEventsEnd,
  ): Step<State, ThoughtEventDraft> {
    let { content, live } = state
    const out: ThoughtEventDraft[] = []
    for (const output of outputs) {
      switch (output.type) {
        case 'content':
          content += output.delta
          out.push({ kind: 'content-delta', delta: output.delta })
          break
        case 'thought-start':
          if (isLive) live = { meta: output.meta, content: '', trailingWhitespace: '' }
          break
        case 'thought-delta':
          if (live !== null) live = appendDelta(live, output.delta, maxThoughtLength, out)
          break
        case 'thought': {
          const { text, complete, truncated, ...meta } = output.thought
          out.push(thoughtStream(meta, text, complete === false || truncated === true))
          break
        }
        case 'thought-end':
          if (live !== null && live.content !== '' && output.outcome !== 'emitted') {
            const isCut = live.content.length > maxThoughtLength
            // Repeats what was streamed: at least one whole character of it.
            const kept = (isCut && withoutHalf(live.content.slice(0, maxThoughtLength))) || live.content
            out.push(thoughtStream(live.meta, kept, isCut || output.outcome === 'reclassified'))
          }
          live = null
      }
    }
    if (end !== undefined && content !== '') {
      const { finishReason } = end
      out.push({ kind: 'content-complete', content, ...(finishReason !== undefined && { finishReason }) })
      content = ''
    }
    const converted: State = { extractor: next, content, live }
    return diagnostics === undefined ? { state: converted, out } : { state: converted, out, diagnostics }
  }

  const machine: Machine<State, string, ThoughtEventDraft, ThoughtEventsEnd> = {
    initial: { extractor: extractor.initial, content: '', live: null },
    step: (state, delta) => convert(state, extractor.step(state.extractor, delta)),
    end: (state, reason = {}) => convert(state, extractor.end(state.extractor, reason), reason),
  }
  return opaque(machine)
}

/** The most whitespace that is held back to find out whether a thought ends with it. */
const MAX_TRAILING_WHITESPACE = 4096

/** Emits what a delta adds to a thought, without the whitespace around the thought. */
function appendDelta(
  live: LiveThought,
  piece: string,
  maxThoughtLength: number,
  out: ThoughtEventDraft[],
): LiveThought {
  const text = live.content === '' ? piece.trimStart() : live.trailingWhitespace + piece
  const trimmed = text.trimEnd()
  const delta = text.length - trimmed.length > MAX_TRAILING_WHITESPACE ? text : trimmed
  if (delta !== '') out.push({ kind: 'thought-delta', delta })
  const content = (live.content + delta).slice(0, maxThoughtLength + 1)
  return { meta: live.meta, content, trailingWhitespace: text.slice(delta.length) }
}
