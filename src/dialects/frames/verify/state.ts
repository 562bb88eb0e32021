/** What {@link frameVerifier} remembers, and how little of it. */
import type { Streams } from '../wire/stream-map.ts'

/** Where {@link frameVerifier} stands between two frames. */
export interface FrameVerifierState {
  readonly streams: Streams<VerifiedStream>
  /** The artifacts written last, in any stream. At most 1024. */
  readonly artifacts: readonly VerifiedArtifact[]
}

/** One stream, as far as the rules need to know it. */
export interface VerifiedStream {
  /** Which rules apply: those of sessions, of tasks, or only those of any stream. */
  readonly kind: 'session' | 'task' | 'other'
  /** `cancelled`: the task was, and its last status is still to come. `ended`: the last frame was there. */
  readonly phase: 'open' | 'cancelled' | 'ended'
  /** The `seq` that comes next. */
  readonly next: number
  /** Whether frames are missing: what one of them may have said is not asked for any more. */
  readonly isHoled: boolean
  /** The ids of the last frames, up to 64: of those before `next`, in order. */
  readonly ids: readonly string[]
  /** The `timestamp_ms` of the last frame. */
  readonly time: number
  /** The tools that run, and up to 64 of those that ended. */
  readonly tools: readonly VerifiedTool[]
  /** What only some streams have. */
  readonly more: VerifiedMore
}

/** A call of a tool. */
export interface VerifiedTool {
  readonly id: string
  readonly name: string
  readonly timeout: number | null
  readonly isOpen: boolean
  /** Whether an automatic checkpoint was made for it. */
  readonly isSaved: boolean
}

/** What is remembered of provider events, checkpoints, tasks and skills. Lists have up to 64 items. */
export interface VerifiedMore {
  /** The `sequence_number` of the provider's last event. */
  readonly provider?: number
  /** The tools automatic checkpoints were made for that have not started yet. */
  readonly awaited?: readonly string[]
  readonly checkpoints?: readonly VerifiedCheckpoint[]
  /** How the task talks. Absent: none was spawned. */
  readonly mode?: 'pipes' | 'pty'
  readonly isRunning?: true
  readonly isCancelRequested?: true
  /** The skills loaded last. */
  readonly skills?: readonly string[]
  /** The tools the skill in use allows. Absent: all. */
  readonly allowed?: readonly string[]
}

/** A snapshot of files. */
export interface VerifiedCheckpoint {
  readonly id: string
  readonly label: string
  /** Up to 64; of the others nothing is asked. */
  readonly files: readonly string[]
}

/** An artifact that was written. */
export interface VerifiedArtifact {
  readonly id: string
  readonly digest: string
}

/** How many of a kind are remembered within a stream. */
export const MEMORY = 64

/** How many artifacts are remembered. */
export const MAX_ARTIFACTS = 1024

/** A list with one more, and without the first where there would be too many. */
export function remember<T>(list: readonly T[] | undefined, item: T, most: number = MEMORY): readonly T[] {
  return [...(list ?? []), item].slice(-most)
}
