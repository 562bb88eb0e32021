/** Builds the parts of a message from its chunks, as the readers of the AI SDK do. */

import { setMember } from '../../../core/mutable.ts'
import { parsePartialJson } from '../../../json/partial/partial-json.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { UiMessage, UiMessagePart, UiToolPart } from '../wire/message.ts'
import type {
  AiSdkVersion,
  ToolInputAvailableChunk,
  ToolInputStartChunk,
  UiMessageChunk,
} from '../wire/types.ts'

type TextPart = Extract<UiMessagePart, { type: 'text' | 'reasoning' }>

/** A call in any state. */
type CallPart = Pick<UiToolPart, 'toolCallId' | 'state'> & {
  type: UiToolPart['type']
  toolName?: string
  title?: string
  toolMetadata?: object
  input?: unknown
  rawInput?: unknown
  output?: unknown
  errorText?: string
  preliminary?: boolean
  providerExecuted?: boolean
  callProviderMetadata?: object
  resultProviderMetadata?: object
  approval?: { id: string; approved?: boolean; [field: string]: unknown }
}

/** A message while its chunks are read. */
export class MessageBuilder {
  readonly message: UiMessage
  readonly #version: AiSdkVersion
  /** The open texts and thoughts, by type and id. */
  readonly #texts = new Map<string, TextPart>()
  readonly #calls = new Map<string, CallPart>()
  /** Calls by the request to approve them. */
  readonly #approvals = new Map<string, CallPart>()
  /** Data parts with an id, by type and id. */
  readonly #data = new Map<string, { data: unknown }>()

  /** @param version - The version whose reader shows the message. */
  constructor(id: string, version: AiSdkVersion) {
    this.#version = version
    this.message = { id, role: 'assistant', parts: [] }
  }

  /** Takes a chunk of `toUiMessageStream`. */
  push(chunk: UiMessageChunk): void {
    const { message } = this
    const { parts } = message
    switch (chunk.type) {
      case 'start':
      case 'finish':
      case 'message-metadata':
        if (!isFields(chunk.messageMetadata)) return
        message.metadata =
          message.metadata === undefined
            ? { ...chunk.messageMetadata }
            : merged(message.metadata, chunk.messageMetadata)
        return
      case 'start-step':
        parts.push({ type: 'step-start' })
        return
      case 'reset-step':
        this.#resetStep()
        return
      case 'text-start':
      case 'reasoning-start':
        this.#beginText(chunk.type === 'text-start' ? 'text' : 'reasoning', chunk)
        return
      case 'text-delta':
      case 'reasoning-delta': {
        const part = this.#texts.get(textKey(chunk))
        if (part !== undefined) part.text += chunk.delta
        return
      }
      case 'text-end':
      case 'reasoning-end': {
        const part = this.#texts.get(textKey(chunk))
        if (part === undefined) return
        part.state = 'done'
        if (chunk.providerMetadata !== undefined) part.providerMetadata = chunk.providerMetadata
        if ('citations' in chunk && chunk.citations !== undefined && part.type === 'text') {
          part.citations = chunk.citations
        }
        this.#texts.delete(textKey(chunk))
        return
      }
      case 'file':
        parts.push(
          this.#version === 5 ? { type: 'file', url: chunk.url, mediaType: chunk.mediaType } : { ...chunk },
        )
        return
      case 'source-url':
      case 'source-document':
      case 'reasoning-file':
      case 'custom':
        parts.push({ ...chunk })
        return
      default:
        if (chunk.type.startsWith('tool-')) this.#tool(chunk)
        else if (chunk.type.startsWith('data-')) this.#addData(chunk as never)
    }
  }

  /** Removes the parts of the step, as readers do. */
  #resetStep(): void {
    const { parts } = this.message
    const removed = new Set<unknown>(
      parts.splice(parts.findLastIndex(({ type }) => type === 'step-start') + 1),
    )
    this.#texts.clear()
    for (const map of [this.#calls, this.#approvals, this.#data] as Map<string, unknown>[]) {
      for (const [key, part] of map) if (removed.has(part)) map.delete(key)
    }
  }

  #beginText(
    type: 'text' | 'reasoning',
    chunk: { id: string; providerMetadata?: TextPart['providerMetadata'] },
  ): void {
    const { id, providerMetadata } = chunk
    const part: TextPart = {
      type,
      ...(type === 'reasoning' && { id }),
      text: '',
      state: 'streaming',
      ...(providerMetadata !== undefined && { providerMetadata }),
    }
    this.message.parts.push(part)
    this.#texts.set(`${type} ${id}`, part)
  }

  #tool(chunk: UiMessageChunk): void {
    switch (chunk.type) {
      case 'tool-input-start':
        this.#callOf(chunk).state = 'input-streaming'
        return
      case 'tool-input-delta': {
        const part = this.#calls.get(chunk.toolCallId)
        if (part === undefined) return
        part.rawInput = `${part.rawInput ?? ''}${chunk.inputTextDelta}`
        return
      }
      case 'tool-input-available':
      case 'tool-input-error': {
        const part = this.#callOf(chunk)
        delete part.rawInput
        if (chunk.type === 'tool-input-available') {
          part.state = 'input-available'
          part.input = chunk.input
          if (chunk.providerMetadata !== undefined) part.callProviderMetadata = chunk.providerMetadata
          return
        }
        part.state = 'output-error'
        part.errorText = chunk.errorText
        // Before version 7, the part of a tool with types has only input that is valid.
        if (this.#version < 7 && part.type !== 'dynamic-tool') part.rawInput = chunk.input
        else part.input = chunk.input
        if (chunk.providerMetadata !== undefined) part.resultProviderMetadata = chunk.providerMetadata
        return
      }
      case 'tool-approval-request': {
        const part = this.#calls.get(chunk.toolCallId)
        if (part === undefined) return
        const {
          approvalId: id,
          approvalDescriptor: descriptor,
          inputSchemaInput,
          reason,
          isAutomatic,
          signature,
        } = chunk
        part.state = 'approval-requested'
        part.approval = {
          id,
          ...(descriptor !== undefined && { descriptor }),
          ...(inputSchemaInput !== undefined && { inputSchemaInput }),
          ...(reason !== undefined && { requestReason: reason }),
          ...(isAutomatic === true && { isAutomatic }),
          ...(signature !== undefined && { signature }),
        }
        this.#approvals.set(id, part)
        return
      }
      case 'tool-approval-response':
        this.#answer(chunk.approvalId, chunk.approved, chunk.reason)
        return
      default:
        this.#output(chunk)
    }
  }

  #answer(approvalId: string, approved: boolean, reason: string | undefined): void {
    const part = this.#approvals.get(approvalId)
    if (part?.approval === undefined) return
    part.state = 'approval-responded'
    part.approval = { ...part.approval, approved, ...(reason !== undefined && { reason }) }
  }

  #output(chunk: UiMessageChunk): void {
    if (
      chunk.type !== 'tool-output-available' &&
      chunk.type !== 'tool-output-error' &&
      chunk.type !== 'tool-output-denied'
    ) {
      return
    }
    const part = this.#calls.get(chunk.toolCallId)
    if (part === undefined) return
    if (chunk.type === 'tool-output-denied') {
      part.state = 'output-denied'
      return
    }
    delete part.output
    delete part.preliminary
    if (chunk.type === 'tool-output-error') {
      part.state = 'output-error'
      part.errorText = chunk.errorText
    } else {
      part.state = 'output-available'
      part.output = chunk.output
      if (chunk.preliminary === true) part.preliminary = true
    }
    if (chunk.providerMetadata !== undefined) part.resultProviderMetadata = chunk.providerMetadata
  }

  /** The part of a call; begins it if it is not known. */
  #callOf(chunk: ToolInputStartChunk | Omit<ToolInputAvailableChunk, 'type'>): CallPart {
    const { toolCallId, toolName, dynamic, title, toolMetadata, providerExecuted } = chunk
    let part = this.#calls.get(toolCallId)
    if (part === undefined) {
      part =
        dynamic === true
          ? { type: 'dynamic-tool', toolName, toolCallId, state: 'input-streaming' }
          : { type: `tool-${toolName}`, toolCallId, state: 'input-streaming' }
      this.#calls.set(toolCallId, part)
      this.message.parts.push(part as UiToolPart)
    }
    if (title !== undefined) part.title = title
    if (toolMetadata !== undefined) part.toolMetadata = toolMetadata
    if (providerExecuted !== undefined) part.providerExecuted = providerExecuted
    return part
  }

  #addData({
    type,
    id,
    data,
    transient,
  }: {
    type: `data-${string}`
    id?: string
    data: unknown
    transient?: boolean
  }): void {
    if (transient === true) {
      // What pages of version 6 know themselves.
      if (type === 'data-input' && isFields(data) && typeof data.inputId === 'string')
        this.#answer(data.inputId, data.status === 'answered', data.reason as string | undefined)
      return
    }
    const key = `${type} ${id}`
    const known = id === undefined ? undefined : this.#data.get(key)
    if (known !== undefined) {
      known.data = data
      return
    }
    const part = { type, ...(id !== undefined && { id }), data }
    this.message.parts.push(part)
    if (id !== undefined) this.#data.set(key, part)
  }

  /** The message: the inputs that are being written are parsed as far as they have arrived. */
  done(): UiMessage {
    for (const part of this.#calls.values()) {
      settleApproval(part)
      if (part.state !== 'input-streaming' || typeof part.rawInput !== 'string') continue
      const { value } = parsePartialJson(part.rawInput)
      if (value !== undefined) part.input = value
    }
    return this.message
  }
}

/** Leaves out an approval that servers refuse beside the state of the call: of one that ran without, for example. */
function settleApproval(part: CallPart): void {
  const { state, approval } = part
  if (approval === undefined || state.startsWith('approval-')) return
  if (state === 'output-denied') part.approval = { ...approval, approved: false }
  else if (!state.startsWith('output-') || approval.approved !== true) delete part.approval
}

function textKey({ type, id }: { type: string; id: string }): string {
  return `${type.startsWith('text') ? 'text' : 'reasoning'} ${id}`
}

/** Merges metadata into that of a message, as readers do: objects are merged, other values replace. */
function merged(before: Fields, more: Fields): Record<string, unknown> {
  const result = { ...before }
  for (const [key, value] of Object.entries(more)) {
    // Readers leave these out where they merge.
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    setMember(result, key, isFields(value) && isFields(old) ? merged(old, value) : value)
  }
  return result
}
