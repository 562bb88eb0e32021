/** What {@link frameVerifier} remembers, and how little of it. */
import type { FrameRuleName, FrameViolation } from './rules.ts'

/** Where {@link frameVerifier} stands between two frames. */
export interface FrameVerifierState {
  /** By stream; at most 1024, of which those that ended are forgotten first. */
  readonly streams: Readonly<Record<string, VerifiedStream>>
  /** The artifacts written last, in any stream. At most 1024. */
  readonly artifacts: readonly VerifiedArtifact[]
}

/** One stream, as far as the rules need to know it. */
export interface VerifiedStream {
  /** Which rules apply: those of sessions, of tasks, or only those of any stream. */
  readonly kind: 'session' | 'task' | 'other'
  /** `open`: it has begun. `ended`: its last frame was there. */
  readonly phase: 'open' | 'ended'
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

/** What is remembered of provider events, checkpoints, tasks and skills. */
export interface VerifiedMore {
  /** The `sequence_number` of the provider's last event. */
  readonly provider?: number
  /** The tools automatic checkpoints were made for that have not started yet. Up to 64. */
  readonly awaited?: readonly string[]
  /** Up to 64. */
  readonly checkpoints?: readonly VerifiedCheckpoint[]
  readonly task?: VerifiedTask
  /** The skills loaded last. Up to 64. */
  readonly skills?: readonly string[]
  /** The tools the skill in use allows. Absent: all. */
  readonly allowed?: readonly string[]
}

export interface VerifiedCheckpoint {
  readonly id: string
  readonly label: string
  /** `null`: too many to remember. */
  readonly files: readonly string[] | null
}

/** A tool in the background. */
export interface VerifiedTask {
  readonly mode: 'pipes' | 'pty'
  readonly status: 'queued' | 'running' | 'cancelled' | 'ended'
  readonly isCancelRequested: boolean
}

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
  const longer = [...(list ?? []), item]
  return longer.length > most ? longer.slice(1) : longer
}

/** A stream before its first frame. */
export function newStream(kind: VerifiedStream['kind']): VerifiedStream {
  return { kind, phase: 'open', next: 0, isHoled: false, ids: [], time: 0, tools: [], more: {} }
}

/** The frame that is being looked at: where it is, and what is wrong with it. */
export class Findings {
  readonly list: FrameViolation[] = []
  readonly #place: Pick<FrameViolation, 'stream' | 'seq'>

  constructor(place: Pick<FrameViolation, 'stream' | 'seq'>) {
    this.#place = place
  }

  /** Reports what is not legal. */
  error(rule: FrameRuleName, message: string, more: FindingDetails = {}): void {
    this.list.push({ rule, severity: 'error', message, ...this.#place, ...more })
  }

  /** Reports what is odd. */
  warn(rule: FrameRuleName, message: string, more: FindingDetails = {}): void {
    this.list.push({ rule, severity: 'warn', message, ...this.#place, ...more })
  }
}

export type FindingDetails = Pick<FrameViolation, 'path' | 'expected' | 'actual'>
