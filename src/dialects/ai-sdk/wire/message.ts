/** Messages of the AI SDK, as pages show and servers store them. */

import type { JsonField, ProviderMetadata, UiCitation } from './types.ts'

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
      citations?: UiCitation[]
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
  | { type: 'file'; url: string; mediaType: string; providerMetadata?: ProviderMetadata }
  | { type: 'reasoning-file'; url: string; mediaType: string; providerMetadata?: ProviderMetadata }
  | { type: 'custom'; kind: `${string}.${string}`; providerMetadata?: ProviderMetadata }
  | { type: `data-${string}`; id?: string; data: unknown }

/** A tool call: `dynamic-tool`, or `tool-<name>` for a tool that the page has types for. Discriminated by `state`. */
export type UiToolPart = ({ type: 'dynamic-tool'; toolName: string } | { type: `tool-${string}` }) & {
  toolCallId: string
  title?: string
  toolMetadata?: Record<string, JsonField>
  providerExecuted?: boolean
  callProviderMetadata?: ProviderMetadata
} & (
    | { state: 'input-streaming'; input?: unknown; rawInput?: string }
    | { state: 'input-available'; input: unknown }
    | {
        state: 'approval-requested'
        input: unknown
        approval: UiApproval & { approved?: never; reason?: never }
      }
    | { state: 'approval-responded'; input: unknown; approval: UiApproval & { approved: boolean } }
    | {
        state: 'output-available'
        input: unknown
        output: unknown
        preliminary?: boolean
        resultProviderMetadata?: ProviderMetadata
        approval?: UiApproval & { approved: true }
      }
    | {
        state: 'output-error'
        input: unknown
        /** The input if it is not valid, in the part of a tool with types, before version 7. */
        rawInput?: unknown
        errorText: string
        resultProviderMetadata?: ProviderMetadata
        approval?: UiApproval & { approved: true }
      }
    | { state: 'output-denied'; input: unknown; approval: UiApproval & { approved: false } }
  )

/** A request to approve a call, with its answer. */
export interface UiApproval {
  id: string
  descriptor?: unknown
  inputSchemaInput?: unknown
  /** Why approval is needed. */
  requestReason?: string
  /** Why it was given or refused. */
  reason?: string
  isAutomatic?: boolean
  signature?: string
}
