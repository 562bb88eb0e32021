/** The state of {@link frameVerifier}: bounded, whatever the length of the log. */
import type { StreamMap } from '../wire/stream-map.ts'

/** The state of {@link frameVerifier}. */
export interface FrameVerifierState {
  /** Number of frames so far: the `eventIndex` of the next one. */
  readonly events: number
  readonly streams: StreamMap<VerifiedStream>
  /** The artifacts written last, in any stream: at most 1024. */
  readonly artifacts: readonly VerifiedArtifact[]
}

/** What the rules need to know of one stream. */
export interface VerifiedStream {
  /** Which rules apply: those of sessions, those of tasks, or only the common ones. */
  readonly kind: 'session' | 'task' | 'other'
  /** `cancelled`: the final status of a cancelled task is missing. `ended`: the last frame arrived. */
  readonly phase: 'open' | 'cancelled' | 'ended'
  /** The expected `seq` of the next frame. */
  readonly nextSeq: number
  /** Whether frames are missing. Rules that depend on earlier frames then do not apply. */
  readonly hasGap: boolean
  /** The ids of the last frames before `nextSeq`, in order: at most 64. */
  readonly ids: readonly string[]
  /** The `timestamp_ms` of the last frame. */
  readonly time: number
  /** The running tools, and at most 64 that ended. */
  readonly tools: readonly VerifiedTool[]
  /** What only some streams have. */
  readonly details: StreamDetails
}

/** One call of a tool. */
export interface VerifiedTool {
  readonly id: string
  readonly name: string
  readonly timeout: number | null
  readonly isOpen: boolean
  /** Whether an automatic checkpoint was made for it. */
  readonly hasCheckpoint: boolean
}

/** State about provider events, checkpoints, tasks and skills. Lists have at most 64 items. */
export interface StreamDetails {
  /** The `sequence_number` of the last provider event. */
  readonly providerSequence?: number
  /** Tools with an automatic checkpoint that have not started. */
  readonly checkpointedTools?: readonly string[]
  readonly checkpoints?: readonly VerifiedCheckpoint[]
  /** The execution mode of the task. Omitted before `tool_task_spawned`. */
  readonly executionMode?: 'pipes' | 'pty'
  readonly isRunning?: true
  readonly isCancelRequested?: true
  /** The skills loaded last. */
  readonly skills?: readonly string[]
  /** The tools that the invoked skill allows. Omitted: all. */
  readonly allowedTools?: readonly string[]
}

/** A snapshot of files. */
export interface VerifiedCheckpoint {
  readonly id: string
  readonly label: string
  /** The first 64 files. With 64 files, a rewind of other files is not checked. */
  readonly files: readonly string[]
}

/** An artifact that was written. */
export interface VerifiedArtifact {
  readonly id: string
  readonly digest: string
}

/** Maximum number of ids, ended tools, checkpoints or skills kept per stream. */
export const MAX_ITEMS = 64

/** Maximum number of artifacts kept. */
export const MAX_ARTIFACTS = 1024

/** Appends to a list and drops its first item above a maximum. */
export function pushBounded<T>(
  list: readonly T[] | undefined,
  item: T,
  max: number = MAX_ITEMS,
): readonly T[] {
  return [...(list ?? []), item].slice(-max)
}

/** The state of a stream before its first frame. */
export function initialStream(kind: VerifiedStream['kind']): VerifiedStream {
  return { kind, phase: 'open', nextSeq: 0, hasGap: false, ids: [], time: 0, tools: [], details: {} }
}

/** The stream with some of its details replaced. */
export function withDetails(stream: VerifiedStream, details: StreamDetails): VerifiedStream {
  return { ...stream, details: { ...stream.details, ...details } }
}
