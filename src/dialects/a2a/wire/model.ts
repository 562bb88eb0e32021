/**
 * A model of A2A that is independent of the version: serializers map it to one version, the parser maps every
 * version to it. Names are those of 0.3 where the versions differ.
 */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { A2aV03TaskState } from './types.generated.ts'

/** The state of a task. */
export type State = A2aV03TaskState

/** The fields of every part besides its content. */
export interface PartFields {
  readonly name?: string | undefined
  readonly mediaType?: string | undefined
  readonly metadata?: Metadata | undefined
}

export type TextPart = PartFields & { readonly type: 'text'; readonly text: string }
/** A part with bytes, in Base64. */
export type RawPart = PartFields & {
  readonly type: 'raw'
  readonly bytes: string
  /** Whether the bytes continue the file of the part before, although it has no name. */
  readonly isChunk?: boolean
}
export type UrlPart = PartFields & { readonly type: 'url'; readonly url: string }
export type DataPart = PartFields & { readonly type: 'data'; readonly data: JsonValue }

/** A part of a message or artifact. */
export type Part = TextPart | RawPart | UrlPart | DataPart

export interface Message {
  readonly messageId: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly Part[]
  /** Only parsed: a serialized message always belongs to the task it is sent for. */
  readonly taskId?: string | undefined
  readonly contextId?: string | undefined
  readonly referenceTaskIds?: readonly string[] | undefined
  readonly extensions?: readonly string[] | undefined
  readonly metadata?: Metadata | undefined
}

export interface Status {
  readonly state: State
  readonly timestamp?: string | undefined
  readonly message?: Message | undefined
}

export interface Artifact {
  readonly artifactId: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly parts: readonly Part[]
  readonly extensions?: readonly string[] | undefined
  readonly metadata?: Metadata | undefined
}

export interface TaskUpdate {
  readonly type: 'task'
  readonly taskId: string
  readonly contextId: string
  readonly status: Status
  readonly artifacts: readonly Artifact[]
  readonly history?: readonly Message[] | undefined
  readonly metadata?: Metadata | undefined
}

export interface StatusUpdate {
  readonly type: 'status'
  readonly taskId: string
  readonly contextId: string
  readonly status: Status
  /** Only parsed, from 0.3: whether the stream ends. Serializers derive it from the state. */
  readonly final?: boolean
  readonly metadata?: Metadata | undefined
}

export interface ArtifactUpdate {
  readonly type: 'artifact'
  readonly taskId: string
  readonly contextId: string
  readonly artifact: Artifact
  readonly append: boolean
  readonly last: boolean
  readonly metadata?: Metadata | undefined
}

/** A message that is the whole answer, without a task. Only parsed. */
export interface MessageUpdate {
  readonly type: 'message'
  readonly taskId: string
  readonly contextId: string
  readonly message: Message
  readonly metadata?: Metadata | undefined
}

/** An update that can be serialized. */
export type WrittenUpdate = TaskUpdate | StatusUpdate | ArtifactUpdate

/** One item of a stream. */
export type Update = WrittenUpdate | MessageUpdate

const terminalStates: readonly State[] = ['completed', 'canceled', 'failed', 'rejected']

/** Whether the state is final. */
export function isTerminal(state: State): boolean {
  return terminalStates.includes(state)
}

/** Whether the task waits for an answer in this state; its status message is the prompt. */
export function isInterrupted(state: State): boolean {
  return state === 'input-required' || state === 'auth-required'
}

/** Prompts of requests without a text. */
export const DEFAULT_INPUT_PROMPT = 'Input required.'
export const DEFAULT_AUTH_PROMPT = 'Authentication required.'

/** In the metadata of a part without a name: its bytes continue the file of the part before. */
export const FILE_CHUNK = 'urn:turnstream:a2a:chunk'

/** The URL of a file without bytes: some clients reject a part whose bytes are empty. */
export const EMPTY_FILE_URL = 'data:,'
