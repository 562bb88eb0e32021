/** The parts of a task: what a user interface shows of it, in the order in which it appeared. */
import type { AuthRequiredEvent } from '../../events/auth.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { InputReceivedEvent, InputRequiredEvent } from '../../events/input.ts'
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

interface Part {
  /** The timestamp of the event the part appeared with. */
  readonly at: string
}

/** What is streamed, until the event that repeats it whole. */
export interface StreamedText {
  /** The index that comes next. Meaningless once the part is complete. */
  readonly next: number
  /** Whether deltas are missing from the text. */
  readonly hasGap: boolean
}

/** A segment of what the model says to the user. */
export interface TextPart extends Part, StreamedText {
  readonly type: 'text'
  /** What has been said so far; once the part is complete, all of it. */
  readonly text: string
  /** `open`: more may come. `ended`: its task ended first. */
  readonly status: 'open' | 'complete' | 'ended'
  /** Why the model stopped, in the provider's spelling. Absent: not told, or not yet. */
  readonly finishReason?: string
}

/** A thought. */
export interface ThoughtPart extends Part, StreamedText {
  readonly type: 'thought'
  /** Names the thought; unique in the context. */
  readonly thoughtId: string
  /** What has been thought so far; once the part is complete, all of it. */
  readonly text: string
  /** `open`: only deltas so far. `ended`: its task ended first. */
  readonly status: 'open' | 'complete' | 'ended'
  /** What it is about, how much it says, and so on. Absent: only deltas so far. */
  readonly about?: Pick<ThoughtStreamEvent, 'thoughtType' | 'verbosity' | 'index' | 'metadata'>
}

/** A call of a tool. */
export interface ToolPart extends Part {
  readonly type: 'tool'
  /** Names the call; unique in the context. */
  readonly toolCallId: string
  /** Absent: the call was under way when the view began. */
  readonly toolName?: string
  /**
   * `writing`: the model writes the arguments. `ended`: its task ended first, and nobody knows how it
   * went.
   */
  readonly status: 'writing' | 'running' | 'succeeded' | 'failed' | 'ended'
  /** The arguments as they are streamed: JSON text. Absent: none were streamed, or they are whole. */
  readonly writing?: StreamedText & {
    /** The JSON text so far: rarely whole JSON. */
    readonly text: string
  }
  /** The arguments, whole. Absent: not yet. */
  readonly arguments?: Record<string, unknown>
  /** How far it has come. Absent: not told. */
  readonly progress?: ToolProgressView
  /** What it has put out so far, by stream. Absent: nothing. */
  readonly output?: Readonly<Record<string, string>>
  /** What it returned. Absent: nothing, or not yet. */
  readonly result?: unknown
  /** What went wrong, for people. */
  readonly error?: string
  /** What its start and its end tell besides. */
  readonly metadata?: ToolStartMetadata & ToolCompleteMetadata
}

/** How far a call has come. */
export interface ToolProgressView {
  /** 0 to 1. */
  readonly progress: number
  /** What the tool is doing, for people. Absent: the last progress did not tell. */
  readonly message?: string
  /** Of the last progress; without `stream` and `chunk`, which the call's `output` has. */
  readonly metadata?: ToolProgressMetadata
}

/** A question, and what became of it. */
export interface InputPart extends Part {
  readonly type: 'input'
  /** Names the question; unique in the context. */
  readonly inputId: string
  /** `canceled` also when its task ended first. */
  readonly status: 'open' | 'answered' | 'declined' | 'canceled'
  /** The question. Absent: it was asked before the view began. */
  readonly request?: Omit<InputRequiredEvent, 'kind' | 'timestamp' | 'inputId'>
  /** Who answered. Absent: nobody, or not yet. */
  readonly answer?: Pick<InputReceivedEvent, 'providedBy' | 'userId' | 'agentId' | 'metadata'>
  /** Why nobody need answer any more. */
  readonly reason?: 'expired' | 'withdrawn' | 'task-ended'
}

/** A request for access, and what became of it. */
export interface AuthPart extends Part {
  readonly type: 'auth'
  /** Names the request; unique in the context. */
  readonly authId: string
  /** `ended`: its task ended first. */
  readonly status: 'open' | 'completed' | 'failed' | 'ended'
  /** The request. Absent: it was made before the view began. */
  readonly request?: Omit<AuthRequiredEvent, 'kind' | 'timestamp' | 'authId'>
  /** Who authenticated. */
  readonly userId?: string
  /** Why it failed. */
  readonly reason?: 'denied' | 'expired' | 'failed'
  /** The same for people. */
  readonly message?: string
}

/** An artifact the task wrote. Its content is the view's: see {@link artifactOf}. */
export interface ArtifactPart extends Part {
  readonly type: 'artifact'
  /** Names the artifact; unique in the context. */
  readonly artifactId: string
}

/** A task this one spawned. Its state is the view's: see {@link taskOf}. */
export interface SubtaskPart extends Part {
  readonly type: 'subtask'
  /** The task that was spawned, as its own events name it. */
  readonly subtaskId: string
  /** Who does it. Absent: not told. */
  readonly agentId?: string
  /** What it was asked. */
  readonly prompt: string
}

/** Something that went wrong. */
export interface ErrorPart extends Part {
  readonly type: 'error'
  /** What went wrong, and what becomes of it. */
  readonly error: ErrorInfo
}
