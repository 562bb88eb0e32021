/** The state of `fromUiMessageStream`. */

import { emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { JsonValue } from '../../../core/json-value.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import type { Usage } from '../../../events/usage.ts'
import type { DraftState, Ids } from '../../engine/draft.ts'
import type { DraftCall, DraftItem, DraftThought } from '../../engine/draft-item.ts'
import { emptyGroupedMap, type GroupedMap } from '../../engine/grouped-map.ts'
import { type Groups, ItemWriter } from '../../engine/open-items.ts'
import type { UiSubtaskData } from '../wire/data-parts.ts'
import type { ProviderMetadata } from '../wire/types.ts'
import type { Posted } from './posted.ts'

/**
 * The state of `fromUiMessageStream`.
 *
 *     new ──▶ open ──finish with open requests──▶ waiting ──▶ open … ──finish, abort, error at the end──▶ ended
 */
export interface FromUiState extends Readonly<DraftState & Ids> {
  readonly phase: 'new' | 'open' | 'waiting' | 'ended'
  /** How many of the next chunks an event of the extension stands for. */
  readonly skip: number
  /** The number of the next request, and of the next item without an id. */
  readonly nextRequest: number
  readonly nextId: number
  /** The number of the current step. */
  readonly step: number
  /** Open texts and thoughts, by the ids of their chunks. */
  readonly texts: GroupedMap<OpenText>
  readonly thoughts: GroupedMap<OpenThought>
  /** Calls, by the ids of their chunks. Those that have not ended are a group. */
  readonly calls: GroupedMap<Call>
  /** The call whose input is complete, while the next chunk may ask to approve it. `null`: none. */
  readonly heldCall: string | null
  /** Requests, by `approvalId`, `inputId` or `authId`. Those for input that are open are a group, those for authentication another. */
  readonly requests: GroupedMap<Request>
  /** What each artifact holds, by its id: an artifact keeps its type. */
  readonly artifacts: GroupedMap<string>
  readonly subtasks: GroupedMap<UiSubtaskData>
  /** Thoughts completed so far, and before the current step. */
  readonly thoughtCount: number
  readonly earlierThoughts: number
  /** The metadata of the message besides its usage, by key. */
  readonly metadata: GroupedMap<{ readonly value: JsonValue }>
  readonly usage: readonly Usage[] | null
  /** That of the messages after which the task waited, unless those that follow count it. */
  readonly earlierUsage: readonly Usage[]
  /** An `error`, while no chunk shows that the stream continues. `null`: none. */
  readonly error: string | null
}

/** The iteration of what a step has. Before the first one, it is the same. */
export function stepIteration({ step }: { readonly step: number }): number {
  return Math.max(step - 1, 0)
}

/** Where the events belong. */
export interface ReaderOptions {
  readonly taskId?: string | undefined
  readonly contextId?: string | undefined
  readonly newId: () => string
  readonly clock?: (() => string) | undefined
  /** The request that the responses answer. */
  readonly posted?: Posted | undefined
}

/** A step of the reader of a message. */
export type MessageWriter = ItemWriter<Mutable<FromUiState>, ReaderOptions>

/** The group of all that is open. */
export const OPEN = 'open'

const groups: Groups<FromUiState> = {
  texts: () => OPEN,
  thoughts: () => OPEN,
  calls: ({ phase }) => (phase === 'ended' ? null : OPEN),
  requests: ({ isOpen, order }) => (isOpen ? (order === null ? 'auth' : 'input') : null),
  artifacts: () => null,
  subtasks: ({ status }) => (isTerminalStatus(status) ? null : OPEN),
  metadata: () => OPEN,
}

export function messageWriter(state: FromUiState, options: ReaderOptions): MessageWriter {
  return new ItemWriter(copyState(state), options, groups)
}

/** A text that has not ended. */
export interface OpenText extends DraftItem {
  readonly providerMetadata?: ProviderMetadata
  /** The JSON of each source, on a line of its own: appending copies no list. */
  readonly sources?: string
}

/** A thought that has not ended. */
export interface OpenThought extends DraftThought {
  readonly providerMetadata?: ProviderMetadata
}

/** A tool call. Its `text` is the arguments as streamed, `''` if they are too long to compare. */
export interface Call extends DraftCall {
  /** `ready`: its input is complete. `asked`: it waits for approval. `faulty`: its input is invalid. */
  readonly phase: 'writing' | 'ready' | 'asked' | 'running' | 'faulty' | 'ended'
  /** Whether its `tool-start` was emitted. */
  readonly isStarted: boolean
  /** Whether the streamed arguments are too long to compare. */
  readonly isLong: boolean
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
  nextRequest: 0,
  nextId: 1,
  step: 0,
  texts: emptyGroupedMap,
  thoughts: emptyGroupedMap,
  calls: emptyGroupedMap,
  heldCall: null,
  ids: emptyBoundedMap,
  requests: emptyGroupedMap,
  artifacts: emptyGroupedMap,
  subtasks: emptyGroupedMap,
  thoughtCount: 0,
  earlierThoughts: 0,
  metadata: emptyGroupedMap,
  usage: null,
  earlierUsage: [],
  error: null,
}

/** A copy to change. Written out: spreading is slow. */
export function copyState(state: FromUiState): FromUiState {
  return {
    phase: state.phase,
    taskId: state.taskId,
    contextId: state.contextId,
    time: state.time,
    skip: state.skip,
    nextRequest: state.nextRequest,
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
  }
}
