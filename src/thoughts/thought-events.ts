import type { Machine, Step } from '../core/machine.ts'
import { withoutHalf } from './char-codes.ts'
import { type ThoughtEnd, thoughtExtractor } from './extractor.ts'
import { settingsOf, type ThoughtOptions } from './options.ts'
import type { ThoughtMeta, ThoughtOutput, ThoughtType, ThoughtVerbosity } from './output.ts'
import type { ThoughtState } from './state.ts'

/** Options of {@link thoughtEvents}. */
export interface ThoughtEventOptions extends ThoughtOptions {
  /**
   * Whether thoughts are also told while they are being thought.
   * @defaultValue `false`
   */
  live?: boolean
}

/** What is known once the output is over. */
export interface ThoughtEventsEnd extends ThoughtEnd {
  /** Why the model stopped, such as `stop`, `length`, `tool-calls` or `content-filter`. */
  finishReason?: string
}

/** An event that an emitter makes whole: it adds the timestamp, the indexes and the ids. */
export type ThoughtEventDraft =
  | ContentDeltaDraft
  | ContentCompleteDraft
  | ThoughtDeltaDraft
  | ThoughtStreamDraft

/** A piece of content. */
export interface ContentDeltaDraft {
  kind: 'content-delta'
  /** What to append. Never empty. */
  delta: string
}

/** All of the content, at the end. */
export interface ContentCompleteDraft {
  kind: 'content-complete'
  /** The deltas, joined. Never empty. */
  content: string
  /** Absent when the end was not told it. */
  finishReason?: string
}

/** A piece of a thought while it is being thought. It belongs to the `thought-stream` that follows. */
export interface ThoughtDeltaDraft {
  kind: 'thought-delta'
  /** What to append. Never empty. */
  delta: string
}

/** A whole thought. It repeats the `thought-delta`s since the last one, if there are any. */
export interface ThoughtStreamDraft {
  kind: 'thought-stream'
  /** `reasoning` when the model does not say. */
  thoughtType: ThoughtType
  /** `normal` when the model does not say. */
  verbosity: ThoughtVerbosity
  /** The thought, without white space around it. Never empty. */
  content: string
  /** Absent when there is nothing to say in it. */
  metadata?: {
    /** From 0 to 1. */
    confidence?: number
    /** Other thoughts that were considered. */
    alternatives?: string[]
    /** The thought or tool call this one is about. */
    relatedTo?: string
    /** `false` when the end is missing: the output was cut off, or the thought is too long. */
    complete?: false
  }
}

/** Where {@link thoughtEvents} stands between two inputs. */
export interface ThoughtEventsState {
  readonly extractor: ThoughtState
  /** All of the content so far. */
  readonly content: string
  /** The thought that is being told, with `live` only. */
  readonly told: LiveThought | null
}

/** A thought that is being told. */
export interface LiveThought {
  readonly meta: ThoughtMeta
  /** What was told of it, up to one unit more than `maxThoughtLength`. */
  readonly content: string
  /** White space that is told once something follows it. */
  readonly space: string
}

/**
 * Turns model output into the events that tell it: what an emitter takes.
 *
 * Content becomes `content-delta`s and, at the end, one `content-complete`, unless there was no
 * content at all. A thought becomes a `thought-stream`.
 *
 * With `live`, a thought is told while it is being thought, by `thought-delta`s; the
 * `thought-stream` that follows repeats them whole. What has been told cannot be taken back, so with
 * `live` every thought that was told anything of ends in a `thought-stream`: also a duplicate, and
 * also one that the end turns into content, which is then marked `complete: false` and comes again as
 * content. White space around a thought is not told, so of an empty one there is no event at all.
 *
 * Diagnostics are those of {@link thoughtExtractor}.
 *
 * @throws TypeError for options that cannot work.
 *
 * @example
 * ```ts
 * const emitter = createEmitter({ contextId, taskId })
 * for await (const draft of iterate(thoughtEvents(), deltas)) send(emitter.emit(draft))
 * ```
 */
export function thoughtEvents(
  options: ThoughtEventOptions = {},
): Machine<ThoughtEventsState, string, ThoughtEventDraft, ThoughtEventsEnd> {
  const extractor = thoughtExtractor(options)
  const { maxThoughtLength: most } = settingsOf(options)
  const live = options.live === true

  function drafted(
    state: ThoughtEventsState,
    { state: inner, out: outputs, diagnostics }: Step<ThoughtState, ThoughtOutput>,
    end?: ThoughtEventsEnd,
  ): Step<ThoughtEventsState, ThoughtEventDraft> {
    let { content, told } = state
    const out: ThoughtEventDraft[] = []
    for (const output of outputs) {
      switch (output.type) {
        case 'content':
          content += output.delta
          out.push({ kind: 'content-delta', delta: output.delta })
          break
        case 'thought-start':
          if (live) told = { meta: output.meta, content: '', space: '' }
          break
        case 'thought-delta':
          if (told !== null) told = tell(told, output.delta, most, out)
          break
        case 'thought': {
          const { text, complete, truncated, ...meta } = output.thought
          out.push(streamOf(meta, text, complete === false || truncated === true))
          break
        }
        case 'thought-end':
          if (told !== null && told.content !== '' && output.outcome !== 'emitted') {
            const isCut = told.content.length > most
            // What was told is repeated: at least one whole character of it.
            const kept = (isCut && withoutHalf(told.content.slice(0, most))) || told.content
            out.push(streamOf(told.meta, kept, isCut || output.outcome === 'reclassified'))
          }
          told = null
      }
    }
    if (end !== undefined && content !== '') {
      const { finishReason } = end
      out.push({ kind: 'content-complete', content, ...(finishReason !== undefined && { finishReason }) })
      content = ''
    }
    const next: ThoughtEventsState = { extractor: inner, content, told }
    return diagnostics === undefined ? { state: next, out } : { state: next, out, diagnostics }
  }

  return {
    initial: { extractor: extractor.initial, content: '', told: null },
    step: (state, input) => drafted(state, extractor.step(state.extractor, input)),
    end: (state, how = {}) => drafted(state, extractor.end(state.extractor, how), how),
  }
}

/** White space is held back for as long as this, to see whether it stands at the end. */
const MOST_SPACE = 4096

/** Tells what a delta adds, without the white space around the whole. */
function tell(told: LiveThought, piece: string, most: number, out: ThoughtEventDraft[]): LiveThought {
  const fresh = told.content === '' ? piece.trimStart() : told.space + piece
  const trimmed = fresh.trimEnd()
  const delta = fresh.length - trimmed.length > MOST_SPACE ? fresh : trimmed
  if (delta !== '') out.push({ kind: 'thought-delta', delta })
  const content = (told.content + delta).slice(0, most + 1)
  return { meta: told.meta, content, space: fresh.slice(delta.length) }
}

function streamOf(meta: ThoughtMeta, content: string, isCut: boolean): ThoughtStreamDraft {
  const { type = 'reasoning', verbosity = 'normal', ...rest } = meta
  const metadata = { ...rest, ...(isCut && { complete: false as const }) }
  const isBare = Object.keys(metadata).length === 0
  return { kind: 'thought-stream', thoughtType: type, verbosity, content, ...(!isBare && { metadata }) }
}
