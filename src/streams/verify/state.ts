/** What {@link verifier} remembers, and how little of it. */
import type { TaskStatus } from '../../events/task.ts'
import { emptyMemory, type Memory } from '../collections/generational-map.ts'
import type { TextSum } from './text-hash.ts'

/**
 * Where {@link verifier} stands between two events. Plain JSON.
 *
 * Bounded: of tasks, calls, requests, thoughts and artifacts, those touched last are remembered, 4096
 * to 8192 of each; of the lists within them, the last 256 entries. Texts are remembered by sums, and
 * the streamed arguments of a call up to 65 536 characters.
 */
export interface VerifierState {
  /** Position of the next event. */
  readonly index: number
  /** Whether something was forgotten: unknown ids are not taken for wrong ones from then on. */
  readonly hasForgotten: boolean
  readonly tasks: Memory<VerifiedTask>
  readonly calls: Memory<VerifiedCall>
  readonly requests: Memory<VerifiedRequest>
  readonly thoughts: Memory<VerifiedThought>
  readonly artifacts: Memory<VerifiedArtifact>
  /** What is reported only once and has been. */
  readonly reported: readonly string[]
  /** What thoughts relate to that was not known yet. */
  readonly related: readonly VerifiedRelation[]
}

/** One task. */
export interface VerifiedTask {
  readonly contextId: string
  readonly taskId: string
  readonly life: VerifiedLife
  readonly family: VerifiedFamily
  readonly text: VerifiedText
  /** Keys of what is open. */
  readonly open: {
    readonly tools: readonly string[]
    readonly inputs: readonly string[]
    readonly auths: readonly string[]
    /** Of artifacts that are being written. */
    readonly writes: readonly string[]
  }
  /** The index of the next thought. `null`: not known. */
  readonly nextThought: number | null
  readonly loop: { readonly iteration: number; readonly stage: number }
  readonly errors: {
    /** Whether an error says that the task will fail. */
    readonly isFatal: boolean
    /** The attempt reached, by code. The last 8. */
    readonly attempts: readonly (readonly [code: string, attempt: number])[]
  }
}

export interface VerifiedLife {
  /** `announced`: only by its parent. */
  readonly status: 'announced' | 'created' | TaskStatus
  /** Whether its beginning was not seen: what it began before is not known. */
  readonly isJoined: boolean
  /** The last timestamp in milliseconds. */
  readonly time: number
  /** Whether there was something to wait for since it waits. */
  readonly hasCause: boolean
  /** Whether there was a `task-complete`. */
  readonly hasResult: boolean
  /** Whether a status said its end. */
  readonly isSaid: boolean
}

export interface VerifiedFamily {
  /** Key of the parent. `null`: none, or not told. */
  readonly parent: string | null
  readonly parentTaskId: string | null
  readonly depth: number
  /** Keys of the subtasks that live. */
  readonly children: readonly string[]
  /** Ids of the subtasks of which one half of the beginning is missing. */
  readonly unpaired: readonly string[]
}

/** A numbered series of pieces. */
export interface VerifiedSeries {
  readonly next: number
  /** `null`: pieces are missing. */
  readonly sum: TextSum | null
}

export interface VerifiedText {
  /** The open segment. `null`: none. */
  readonly segment: VerifiedSeries | null
  /** Whether a segment has ended before. */
  readonly isLater: boolean
  /** The content of the last segment that ended. `null`: none has, or not known. */
  readonly last: TextSum | null
}

export interface VerifiedCall {
  readonly taskId: string
  /** `null`: not told. */
  readonly toolName: string | null
  readonly state: 'writing' | 'running' | 'ended'
  readonly isAlone: boolean
  readonly progress: number
  readonly next: number
  /** The arguments as streamed. `null`: too long, or not all was seen, or they are over. */
  readonly text: string | null
}

export interface VerifiedRequest {
  readonly taskId: string
  /** `ended`: its task has. */
  readonly state: 'open' | 'answered' | 'ended'
  readonly requireUser: boolean
  /** When it expires, in milliseconds. `null`: it does not. */
  readonly due: number | null
}

export interface VerifiedThought {
  readonly state: 'open' | 'complete'
  readonly series: VerifiedSeries
}

export interface VerifiedRelation {
  /** Key of the thought or tool call it must be. */
  readonly key: string
  readonly relatedTo: string
  readonly eventIndex: number
  readonly contextId: string
  readonly taskId: string
}

export interface VerifiedArtifact {
  readonly type: 'file' | 'data' | 'dataset'
  /** 0 also while none is complete. `null`: not known. */
  readonly version: number | null
  readonly writing: VerifiedWriting | null
  /** Keys of the tasks that completed a version. `null`: not known, or more than 16. */
  readonly writers: readonly string[] | null
  /** What rows must have, as far as it is checked. `null`: nothing. */
  readonly columns: VerifiedColumns | null
}

export interface VerifiedWriting {
  /** The task that wrote the last chunk; with its end, the write is given up. */
  readonly taskId: string
  readonly next: number
  /** `null`: not known. */
  readonly encoding: 'utf-8' | 'base64' | null
  readonly version: number | null
  /** Bytes or rows so far, and how many there should be. `null`: not told. */
  readonly size: number
  readonly hint: number | null
  /** Sums of what the first chunk says of the artifact, by field. `null`: it was not seen. */
  readonly about: Readonly<Record<string, TextSum>> | null
}

export interface VerifiedColumns {
  readonly required: readonly string[]
  readonly types: readonly (readonly [name: string, types: readonly string[]])[]
}

export const initialState: Omit<VerifierState, 'index'> = {
  hasForgotten: false,
  tasks: emptyMemory,
  calls: emptyMemory,
  requests: emptyMemory,
  thoughts: emptyMemory,
  artifacts: emptyMemory,
  reported: [],
  related: [],
}

/** A task before its first event. */
export function newTask(contextId: string, taskId: string, isJoined: boolean): VerifiedTask {
  return {
    contextId,
    taskId,
    life: {
      status: 'created',
      isJoined,
      time: Number.MIN_SAFE_INTEGER,
      hasCause: false,
      hasResult: false,
      isSaid: false,
    },
    family: { parent: null, parentTaskId: null, depth: 0, children: [], unpaired: [] },
    text: { segment: null, isLater: false, last: null },
    open: { tools: [], inputs: [], auths: [], writes: [] },
    nextThought: isJoined ? null : 0,
    loop: { iteration: 0, stage: 0 },
    errors: { isFatal: false, attempts: [] },
  }
}
