/**
 * What both versions of A2A say, in one shape: writing maps it to a version, reading maps any
 * version to it. The words are those of 0.3 where the versions differ.
 */

import type { JsonValue } from '../../../core/schema.ts'
import type { Metadata } from '../../../events/fields.ts'
import type { A2aV03TaskState } from './types-v0-3.ts'

/** Where a task stands. */
export type State = A2aV03TaskState

/** What messages and artifacts are made of. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly name?: string; readonly mediaType?: string }
  | { readonly type: 'raw'; readonly bytes: string; readonly name?: string; readonly mediaType?: string }
  | { readonly type: 'url'; readonly url: string; readonly name?: string; readonly mediaType?: string }
  | { readonly type: 'data'; readonly data: JsonValue }

export interface Message {
  readonly messageId: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly Part[]
  /** Read only: a written message always belongs to the task it is written for. */
  readonly taskId?: string
  readonly contextId?: string
}

export interface Status {
  readonly state: State
  readonly timestamp?: string
  readonly message?: Message
}

export interface Artifact {
  readonly artifactId: string
  readonly name?: string
  readonly description?: string
  readonly parts: readonly Part[]
  readonly metadata?: Metadata
}

export interface TaskUpdate {
  readonly type: 'task'
  readonly taskId: string
  readonly contextId: string
  readonly status: Status
  readonly artifacts: readonly Artifact[]
  readonly metadata?: Metadata
}

export interface StatusUpdate {
  readonly type: 'status'
  readonly taskId: string
  readonly contextId: string
  readonly status: Status
  /** Read only: what 0.3 says. Writing tells it from the state. */
  readonly final?: boolean
  readonly metadata?: Metadata
}

export interface ArtifactUpdate {
  readonly type: 'artifact'
  readonly taskId: string
  readonly contextId: string
  readonly artifact: Artifact
  readonly append: boolean
  readonly last: boolean
  readonly metadata?: Metadata
}

/** A message that is the whole answer, without a task. Only ever read. */
export interface MessageUpdate {
  readonly type: 'message'
  readonly taskId: string
  readonly contextId: string
  readonly message: Message
  readonly metadata?: Metadata
}

/** What can be written. */
export type WrittenUpdate = TaskUpdate | StatusUpdate | ArtifactUpdate

/** One item of a stream. */
export type Update = WrittenUpdate | MessageUpdate

const terminalStates: readonly State[] = ['completed', 'canceled', 'failed', 'rejected']

/** Whether a task stays in the state for good. */
export function isTerminal(state: State): boolean {
  return terminalStates.includes(state)
}

/** Whether a task waits for somebody in the state, and its message says for what. */
export function isInterrupted(state: State): boolean {
  return state === 'input-required' || state === 'auth-required'
}

/** What is asked when nobody said what. */
export const DEFAULT_INPUT_PROMPT = 'Input required.'
export const DEFAULT_AUTH_PROMPT = 'Authentication required.'

/**
 * The media type of a file that only says where the content is: its data is the URL, and
 * `metadata.mimeType` the media type of what is there.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2483#section-5
 */
export const LINK_TYPE = 'text/uri-list'
