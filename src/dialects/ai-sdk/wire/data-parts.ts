/** The `data-<name>` chunks that stand for events the AI SDK has no chunk for. */

import type { AuthCompletedMetadata, AuthFailedEvent, AuthRequiredEvent } from '../../../events/auth.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { InputCanceledEvent, InputReceivedEvent, InputRequiredEvent } from '../../../events/input.ts'
import type { TaskStatus } from '../../../events/task-status.ts'
import { dottedName } from '../../../validation/formats.ts'

/** A request for input, and its answer: `data-input`, with the `inputId` as its id. The same as in views. */
export interface UiInputData {
  readonly inputId: string
  readonly status: 'open' | 'answered' | 'declined' | 'canceled'
  /** The request. Omitted if unknown: the stream was joined after it. */
  readonly request?: Omit<InputRequiredEvent, 'kind' | 'timestamp' | 'inputId'>
  /** Who answered. Omitted if nobody did. */
  readonly answer?: Pick<InputReceivedEvent, 'providedBy' | 'userId' | 'agentId' | 'metadata'>
  /** Why the request was canceled. Omitted unless it was. */
  readonly reason?: InputCanceledEvent['reason']
}

/** A request for authentication, and its outcome: `data-auth`, with the `authId` as its id. The same as in views. */
export interface UiAuthData {
  readonly authId: string
  readonly status: 'open' | 'completed' | 'failed' | 'ended'
  /** The request. Omitted if unknown: the stream was joined after it. */
  readonly request?: Omit<AuthRequiredEvent, 'kind' | 'timestamp' | 'authId'>
  /** Who authenticated. Omitted unless `completed`. */
  readonly userId?: string
  /** Lifetime of the access. Omitted unless `completed`, or if unknown. */
  readonly metadata?: AuthCompletedMetadata
  /** Why it failed, for programs. Omitted unless `failed`. */
  readonly reason?: AuthFailedEvent['reason']
  /** Why it failed, for people. Omitted if unknown. */
  readonly message?: string
}

/** A task of a sub-agent: `data-subtask`, with the id of the task. Sent again whenever it changes. */
export interface UiSubtaskData {
  taskId: string
  /** The task that created it. */
  parentTaskId: string
  /** The agent that runs it. Omitted if unknown. */
  agentId?: string
  /** Its instructions. Omitted if unknown. */
  prompt?: string
  /** Its status. `null` before the first. */
  status: TaskStatus | null
  /** Its latest complete text. Omitted before it. */
  text?: string
  /** Why it failed. Omitted unless it did. */
  error?: ErrorInfo
}

/** Progress of a tool: `data-tool-progress`, transient. */
export interface UiToolProgressData {
  toolCallId: string
  /** From 0 to 1. */
  progress: number
  message?: string
  metadata?: Record<string, unknown>
}

/** A file that is being written: `data-file`, transient. The whole file follows as `file`. */
export interface UiFileData {
  artifactId: string
  name?: string
  mediaType: string
  /** Characters written so far: of text, or of Base64. */
  length: number
}

/** The names of `data-<name>` that have a meaning of ours. Artifacts with these names are sent as `data-artifact`. */
export const reservedNames: readonly string[] = [
  'turnstream',
  'artifact',
  'auth',
  'error',
  'file',
  'input',
  'subtask',
  'tool-progress',
]

/** The type of the chunk of a record or dataset. Its name is lost if it has a meaning of its own, as those of custom events. */
export function artifactChunkType(name: string): `data-${string}` {
  const isTaken = reservedNames.includes(name) || dottedName.test(name)
  return isTaken ? 'data-artifact' : `data-${name}`
}
