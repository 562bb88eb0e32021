/** The state of `fromAgUi`. Plain JSON. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { TextMark } from '../../../encoding/text-mark.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { DraftState, DraftTask, Ids } from '../../engine/draft.ts'
import type { DraftCall, DraftItem, DraftThought } from '../../engine/draft-item.ts'
import { emptyGroupedMap, type GroupedMap } from '../../engine/grouped-map.ts'
import { type Groups, ItemWriter } from '../../engine/open-items.ts'
import type { AgUiInterrupt } from '../wire/types/index.ts'
import type { Reading } from './options.ts'

/** The run that is open, or was open last. */
export interface RunState {
  readonly threadId: string
  readonly runId: string
  /** `interrupted`: the next run of the thread continues its tasks. */
  /** `broken`: it ends with an error, or was canceled. */
  readonly phase: 'active' | 'interrupted' | 'broken' | 'ended'
  /** Whether its events are those of the extension. */
  readonly isExtended: boolean
  /** The open questions, by the ids of their interrupts. */
  readonly questions: readonly Question[]
  /** What was asked by events of the application, until the run ends. */
  readonly asked: readonly AgUiInterrupt[]
}

/** A question that the next run answers. */
export interface Question {
  readonly type: 'input' | 'auth'
  /** The `inputId` or `authId`. */
  readonly id: string
  readonly interruptId: string
  /** The key of the task. */
  readonly owner: string
  /** The call it is about, as AG-UI names it; `null` if there is none. */
  readonly callId: string | null
  /** Whether the client is to execute the call. */
  readonly isExecution: boolean
}

/** The task of the run, or of a subagent. */
export interface OpenTask extends DraftTask {
  readonly key: string
  readonly parentTaskId: string | null
  /** The key of its parent; `null` for the task of the run. */
  readonly parent: string | null
  /** `suspended`: a subagent that waits for the next run. */
  readonly phase: 'open' | 'suspended' | 'ended'
  /** The `interruptIds` with which it was suspended. */
  readonly interruptIds: readonly string[]
  /** The index of the next thought. */
  readonly thoughts: number
  /** The hash of the last text; `null` if there was none. */
  readonly lastContent: number | null
  /** Its latest model response, and what there was before it; `null` if none is known. */
  readonly iteration: number | null
  readonly earlier: { readonly thoughts: number; readonly lastContent: number | null }
  /** How many texts have begun. */
  readonly texts: number
  /** The model response whose step is open; `null` if none is. */
  readonly step: number | null
  /** The span of reasoning that messages belong to unless they name another one; `null` if there is none. */
  readonly span: string | null
}

/** What an item has that belongs to a task. */
export interface OpenPart extends DraftTask {
  readonly parentTaskId: string | null
  /** Its id in AG-UI. */
  readonly key: string
  /** The key of its task. */
  readonly owner: string
  /** The model response that it is of; `null` if it is not known. */
  readonly iteration: number | null
  /** What its events state beside the fields of their type. `null`: nothing. */
  readonly metadata: Metadata | null
}

/** A text message. */
export interface OpenText extends OpenPart, DraftItem {
  /** Whether it is from someone else than the agent, and is left out. */
  readonly isForeign: boolean
  /** Whether it has ended, and a snapshot has replaced it since. */
  readonly isOver: boolean
}

/** A reasoning message. */
export interface OpenThought extends OpenPart, DraftThought {
  readonly id: string
  /** The span it is in; `null` if it is in none. */
  readonly span: string | null
  /** Whether it has ended, and waits for its encrypted value. */
  readonly hasEnded: boolean
}

/** A span of reasoning. */
export interface OpenSpan extends OpenPart {
  /** The span that was open when it started; `null` if none was. */
  readonly outer: string | null
}

/** A tool call. */
export interface OpenCall extends OpenPart, DraftCall {
  readonly id: string
  /**
   * - `cut`: the arguments were cut off; they may continue in the next run
   * - `asked`: likewise, and the user was asked about it: it starts, or it does not
   * - `invalid`: the arguments are no JSON object, so that the call never started
   * - `resumed`: it started in an earlier run, and waited for an answer
   * - `executed`: it started in an earlier run, and the client has executed it
   */
  readonly phase: 'writing' | 'running' | 'cut' | 'asked' | 'invalid' | 'resumed' | 'executed'
  /** How many texts of its task had begun when it started. */
  readonly texts: number
  /** What the client has executed it with; `null` if that is not known. */
  readonly answer: { readonly content: string; readonly error?: string } | null
  /** The arguments as they are repeated, since its start was repeated while it runs. */
  readonly again?: string
}

/** A message or call that is sent in chunks. */
export interface OpenChunk {
  readonly type: 'text' | 'thought' | 'call'
  readonly id: string
}

/** A version of an artifact. */
export interface ArtifactVersion {
  readonly version: number
  readonly name: string
  /** Whether the content is under `value`, as data is an object. */
  readonly isWrapped?: true
  /** What was written last, to compare snapshots with it. Omitted: it was changed since. */
  readonly written?: TextMark
}

/** A message of which something has ended, to be compared with snapshots. */
export interface KnownMessage extends TextMark {
  readonly type: 'text' | 'thought' | 'call' | 'result'
  readonly id: string
  /** The key of its task. */
  readonly owner: string
  readonly iteration: number | null
  /** Of a text: its `contentId`, and what its message had before its last segment. */
  readonly contentId: string | null
  readonly before: TextMark
  /** Of a call or thought: its id in events, and whether the call has started. */
  readonly itemId: string
  readonly hasStarted: boolean
}

export interface FromAgUiState extends Readonly<DraftState & Ids> {
  readonly run: RunState | null
  /** Whether the events are of a run of another thread than that of the request, and are left out. */
  readonly isOther: boolean
  /** The tasks of the run by key, grouped by parent as long as they have not ended. */
  readonly tasks: GroupedMap<OpenTask>
  /** Grouped by task, as are spans and calls. */
  readonly texts: GroupedMap<OpenText>
  /** The last message with a `contentId`, by task and `contentId`. */
  readonly contents: BoundedMap<string>
  /** Grouped by span, or by task if they are in none; those that have ended apart from others. */
  readonly thoughts: GroupedMap<OpenThought>
  readonly spans: GroupedMap<OpenSpan>
  readonly calls: GroupedMap<OpenCall>
  /** By the key of the task. */
  readonly chunks: BoundedMap<OpenChunk>
  /** By type and id. */
  readonly messages: BoundedMap<KnownMessage>
  /** Whether some of them were forgotten, as there were too many. */
  readonly hasForgotten: boolean
  /** Those of earlier runs of the context. */
  readonly past: BoundedMap<true>
  /** The calls that have ended without arguments, which may follow. */
  readonly held: readonly string[]
  /** By artifact id. */
  readonly versions: BoundedMap<ArtifactVersion>
}

export function initialState(contextId: string): FromAgUiState {
  return {
    contextId,
    taskId: '',
    time: null,
    stated: null,
    ahead: 0,
    run: null,
    isOther: false,
    tasks: emptyGroupedMap,
    texts: emptyGroupedMap,
    contents: emptyBoundedMap,
    thoughts: emptyGroupedMap,
    spans: emptyGroupedMap,
    calls: emptyGroupedMap,
    chunks: emptyBoundedMap,
    messages: emptyBoundedMap,
    hasForgotten: false,
    past: emptyBoundedMap,
    held: [],
    versions: emptyBoundedMap,
    ids: emptyBoundedMap,
  }
}

/** A copy to assign to. Written out: spreading is slow. */
export function copyState(state: FromAgUiState): FromAgUiState {
  return {
    contextId: state.contextId,
    taskId: state.taskId,
    time: state.time,
    stated: state.stated ?? null,
    ahead: state.ahead ?? 0,
    run: state.run,
    isOther: state.isOther ?? false,
    tasks: state.tasks,
    texts: state.texts,
    contents: state.contents,
    thoughts: state.thoughts,
    spans: state.spans,
    calls: state.calls,
    chunks: state.chunks,
    messages: state.messages,
    hasForgotten: state.hasForgotten,
    past: state.past,
    held: state.held,
    versions: state.versions,
    ids: state.ids,
  }
}

/** A step of the reader of a run. */
export type RunWriter = ItemWriter<Mutable<FromAgUiState>, Reading>

const byOwner = ({ owner }: { readonly owner: string }): string => owner

const groups: Groups<FromAgUiState> = {
  tasks: ({ phase, parent }) => (phase === 'ended' ? null : parent),
  texts: byOwner,
  thoughts: ({ hasEnded, span, owner }) => thoughtGroup(hasEnded, span, owner),
  spans: byOwner,
  calls: byOwner,
}

/** The group of the reasoning messages of a span, or of those of a task that are in none. */
export function thoughtGroup(hasEnded: boolean, span: string | null, owner: string): string {
  return span === null ? `${hasEnded} of ${owner}` : `${hasEnded} in ${span}`
}

export function runWriter(state: FromAgUiState, reading: Reading): RunWriter {
  return new ItemWriter(copyState(state), reading, groups)
}
