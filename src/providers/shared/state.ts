/** The state of a machine that reads the stream of a model. Plain JSON. */

import type { JsonValue } from '../../core/json-value.ts'
import type { Mutable } from '../../core/mutable.ts'
import type { GrowingText } from '../../encoding/growing-text.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { CitedSource } from '../../events/source.ts'
import type { ThoughtStreamMetadata, ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import type { Usage } from '../../events/usage.ts'
import type { Fields } from './fields.ts'
import type { ModelText } from './growing.ts'
import type { Extractor } from './options.ts'

/** A text segment. */
export interface TextState {
  /** What the provider calls it, such as the index of its block. */
  readonly key: string
  /** `null`: the one text without an id. */
  readonly contentId: string | null
  readonly text: ModelText
  /** The state of the extraction of thoughts. `null`: not started, or off. */
  readonly extractor: Extractor['initial'] | null
  readonly sources: readonly CitedSource[]
  /** Further metadata of its `content-complete`: texts alone. */
  readonly metadata: Readonly<Record<string, string>>
  /**
   * - `open`: more text may follow
   * - `ended`: no more text follows; its `content-complete` waits, as it may be the last one of the response
   * - `complete`: its `content-complete` was emitted
   */
  readonly status: 'open' | 'ended' | 'complete'
}

/** A thought. */
export interface ThoughtState {
  readonly key: string
  readonly text: ModelText
  /** Text that is not emitted yet, as an earlier thought is still open. */
  readonly waiting: string
  readonly thoughtType: ThoughtType
  readonly verbosity: ThoughtVerbosity
  readonly metadata: Readonly<ThoughtStreamMetadata>
  /** `done`: its `thought-stream` was emitted, unless it is empty. */
  readonly status: 'open' | 'ended' | 'done'
}

/** A call of a tool. */
export interface CallState {
  readonly key: string
  /** Empty until it is known. */
  readonly toolCallId: string
  /** Empty until it is known. */
  readonly toolName: string
  /** The arguments as JSON text. */
  readonly text: ModelText
  /** Text that is not emitted yet, as the name of the tool is unknown. */
  readonly waiting: string
  /** Whether the end of the arguments was dropped, as the response is too long. */
  readonly isTruncated: boolean
  /** Whether the provider stated all arguments: deltas that follow only repeat them. */
  readonly isStated: boolean
  /** Whether they ended without a character, so that the call waits for the end of the response. */
  readonly isEnded: boolean
  /** Whether `tool-arguments-delta`s were emitted. */
  readonly hasDeltas: boolean
  /** Empty if there is none. */
  readonly signature: string
  /** Where the tool runs, if it runs at the provider: the `metadata.provider` of its `tool-start`. Empty if not. */
  readonly server: string
  /** If the input is text, which the arguments wrap: the arguments up to it. Empty if the input is JSON. */
  readonly opening: string
  /** `running`: a call of a tool at the provider that has no result yet. */
  readonly status: 'writing' | 'running' | 'complete' | 'incomplete' | 'invalid'
}

/** What is put into a block. */
export interface Place {
  /**
   * - `text`, `thought`, `call`: the text, thought or arguments with the key of the item
   * - `call-text`: the arguments as the model wrote them; `call-input`: those that are text
   * - `part`: a text of its own
   * - `message`: all texts and calls of the response; `message-object`: with the arguments as objects
   * - `whole`: nothing
   */
  readonly of:
    | 'text'
    | 'thought'
    | 'call'
    | 'call-text'
    | 'call-input'
    | 'part'
    | 'message'
    | 'message-object'
    | 'whole'
  /** Where it is in the block. Empty: nowhere. */
  readonly path: readonly string[]
  /** Where the signature of a thought, or the id of a call, is. Empty: nowhere. */
  readonly labelPath: readonly string[]
}

/** A block, a part, an item or a message of a response. */
export interface ContentItem extends Place {
  readonly key: string
  /** Only of a `part`; otherwise empty. */
  readonly text: GrowingText
  /** `null`: its end did not come, so that it cannot be sent back. */
  readonly block: Fields | null
}

/** The state between two chunks. */
export interface ModelState<Own = unknown> {
  /**
   * - `waiting`: before `internal:llm-call`
   * - `streaming`: after it
   * - `ended`: everything of the response was emitted
   */
  readonly stage: 'waiting' | 'streaming' | 'ended'
  /** Empty until they are known. */
  readonly model: string
  readonly provider: string
  readonly responseId: string
  /** What the ids begin with that the provider does not state. Empty until one is needed. */
  readonly idPrefix: string
  /** Whether the model has stopped. Also if it is not known why. */
  readonly isFinished: boolean
  readonly finishReason: string | null
  readonly usage: Usage | null
  readonly error: ErrorInfo | null
  readonly texts: readonly TextState[]
  readonly thoughts: readonly ThoughtState[]
  readonly calls: readonly CallState[]
  /** In the provider’s format. */
  readonly contents: readonly ContentItem[]
  /** What no event has, by the names of the provider. */
  readonly details: Readonly<Record<string, JsonValue>>
  /** The ids of the calls of earlier responses in the same stream. */
  readonly earlierCalls: readonly string[]
  /** What was reported once: unknown types and fields. */
  readonly reported: readonly string[]
  /** How many characters were dropped, by the limit that they are beyond. */
  readonly overflow: Readonly<Record<string, number>>
  /** How many characters are kept. */
  readonly length: number
  /** What the provider’s reader keeps. */
  readonly own: Own
}

/** Further items of a response are dropped: texts, thoughts, calls, blocks and sources of a text. */
export const MAX_ITEMS = 1024

/** No more is kept of the names that items are known by. In UTF-16 code units. */
export const MAX_NAME = 256

/** Further types and fields are not reported. */
export const MAX_REPORTED = 64

/**
 * Further text of a response is dropped. In UTF-16 code units: texts, thoughts, arguments, names, ids, signatures, sources,
 * and blocks as they are sent back, together.
 */
export const MAX_LENGTH = 16_777_216

/** The state before the first chunk. */
export function initialModelState<Own>(own: Own): ModelState<Own> {
  return {
    stage: 'waiting',
    model: '',
    provider: '',
    responseId: '',
    idPrefix: '',
    isFinished: false,
    finishReason: null,
    usage: null,
    error: null,
    texts: [],
    thoughts: [],
    calls: [],
    contents: [],
    details: {},
    earlierCalls: [],
    reported: [],
    overflow: {},
    length: 0,
    own,
  }
}

/** A copy to be changed. Written out: it is made for every chunk, and a spread takes several times as long. */
export function copyModelState<Own>(state: ModelState<Own>): Mutable<ModelState<Own>> {
  return {
    stage: state.stage,
    model: state.model,
    provider: state.provider,
    responseId: state.responseId,
    idPrefix: state.idPrefix,
    isFinished: state.isFinished,
    finishReason: state.finishReason,
    usage: state.usage,
    error: state.error,
    texts: state.texts,
    thoughts: state.thoughts,
    calls: state.calls,
    contents: state.contents,
    details: state.details,
    earlierCalls: state.earlierCalls,
    reported: state.reported,
    overflow: state.overflow,
    length: state.length,
    own: state.own,
  }
}

/** The last item with a key that may still change. */
export function findOpen<T extends { readonly key: string; readonly status: string }>(
  list: readonly T[],
  key: string,
  status: T['status'],
): T | undefined {
  return list.findLast((item) => item.key === key && item.status === status)
}

/** The lists of a response whose items change. */
interface Items {
  texts: TextState
  thoughts: ThoughtState
  calls: CallState
  contents: ContentItem
}

/** Puts a copy of an item in its place, to be changed further in the step that is running. */
export function edit<Name extends keyof Items>(
  state: Mutable<ModelState>,
  name: Name,
  item: Items[Name],
  changes?: Partial<Items[Name]>,
): Mutable<Items[Name]> {
  const copy = { ...item, ...changes }
  const lists: Record<Name, readonly unknown[]> = state
  lists[name] = lists[name].map((other) => (other === item ? copy : other))
  return copy
}
