/**
 * Event frames: the log of a runtime for agents and their tools, in two versions of its envelope. Each
 * frame belongs to one stream and is numbered within it from 0.
 */
import type {
  BackgroundToolFrame,
  FrameV1Envelope,
  FrameV2Envelope,
  SessionFrame,
  StoreFrame,
  ToolFrame,
} from './types.generated.ts'

export type { FrameV1Envelope, FrameV2Envelope }

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

/** The types of {@link FrameV2}: those of version 1, artifacts and skills. */
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

/** The body of a version 1 frame: its fields without the envelope. Narrow it by `type`. */
export type FrameV1Body = SessionFrame | ToolFrame | BackgroundToolFrame

/** The body of a version 2 frame: its fields without the envelope. Narrow it by `type`. */
export type FrameV2Body = FrameV1Body | StoreFrame

/** The body of a frame type: its fields without the envelope. */
export type FrameBodyOf<T extends FrameV2Type> = Extract<FrameV2Body, { type: T }>

/** Any frame of version 1. Narrow it by `type`. */
export type FrameV1 = FrameV1Body & FrameV1Envelope

/** Any frame of version 2. Narrow it by `type`. */
export type FrameV2 = FrameV2Body & FrameV2Envelope

/** The frame type of each version. */
export interface FrameByVersion {
  v1: FrameV1
  v2: FrameV2
}

/** The body type of each version. */
export interface FrameBodyByVersion {
  v1: FrameV1Body
  v2: FrameV2Body
}

/** The {@link FrameV1} of one type, such as `FrameV1Of<'tool_started'>`. */
export type FrameV1Of<T extends FrameV1Type> = Extract<FrameV1, { type: T }>

/** The {@link FrameV2} of one type, such as `FrameV2Of<'artifact_written'>`. */
export type FrameV2Of<T extends FrameV2Type> = Extract<FrameV2, { type: T }>

/** A frame of an unknown type in a valid envelope. Its fields are unchanged. */
export type UnknownFrame = {
  type: string
  [field: string]: unknown
}

/** Any frame: of either version, of a known or unknown type. */
export type AnyFrame = FrameV1 | FrameV2 | UnknownFrame
