/** The parts of a task: what a user interface shows of it, in the order of their first events. */

import type { AuthCompletedMetadata, AuthRequiredEvent } from '../../events/auth.ts'
import type { ContentCompleteMetadata } from '../../events/content.ts'
import type { AnyCustomEvent, CustomEvent } from '../../events/custom.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { InputReceivedEvent, InputRequiredEvent } from '../../events/input.ts'
import type { Metadata } from '../../events/metadata.ts'
import type { TaskStatus } from '../../events/task-status.ts'
import type { ThoughtStreamMetadata, ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import type { ToolCompleteMetadata, ToolProgressMetadata, ToolStartMetadata } from '../../events/tool.ts'
import type { Audience } from '../access/audience.ts'

/** One part of a task. Narrow it by `type`. */
export type PartView =
  | TextPart
  | ThoughtPart
  | ToolPart
  | InputPart
  | AuthPart
  | ArtifactPart
  | SubtaskPart
  | ErrorPart
  | CustomPart

interface Part {
  /** The timestamp of the first event of the part. */
  readonly at: string
  /**
   * Who may see it: what all `metadata.audience` of its events allow. Operators may see everything. Omitted: no event
   * has such a label. Metadata in the part does not repeat it.
   */
  readonly audience?: readonly Audience[]
}

/** What a model response writes. */
interface ModelPart extends Part {
  /** The model response of the task, from 0. Omitted if unknown: the first event of the part does not state it. */
  readonly iteration?: number
}

/** Text that arrives in deltas. */
export interface StreamedPart {
  /** The index of the delta that follows the last one of this part. Omitted once the text is complete. */
  readonly nextIndex?: number
  /** `true` if deltas are missing from the text. Omitted: there is no gap, or the text is complete. */
  readonly hasGap?: true
}

/**
 * A stretch of text. A text that is interrupted, as by a tool call, continues in another part, so that parts are in
 * the order in which the agent wrote them. Joined, the parts of a segment are the whole text.
 */
export interface TextPart extends ModelPart, StreamedPart {
  readonly type: 'text'
  /** Which text it belongs to: the position of that text's first part among the parts of the task. */
  readonly segment: number
  /** The id of the text, if several may be open at the same time. Omitted for the text without one. */
  readonly contentId?: string
  /** The text of this stretch so far. */
  readonly text: string
  /** `open`: more deltas may come. `ended`: the task ended before the text was complete. */
  readonly status: 'open' | 'complete' | 'ended'
  /** Why the model stopped, as the provider calls it. Only in the last part of a text. Omitted if unknown. */
  readonly finishReason?: string
  /** Token usage and sources of the whole text. Only in the last part of a text. Omitted if there is none. */
  readonly metadata?: ContentCompleteMetadata
}

/** A thought. */
export interface ThoughtPart extends ModelPart, StreamedPart {
  readonly type: 'thought'
  /** The id of the thought, unique in the context. */
  readonly thoughtId: string
  /** The text so far, or the whole text once the part is complete. */
  readonly text: string
  /** `open`: only deltas so far. `ended`: the task ended before the thought was complete. */
  readonly status: 'open' | 'complete' | 'ended'
  /** The type. Before the thought is complete: omitted unless all deltas state the same type and verbosity. */
  readonly thoughtType?: ThoughtType
  /** The level of detail. Omitted when `thoughtType` is. */
  readonly verbosity?: ThoughtVerbosity
  /** Position of the thought in the task, from 0. Omitted before the thought is complete. */
  readonly index?: number
  /**
   * Confidence and relations. Thoughts with the same `groupId` are renderings of one thought; show one of them.
   * Omitted if there is none.
   */
  readonly metadata?: ThoughtStreamMetadata
}

/** A tool call. */
export interface ToolPart extends ModelPart, StreamedPart {
  readonly type: 'tool'
  /** The id of the call, unique in the context. */
  readonly toolCallId: string
  /** Omitted if unknown: the stream was joined while the tool was running. */
  readonly toolName?: string
  /**
   * `writing`: the model writes the arguments. `waiting`: it waits for its approval or, once that is given, for its start.
   * `declined`, `expired`: how the request to approve it ended, so that it has not started. `canceled`: it has not started
   * either, as that request was withdrawn, or the call or the task ended first. `failed`: also if the arguments were cut off.
   * `ended`: the task ended before the call, whose outcome is unknown.
   */
  readonly status:
    | 'writing'
    | 'waiting'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'declined'
    | 'expired'
    | 'canceled'
    | 'ended'
  /** The latest request to approve the call. Omitted if nobody was asked. */
  readonly approval?: ToolApproval
  /**
   * The arguments; while they are written, as much as has arrived, for display only. Of a call that waits, those to approve.
   * Omitted if unknown, or if nothing of the object has arrived, and while they are written in a view without
   * {@link ViewFeatures.partialArguments}.
   */
  readonly arguments?: Record<string, unknown>
  /** `false` if the arguments are incomplete, `true` after `tool-start` or a request to approve them. Omitted if none have arrived. */
  readonly argumentsComplete?: boolean
  /** The JSON text of the arguments as it was streamed. Omitted after `tool-start`, or if it was not. */
  readonly argumentsText?: string
  /** The latest progress. Omitted if there is none. */
  readonly progress?: ToolProgressView
  /** The output so far, by stream such as `stdout`; `''` is the stream without a name. Omitted if there is none. */
  readonly output?: Readonly<Record<string, string>>
  /** The result. Omitted if there is none, or not yet. */
  readonly result?: unknown
  /** Why the call failed, for people. Omitted unless it failed. */
  readonly error?: string
  /** The metadata of `tool-start` and `tool-complete`, merged. Omitted if there is none. */
  readonly metadata?: ToolStartMetadata & ToolCompleteMetadata
}

/** A request to approve a tool call. It is an {@link InputPart} as well. */
export interface ToolApproval {
  /** The id of the request, to answer it by. */
  readonly inputId: string
  /** Human-readable question. */
  readonly prompt: string
  /** Whether the answer may have other arguments. Those it may have are in the `schema` of the request. */
  readonly editable: boolean
  /** `canceled`: withdrawn, or its task ended. */
  readonly status: 'waiting' | 'approved' | 'declined' | 'expired' | 'canceled'
}

/** The progress of a tool call. */
export interface ToolProgressView {
  /** From 0 to 1. */
  readonly progress: number
  /** What the tool is doing, for people. Omitted if unknown. */
  readonly message?: string
  /** Metadata without `stream` and `chunk`, which are in the call's `output`. Omitted if there is none. */
  readonly metadata?: ToolProgressMetadata
}

/** An input request and its answer. */
export interface InputPart extends Part {
  readonly type: 'input'
  /** The id of the request, unique in the context. */
  readonly inputId: string
  /** `canceled`: withdrawn, expired, or its task ended. */
  readonly status: 'open' | 'answered' | 'declined' | 'canceled'
  /** The request. Omitted if unknown: the stream was joined after it. */
  readonly request?: Omit<InputRequiredEvent, 'kind' | 'timestamp' | 'inputId'>
  /** Who answered. Omitted if nobody did. */
  readonly answer?: Pick<InputReceivedEvent, 'providedBy' | 'userId' | 'agentId' | 'metadata'>
  /** Why the request was canceled. Omitted unless it was. */
  readonly reason?: 'expired' | 'withdrawn' | 'task-ended'
}

/** An authentication request and its outcome. */
export interface AuthPart extends Part {
  readonly type: 'auth'
  /** The id of the request, unique in the context. */
  readonly authId: string
  /** `ended`: the task ended before an answer. */
  readonly status: 'open' | 'completed' | 'failed' | 'ended'
  /** The request. Omitted if unknown: the stream was joined after it. */
  readonly request?: Omit<AuthRequiredEvent, 'kind' | 'timestamp' | 'authId'>
  /** Who authenticated. Omitted unless `completed`. */
  readonly userId?: string
  /** Lifetime of the access. Omitted unless `completed`, or if unknown. */
  readonly metadata?: AuthCompletedMetadata
  /** Why it failed, for programs. Omitted unless `failed`. */
  readonly reason?: 'denied' | 'expired' | 'failed'
  /** Why it failed, for people. Omitted if unknown. */
  readonly message?: string
}

/** An artifact that the task wrote to. {@link artifactOf} gives its content. */
export interface ArtifactPart extends Part {
  readonly type: 'artifact'
  /** The id of the artifact, unique in the context. */
  readonly artifactId: string
  /**
   * `writing`: the task writes a version. `complete`: its latest write is complete. `ended`: its latest write was not
   * completed, since the task ended, another task went on with it, or chunks were missing or invalid.
   */
  readonly status: 'writing' | 'complete' | 'ended'
}

/** A subtask that the task spawned. {@link taskOf} gives its state. */
export interface SubtaskPart extends Part {
  readonly type: 'subtask'
  /** The `taskId` of the subtask. */
  readonly subtaskId: string
  /** The agent that does it. Omitted if unknown. */
  readonly agentId?: string
  /** The instructions for the subtask. */
  readonly prompt: string
  /** The status of the subtask. `null` before its first. */
  readonly status: TaskStatus | null
}

/** An error. */
export interface ErrorPart extends Part {
  readonly type: 'error'
  readonly status: 'complete'
  /** The error, and whether it is retried. */
  readonly error: ErrorInfo
}

/** What the application shows with a custom event. Narrow it by `name`. */
export type CustomPart = CustomPartOf<AnyCustomEvent>

type CustomPartOf<E> = E extends CustomEvent<infer Name, infer Data> ? CustomPartFields<Name, Data> : never

interface CustomPartFields<Name extends string, Data> extends Part {
  readonly type: 'custom'
  readonly status: 'complete'
  /** What it is, as the application calls it. */
  readonly name: Name
  /** The data of the latest event of the part. */
  readonly data: Data
  /** Its id in the task. Omitted if it has none. */
  readonly customId?: string
  /** The metadata of the latest event of the part. Omitted if there is none. */
  readonly metadata?: Metadata
}
