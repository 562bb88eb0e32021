/** Messages of the AI SDK, as pages show and servers store them. */

import type { ProviderMetadata } from './types.ts'

/** A message. */
export interface UiMessage {
  /** The id of the message: that of its task, or derived from it for the message of the user. */
  id: string
  role: 'user' | 'assistant'
  /** Model, agent, tokens and result. Omitted if unknown. */
  metadata?: Record<string, unknown>
  /** Texts, thoughts, calls, files and data, in order. */
  parts: UiMessagePart[]
}

/** A part of a message, discriminated by `type`. Assign messages to the `UIMessage` of the AI SDK. */
export type UiMessagePart =
  | { type: 'step-start' }
  | {
      type: 'text'
      text: string
      state?: 'streaming' | 'done'
      providerMetadata?: ProviderMetadata
      citations?: unknown[]
    }
  | {
      type: 'reasoning'
      id?: string
      text: string
      state?: 'streaming' | 'done'
      providerMetadata?: ProviderMetadata
    }
  | UiToolPart
  | { type: 'source-url'; sourceId: string; url: string; title?: string; providerMetadata?: ProviderMetadata }
  | {
      type: 'source-document'
      sourceId: string
      mediaType: string
      title: string
      filename?: string
      providerMetadata?: ProviderMetadata
    }
  | { type: 'file' | 'reasoning-file'; url: string; mediaType: string; providerMetadata?: ProviderMetadata }
  | { type: 'custom'; kind: `${string}.${string}`; providerMetadata?: ProviderMetadata }
  | { type: `data-${string}`; id?: string; data: unknown }

/** A tool call: `dynamic-tool`, or `tool-<name>` for a tool that the page has types for. */
export interface UiToolPart {
  type: 'dynamic-tool' | `tool-${string}`
  /** Omitted for `tool-<name>`. */
  toolName?: string
  toolCallId: string
  state:
    | 'input-streaming'
    | 'input-available'
    | 'approval-requested'
    | 'approval-responded'
    | 'output-available'
    | 'output-error'
    | 'output-denied'
  title?: string
  toolMetadata?: Record<string, unknown>
  input?: unknown
  rawInput?: string
  output?: unknown
  errorText?: string
  preliminary?: boolean
  providerExecuted?: boolean
  callProviderMetadata?: ProviderMetadata
  resultProviderMetadata?: ProviderMetadata
  approval?: Record<string, unknown>
}
