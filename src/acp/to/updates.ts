/** What an ACP agent sends its client about a prompt. */

import type { ErrorInfo } from '../../events/error.ts'

/** A piece of content: of a message, or of what a tool has returned. */
export type AcpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: AcpResource }

/** A file within a message: its text, or its bytes as Base64. */
export interface AcpResource {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

/** What a tool call shows: content, a change of a file, or a terminal that the agent has created at the client. */
export type AcpToolContent =
  | { readonly type: 'content'; readonly content: AcpContent }
  | {
      readonly type: 'diff'
      readonly path: string
      readonly newText: string
      readonly oldText?: string | null
    }
  | { readonly type: 'terminal'; readonly terminalId: string }

/** A tool call, or what has changed of it. */
export interface AcpToolCall {
  /** Unique in the session: the task and the call. */
  readonly toolCallId: string
  readonly title?: string
  readonly name?: string
  readonly status?: 'pending' | 'in_progress' | 'completed' | 'failed'
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
  readonly content?: readonly AcpToolContent[]
}

/** The `update` of a `session/update`. */
export type AcpUpdate =
  | {
      readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'
      readonly content: AcpContent
      /** Unique in the session. */
      readonly messageId?: string
    }
  | ({ readonly sessionUpdate: 'tool_call' | 'tool_call_update' } & AcpToolCall)
  | { readonly sessionUpdate: 'plan'; readonly entries: readonly unknown[] }
  | { readonly sessionUpdate: 'current_mode_update'; readonly currentModeId: string }
  | { readonly sessionUpdate: 'available_commands_update'; readonly availableCommands: readonly unknown[] }
  | { readonly sessionUpdate: 'config_option_update'; readonly configOptions: readonly unknown[] }
  | {
      readonly sessionUpdate: 'session_info_update'
      readonly title?: string | null
      readonly updatedAt?: string | null
    }
  | {
      readonly sessionUpdate: 'usage_update'
      readonly used: number
      readonly size: number
      readonly cost?: unknown
    }

/** The tokens of a prompt: those of the cache are among the input, those of thoughts among the output. Unstable in ACP. */
export interface AcpUsage {
  readonly totalTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly thoughtTokens?: number
  readonly cachedReadTokens?: number
  readonly cachedWriteTokens?: number
}

/** The response to `session/prompt`. */
export interface AcpPromptResponse {
  readonly stopReason: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'
  readonly usage?: AcpUsage
}

/** An error of JSON-RPC. */
export interface AcpFailure {
  readonly code: number
  readonly message: string
  /** The error of the task. */
  readonly data: ErrorInfo
}

/** What is sent for a task: updates, and then the response to its prompt, or the error that it has failed with. */
export type AcpOutput =
  | { readonly update: AcpUpdate }
  | { readonly result: AcpPromptResponse }
  | { readonly error: AcpFailure }
