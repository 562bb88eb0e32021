/** The state of `fromUiMessageStream`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../events/thought.ts'
import type { Usage } from '../../../events/usage.ts'
import type { UiSubtaskData } from '../wire/data-parts.ts'
import type { ProviderMetadata } from '../wire/types.ts'

/**
 * The state of `fromUiMessageStream`.
 *
 *     new ──▶ open ──finish with open requests──▶ waiting ──▶ open … ──finish, abort, error at the end──▶ ended
 */
export interface FromUiState {
  readonly phase: 'new' | 'open' | 'waiting' | 'ended'
  readonly taskId: string
  readonly contextId: string
  /** The time of the latest event. `null` before the first. */
  readonly time: string | null
  /** How many of the next chunks an event of the extension stands for. */
  readonly skip: number
  /** The number of the next open item, and of the next item without an id. */
  readonly nextItem: number
  readonly nextId: number
  /** The number of the current step. */
  readonly step: number
  /** Open texts and thoughts, by the ids of their chunks. */
  readonly texts: BoundedMap<OpenText>
  readonly thoughts: BoundedMap<OpenThought>
  /** Calls, by the ids of their chunks. */
  readonly calls: BoundedMap<Call>
  /** The call whose input is complete, while the next chunk may ask to approve it. `null`: none. */
  readonly heldCall: string | null
  /** How often each id of a call or thought was used. */
  readonly ids: BoundedMap<number>
  /** Requests, by `approvalId`, `inputId` or `authId`: the call to approve, if any. */
  readonly requests: BoundedMap<Request>
  /** What each artifact holds, by its id: an artifact keeps its type. */
  readonly artifacts: BoundedMap<string>
  readonly subtasks: BoundedMap<UiSubtaskData>
  /** Thoughts completed so far, and before the current step. */
  readonly thoughtCount: number
  readonly earlierThoughts: number
  /** The metadata of the message besides its usage, by key. */
  readonly metadata: BoundedMap<MetadataEntry>
  readonly usage: readonly Usage[] | null
  /** That of the messages after which the task waited, unless those that follow count it. */
  readonly earlierUsage: readonly Usage[]
  /** An `error`, while no chunk shows that the stream continues. `null`: none. */
  readonly error: string | null
  /** Whether the guessed type of a thought was reported. */
  readonly hasInferredThought: boolean
}

/** The iteration of what a step has. Before the first one, it is the same. */
export function iterationOf({ step }: { readonly step: number }): { iteration: number } {
  return { iteration: Math.max(step - 1, 0) }
}

/** A member of the metadata of the message. */
export interface MetadataEntry {
  readonly order: number
  readonly value: unknown
}

/** A text that has not ended. */
export interface OpenText {
  readonly order: number
  readonly step: number
  /** Omitted for the text without an id. */
  readonly contentId?: string
  readonly text: string
  /** The index of the next delta. */
  readonly nextIndex: number
  readonly providerMetadata?: ProviderMetadata
  /** The JSON of each source, on a line of its own: appending copies no list. */
  readonly sources?: string
}

/** A thought that has not ended. */
export interface OpenThought {
  readonly order: number
  readonly step: number
  readonly thoughtId: string
  readonly text: string
  readonly nextIndex: number
  readonly thoughtType?: ThoughtType
  readonly verbosity?: ThoughtVerbosity
  readonly providerMetadata?: ProviderMetadata
}

/** A tool call. */
export interface Call {
  readonly order: number
  readonly step: number
  /** Its id in events. */
  readonly id: string
  readonly toolName: string
  /** `ready`: its input is complete. `asked`: it waits for approval. `faulty`: its input is invalid. */
  readonly phase: 'writing' | 'ready' | 'asked' | 'running' | 'faulty' | 'ended'
  /** Whether its `tool-start` was emitted. */
  readonly isStarted: boolean
  /** The arguments as streamed. `null` if they are too long to compare, or were not streamed. */
  readonly text: string | null
  readonly nextIndex: number
  /** Whether the input is plain text and not JSON. */
  readonly isText: boolean
  /** The arguments as JSON; `''` before they are complete. */
  readonly input: string
  readonly metadata: Metadata | null
  /** The last preliminary output, if it is text. */
  readonly output: string
  /** The latest progress, which never decreases. */
  readonly progress: number
  /** The latest request about it that may be open. `null`: none. */
  readonly request: string | null
  /** Why the input is invalid. `null`: it is not. */
  readonly error: string | null
}

/** A request for input or authentication. */
export interface Request {
  readonly isOpen: boolean
  /** Its place among the requests for input. `null`: it asks for authentication. */
  readonly order: number | null
  /** The request about the same call before it. */
  readonly before?: string | null
  /** The call to approve or to run, by the id of its chunks. `null`: none. */
  readonly toolCallId: string | null
  /** Set for a request that no chunk makes: the message ended with a call that the page is to run. */
  readonly isInferred?: boolean
}

export const initialState: FromUiState = {
  phase: 'new',
  taskId: '',
  contextId: '',
  time: null,
  skip: 0,
  nextItem: 0,
  nextId: 1,
  step: 0,
  texts: emptyBoundedMap,
  thoughts: emptyBoundedMap,
  calls: emptyBoundedMap,
  heldCall: null,
  ids: emptyBoundedMap,
  requests: emptyBoundedMap,
  artifacts: emptyBoundedMap,
  subtasks: emptyBoundedMap,
  thoughtCount: 0,
  earlierThoughts: 0,
  metadata: emptyBoundedMap,
  usage: null,
  earlierUsage: [],
  error: null,
  hasInferredThought: false,
}

/** A copy to change. Written out: spreading is slow. */
export function copyState(state: FromUiState): FromUiState {
  return {
    phase: state.phase,
    taskId: state.taskId,
    contextId: state.contextId,
    time: state.time,
    skip: state.skip,
    nextItem: state.nextItem,
    nextId: state.nextId,
    step: state.step,
    texts: state.texts,
    thoughts: state.thoughts,
    calls: state.calls,
    heldCall: state.heldCall,
    ids: state.ids,
    requests: state.requests,
    artifacts: state.artifacts,
    subtasks: state.subtasks,
    thoughtCount: state.thoughtCount,
    earlierThoughts: state.earlierThoughts,
    metadata: state.metadata,
    usage: state.usage,
    earlierUsage: state.earlierUsage,
    error: state.error,
    hasInferredThought: state.hasInferredThought,
  }
}
