/**
 * Event frames: the log of a runtime that runs agents and their tools, in two versions of its
 * envelope. Each frame belongs to one stream, and is numbered in it from 0.
 */
import type {
  CheckpointCreatedFrame,
  CheckpointFailedFrame,
  CheckpointRewoundFrame,
  OutputTextDeltaFrame,
  ProviderEventFrame,
  SessionEndedFrame,
  SessionStartedFrame,
} from './session-types.ts'
import type {
  ArtifactWrittenFrame,
  SkillCatalogUpdatedFrame,
  SkillInvokedFrame,
  SkillLoadedFrame,
  SkillWarningFrame,
} from './store-types.ts'
import type {
  ToolEndedFrame,
  ToolFailedFrame,
  ToolStartedFrame,
  ToolStderrFrame,
  ToolStdoutFrame,
  ToolTaskCancelledFrame,
  ToolTaskCancelRequestedFrame,
  ToolTaskOutputDeltaFrame,
  ToolTaskResizedFrame,
  ToolTaskSignalledFrame,
  ToolTaskSpawnedFrame,
  ToolTaskStatusFrame,
  ToolTaskStdinWrittenFrame,
} from './tool-types.ts'

/** The versions of the envelope. */
export type FrameVersion = 'v1' | 'v2'

/** The types of {@link FrameV1}. */
export const frameV1Types = [
  'session_started',
  'output_text_delta',
  'session_ended',
  'tool_started',
  'tool_stdout',
  'tool_stderr',
  'tool_ended',
  'tool_failed',
  'provider_event',
  'checkpoint_created',
  'checkpoint_rewound',
  'checkpoint_failed',
  // Task streams, which use this envelope as well
  'tool_task_spawned',
  'tool_task_status',
  'tool_task_cancel_requested',
  'tool_task_cancelled',
  'tool_task_output_delta',
  'tool_task_stdin_written',
  'tool_task_resized',
  'tool_task_signalled',
] as const

/** The types of {@link FrameV2}: those of version 1 and more. */
export const frameV2Types: readonly [
  ...typeof frameV1Types,
  'artifact_written',
  'skill_catalog_updated',
  'skill_loaded',
  'skill_invoked',
  'skill_warning',
] = [
  ...frameV1Types,
  'artifact_written',
  'skill_catalog_updated',
  'skill_loaded',
  'skill_invoked',
  'skill_warning',
]

/** The discriminant of {@link FrameV1}. */
export type FrameV1Type = (typeof frameV1Types)[number]

/** The discriminant of {@link FrameV2}. */
export type FrameV2Type = (typeof frameV2Types)[number]

/** What a frame of version 1 says, without its envelope. Narrow it by `type`. */
export type FrameV1Body =
  // Session
  | SessionStartedFrame
  | OutputTextDeltaFrame
  | SessionEndedFrame
  | ProviderEventFrame
  // Tool
  | ToolStartedFrame
  | ToolStdoutFrame
  | ToolStderrFrame
  | ToolEndedFrame
  | ToolFailedFrame
  // Checkpoint
  | CheckpointCreatedFrame
  | CheckpointRewoundFrame
  | CheckpointFailedFrame
  // Tool in the background
  | ToolTaskSpawnedFrame
  | ToolTaskStatusFrame
  | ToolTaskCancelRequestedFrame
  | ToolTaskCancelledFrame
  | ToolTaskOutputDeltaFrame
  | ToolTaskStdinWrittenFrame
  | ToolTaskResizedFrame
  | ToolTaskSignalledFrame

/** What a frame of version 2 says, without its envelope. Narrow it by `type`. */
export type FrameV2Body =
  | FrameV1Body
  // Artifact
  | ArtifactWrittenFrame
  // Skill
  | SkillCatalogUpdatedFrame
  | SkillLoadedFrame
  | SkillInvokedFrame
  | SkillWarningFrame

/** What a frame of a type says, without its envelope. */
export type FrameBodyOf<T extends FrameV2Type> = Extract<FrameV2Body, { type: T }>

/**
 * The envelope of version 1. What the type defines stands beside it, not in a field of its own.
 *
 * @see docs/spec/event-frames.md#schema-v1
 */
export interface FrameV1Envelope {
  /** Names the frame: a UUID, in practice any text that is unique. */
  id: string
  /** The stream: the session, or in a task stream the task. */
  session_id: string
  /** When the frame was made: milliseconds since 1970. Never used for ordering. */
  timestamp_ms: number
  /** Position in the stream, from 0, without gaps. At most 2^53-1. */
  seq: number
}

/**
 * The envelope of version 2. What the type defines stands beside it; a `payload` field that holds it
 * is read as well.
 *
 * @see docs/spec/event-frames.md#schema-v2
 */
export interface FrameV2Envelope {
  /** Names the frame: a UUID, in practice any text that is unique. */
  id: string
  /** The `stream_id` under the name it has in version 1. Absent: a writer that has left it behind. */
  session_id?: string
  /** What kind of stream: `session`, `task`, `thread`, `artifact`, or one that is yet to come. */
  stream_kind: string
  /** The stream, among those of its kind. */
  stream_id: string
  /** When the frame was made: milliseconds since 1970. Never used for ordering. */
  timestamp_ms: number
  /** Position in the stream, from 0, without gaps. At most 2^53-1. */
  seq: number
}

/**
 * Any frame of version 1. Narrow it by `type`.
 *
 * @see docs/spec/event-frames.md#schema-v1
 */
export type FrameV1 = FrameV1Body & FrameV1Envelope

/**
 * Any frame of version 2. Narrow it by `type`.
 *
 * @see docs/spec/event-frames.md#schema-v2
 */
export type FrameV2 = FrameV2Body & FrameV2Envelope

/** The frames of each version. */
export interface FrameByVersion {
  v1: FrameV1
  v2: FrameV2
}

/** What the frames of each version say, without their envelope. */
export interface FrameBodyByVersion {
  v1: FrameV1Body
  v2: FrameV2Body
}

/** The {@link FrameV1} of a type. */
export type FrameV1Of<T extends FrameV1Type> = Extract<FrameV1, { type: T }>

/** The {@link FrameV2} of a type. */
export type FrameV2Of<T extends FrameV2Type> = Extract<FrameV2, { type: T }>

/** A frame of a type this library does not know, in a valid envelope. Its fields are as they came. */
export interface UnknownFrame {
  type: string
  [field: string]: unknown
}

/** Any frame at all: of either version, of a known type or not. */
export type AnyFrame = FrameV1 | FrameV2 | UnknownFrame
