/** The chunks of a UI message stream of the AI SDK, as far as versions 5, 6 and 7 define them. */

import type { JsonValue } from '../../../core/json-value.ts'

/** A version of the AI SDK: the major version of the package `ai` that reads a stream. */
export type AiSdkVersion = 5 | 6 | 7

/** What a provider adds to a part, by the name of the provider. */
export type ProviderMetadata = Record<string, Record<string, JsonField>>

/** A JSON value, or a member that is left out when it is encoded. */
export type JsonField = JsonValue | undefined

/** Why a model stopped. `interrupted` is known to version 7 only. */
export type UiFinishReason =
  | 'stop'
  | 'length'
  | 'content-filter'
  | 'tool-calls'
  | 'error'
  | 'interrupted'
  | 'other'

interface WithProvider {
  /** What the provider adds. Omitted if nothing. */
  providerMetadata?: ProviderMetadata
}

interface WithId extends WithProvider {
  /** The part that the chunk belongs to. An id may be used again once its part has ended. */
  id: string
}

/** A message begins. */
export interface StartChunk {
  type: 'start'
  /** The id of the message. Omitted: the reader makes one. */
  messageId?: string
  /** Merged into the metadata of the message. */
  messageMetadata?: unknown
}

/** A call of the model begins, or has ended. `reset-step` removes the parts of the current step; version 7 only. */
export interface StepChunk {
  type: 'start-step' | 'finish-step' | 'reset-step'
}

/** A text begins. */
export interface TextStartChunk extends WithId {
  type: 'text-start'
}

/** A piece of a text. */
export interface TextDeltaChunk extends WithId {
  type: 'text-delta'
  /** The text to append. */
  delta: string
}

/** A text ends. */
export interface TextEndChunk extends WithId {
  type: 'text-end'
  /** What the text cites. Version 7 only. */
  citations?: UiCitation[]
}

/** A source that a passage of a text cites. */
export interface UiCitation {
  /** The source. */
  source:
    | {
        type: 'source'
        sourceType: 'url'
        id: string
        url: string
        title?: string
        providerMetadata?: ProviderMetadata
      }
    | {
        type: 'source'
        sourceType: 'document'
        id: string
        mediaType: string
        title: string
        filename?: string
        providerMetadata?: ProviderMetadata
      }
  /** Where the passage begins. */
  startIndex?: number
  /** Where the passage ends. */
  endIndex?: number
  /** The text of the source, verbatim. */
  citedText?: string
}

/** A thought begins, or ends. */
export interface ReasoningChunk extends WithId {
  type: 'reasoning-start' | 'reasoning-end'
}

/** A piece of a thought. */
export interface ReasoningDeltaChunk extends WithId {
  type: 'reasoning-delta'
  /** The text to append. */
  delta: string
}

interface WithCall {
  /** The tool call. */
  toolCallId: string
}

interface WithTool extends WithCall, WithProvider {
  /** Name of the tool. */
  toolName: string
  /** Whether the provider of the model runs the tool. Omitted: it does not. */
  providerExecuted?: boolean
  /** `true`: the page has no types for the tool, and the part is a `dynamic-tool`. */
  dynamic?: boolean
  /** What the tool is called for people. Since version 6. */
  title?: string
  /** What the definition of the tool adds. Since version 6. */
  toolMetadata?: Record<string, JsonField>
}

/** The model begins to write the input of a tool. */
export interface ToolInputStartChunk extends WithTool {
  type: 'tool-input-start'
  /** `text`: the input is plain text and not JSON. Since version 6. */
  inputEncoding?: 'json' | 'text'
}

/** A piece of the input of a tool. */
export interface ToolInputDeltaChunk extends WithCall {
  type: 'tool-input-delta'
  /** The text to append. */
  inputTextDelta: string
}

/** The input of a tool is complete. */
export interface ToolInputAvailableChunk extends WithTool {
  type: 'tool-input-available'
  /** The input: any JSON. */
  input: unknown
}

/** The input of a tool is invalid. */
export interface ToolInputErrorChunk extends WithTool {
  type: 'tool-input-error'
  /** The input as far as it is known. */
  input: unknown
  /** What is wrong with it, for people. */
  errorText: string
}

/** A tool may run only if the user approves. Since version 6. */
export interface ToolApprovalRequestChunk extends WithCall {
  type: 'tool-approval-request'
  /** The request. */
  approvalId: string
  /** Why approval is needed. Version 7 only. */
  reason?: string
  /** Whether a program decides. Version 7 only. */
  isAutomatic?: boolean
  /** Proves the request to the server that made it. */
  signature?: string
  /** Describes what is to be approved. */
  approvalDescriptor?: unknown
  /** The input as the schema of the tool parsed it. */
  inputSchemaInput?: unknown
}

/** An approval was given or refused. Version 7 only. */
export interface ToolApprovalResponseChunk extends WithProvider {
  type: 'tool-approval-response'
  /** The request. */
  approvalId: string
  /** Whether the tool may run. */
  approved: boolean
  /** Why, for people. */
  reason?: string
  /** Whether the provider of the model runs the tool. */
  providerExecuted?: boolean
}

interface WithOutput extends WithCall, WithProvider {
  providerExecuted?: boolean
  toolMetadata?: Record<string, JsonField>
  dynamic?: boolean
}

/** The output of a tool, or with `preliminary` a state of it that a later one replaces. */
export interface ToolOutputAvailableChunk extends WithOutput {
  type: 'tool-output-available'
  /** The output: any JSON. */
  output: unknown
  /** Whether another output follows. */
  preliminary?: boolean
}

/** A tool failed. */
export interface ToolOutputErrorChunk extends WithOutput {
  type: 'tool-output-error'
  /** Why, for people. */
  errorText: string
}

/** The user refused to let a tool run. Since version 6. */
export interface ToolOutputDeniedChunk extends WithCall {
  type: 'tool-output-denied'
}

/** A web page that the answer is based on. */
export interface SourceUrlChunk extends WithProvider {
  type: 'source-url'
  /** The id of the source. */
  sourceId: string
  /** Its address. */
  url: string
  /** Its title. */
  title?: string
}

/** A document that the answer is based on. */
export interface SourceDocumentChunk extends WithProvider {
  type: 'source-document'
  /** The id of the source. */
  sourceId: string
  /** Its media type. */
  mediaType: string
  /** Its title. */
  title: string
  /** Its file name. */
  filename?: string
}

/** A file, as a `data:` URL or by its address. `reasoning-file`: one of a thought; version 7 only. */
export interface FileChunk extends WithProvider {
  type: 'file' | 'reasoning-file'
  /** The content or the address. */
  url: string
  /** The media type. */
  mediaType: string
}

/** Data of an application. In a message, a chunk replaces the one before with the same type and id. */
export interface DataChunk {
  type: `data-${string}`
  /** Identifies what the data shows. Omitted: each chunk is a part of its own. */
  id?: string
  /** Any JSON. */
  data: unknown
  /** `true`: handed to the page, and not kept in the message. */
  transient?: boolean
}

/** Something of a provider that has no other chunk. Version 7 only. */
export interface CustomChunk extends WithProvider {
  type: 'custom'
  /** The name of the provider and what it is, joined by `.`. */
  kind: `${string}.${string}`
}

/** A message of the user that reached the run while it was going on. Version 7 only. */
export interface SteeringMessageChunk {
  type: 'steering-message'
  /** The id of the message. */
  id: string
  /** Its texts and files. */
  parts: (
    | { type: 'text'; text: string }
    | { type: 'file'; mediaType: string; url: string; filename?: string }
  )[]
}

/** Metadata to merge into that of the message. */
export interface MessageMetadataChunk {
  type: 'message-metadata'
  messageMetadata: unknown
}

/** Something failed. More chunks may follow. */
export interface ErrorChunk {
  type: 'error'
  /** What, for people. */
  errorText: string
}

/** The run was stopped. */
export interface AbortChunk {
  type: 'abort'
  /** Why. Since version 6. */
  reason?: string
}

/** The message is complete. */
export interface FinishChunk {
  type: 'finish'
  /** Why the model stopped. Omitted if unknown. */
  finishReason?: UiFinishReason
  /** Merged into the metadata of the message. */
  messageMetadata?: unknown
}

/** A chunk of a UI message stream, discriminated by `type`. */
export type UiMessageChunk =
  | StartChunk
  | StepChunk
  | TextStartChunk
  | TextDeltaChunk
  | TextEndChunk
  | ReasoningChunk
  | ReasoningDeltaChunk
  | ToolInputStartChunk
  | ToolInputDeltaChunk
  | ToolInputAvailableChunk
  | ToolInputErrorChunk
  | ToolApprovalRequestChunk
  | ToolApprovalResponseChunk
  | ToolOutputAvailableChunk
  | ToolOutputErrorChunk
  | ToolOutputDeniedChunk
  | SourceUrlChunk
  | SourceDocumentChunk
  | FileChunk
  | DataChunk
  | CustomChunk
  | SteeringMessageChunk
  | MessageMetadataChunk
  | ErrorChunk
  | AbortChunk
  | FinishChunk

/** A chunk of a type that versions 5 to 7 do not define. Its fields are as received. */
export type UnknownUiMessageChunk = {
  type: string
  [field: string]: unknown
}

/** A chunk of a text or thought. */
export type TextChunk = Extract<
  UiMessageChunk,
  { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }
>
