/** The parts of a task: what a user interface shows of it, in order of appearance. */

import type { AuthRequiredEvent } from '../../events/auth.ts'
import type { ContentCompleteMetadata } from '../../events/content.ts'
import type { AnyCustomEvent, CustomEvent } from '../../events/custom.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { InputReceivedEvent, InputRequiredEvent } from '../../events/input.ts'
import type { Metadata } from '../../events/metadata.ts'
import type { ThoughtStreamEvent } from '../../events/thought.ts'
import type { ToolCompleteMetadata, ToolProgressMetadata, ToolStartMetadata } from '../../events/tool.ts'

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
}

/** The progress of text that arrives in deltas. */
export interface StreamedText {
  /** The index of the next delta. Undefined after completion. */
  readonly nextIndex: number
  /** Whether deltas are missing from the text. */
  readonly hasGap: boolean
}

/** A segment of the answer to the user. */
export interface TextPart extends Part, StreamedText {
  readonly type: 'text'
  /** The id of the text, if several may be open at the same time. Omitted for the text without one. */
  readonly contentId?: string
  /** The text so far, or the whole text once the part is complete. */
  readonly text: string
  /** `open`: more deltas may come. `ended`: the task ended before the segment was complete. */
  readonly status: 'open' | 'complete' | 'ended'
  /** Why the model stopped, as the provider calls it. Omitted if unknown. */
  readonly finishReason?: string
  /** Token usage and sources. Omitted if there is none. */
  readonly metadata?: ContentCompleteMetadata
}

/** A thought. */
export interface ThoughtPart extends Part, StreamedText {
  readonly type: 'thought'
  /** The id of the thought, unique in the context. */
  readonly thoughtId: string
  /** The text so far, or the whole text once the part is complete. */
  readonly text: string
  /** `open`: only deltas so far. `ended`: the task ended before the thought was complete. */
  readonly status: 'open' | 'complete' | 'ended'
  /** What all its deltas state. Omitted if some do not, and after its `thought-stream`. */
  readonly labels?: Pick<ThoughtStreamEvent, 'thoughtType' | 'verbosity'>
  /** Type, verbosity, index and metadata of the thought. Omitted before its `thought-stream`. */
  readonly descriptor?: Pick<ThoughtStreamEvent, 'thoughtType' | 'verbosity' | 'index' | 'metadata'>
}

/** A tool call. */
export interface ToolPart extends Part {
  readonly type: 'tool'
  /** The id of the call, unique in the context. */
  readonly toolCallId: string
  /** Omitted if unknown: the stream was joined while the tool was running. */
  readonly toolName?: string
  /**
   * `writing`: the model writes the arguments. `failed`: also if they were cut off. `ended`: the task ended before
   * the call, whose outcome is unknown.
   */
  readonly status: 'writing' | 'running' | 'succeeded' | 'failed' | 'ended'
  /** The JSON of the arguments while it is streamed. Omitted if it is not streamed, or complete. */
  readonly streamedArguments?: StreamedText & {
    /** The JSON text so far, usually incomplete. */
    readonly text: string
  }
  /** The arguments. Omitted before the `tool-start`. */
  readonly arguments?: Record<string, unknown>
  /** The latest progress. Omitted if there is none. */
  readonly progress?: ToolProgressView
  /** The output so far, by stream such as `stdout`. Omitted if there is none. */
  readonly output?: Readonly<Record<string, string>>
  /** The result. Omitted if there is none, or not yet. */
  readonly result?: unknown
  /** Why the call failed, for people. Omitted unless it failed. */
  readonly error?: string
  /** The metadata of `tool-start` and `tool-complete`, merged. Omitted if there is none. */
  readonly metadata?: ToolStartMetadata & ToolCompleteMetadata
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
  /** Why it failed, for programs. Omitted unless `failed`. */
  readonly reason?: 'denied' | 'expired' | 'failed'
  /** Why it failed, for people. Omitted if unknown. */
  readonly message?: string
}

/** An artifact the task wrote to. {@link artifactOf} gives its content. */
export interface ArtifactPart extends Part {
  readonly type: 'artifact'
  /** The id of the artifact, unique in the context. */
  readonly artifactId: string
}

/** A subtask the task spawned. {@link taskOf} gives its state. */
export interface SubtaskPart extends Part {
  readonly type: 'subtask'
  /** The `taskId` of the subtask. */
  readonly subtaskId: string
  /** The agent that does it. Omitted if unknown. */
  readonly agentId?: string
  /** The instructions for the subtask. */
  readonly prompt: string
}

/** An error. */
export interface ErrorPart extends Part {
  readonly type: 'error'
  /** The error, and whether it is retried. */
  readonly error: ErrorInfo
}

/** What the application shows with a custom event. Narrow it by `name`. */
export type CustomPart = CustomPartOf<AnyCustomEvent>

type CustomPartOf<E> = E extends CustomEvent<infer Name, infer Data> ? CustomPartFields<Name, Data> : never

interface CustomPartFields<Name extends string, Data> extends Part {
  readonly type: 'custom'
  /** What it is, as the application calls it. */
  readonly name: Name
  /** The data of the latest event of the part. */
  readonly data: Data
  /** Its id in the task. Omitted if it has none. */
  readonly customId?: string
  /** The metadata of the latest event of the part. Omitted if there is none. */
  readonly metadata?: Metadata
}
