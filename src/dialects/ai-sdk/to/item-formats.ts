/** How texts, thoughts and calls are written as chunks. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { ContentCompleteEvent } from '../../../events/content.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { CitedSource } from '../../../events/source.ts'
import type { ThoughtDeltaEvent, ThoughtStreamEvent } from '../../../events/thought.ts'
import type { ToolStartEvent } from '../../../events/tool.ts'
import { isEqualJson } from '../../../json/value.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import type { ItemFormat, ItemFormats } from '../../engine/write-item.ts'
import { LINK } from '../../shared/link.ts'
import { stored } from '../../shared/stored.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import { NUMBERED_TEXT, numberedText } from '../wire/text-id.ts'
import type {
  JsonField,
  ProviderMetadata,
  SourceDocumentChunk,
  SourceUrlChunk,
  ToolInputAvailableChunk,
  UiCitation,
} from '../wire/types.ts'
import { addUsage, toUiUsage } from '../wire/usage.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { plainCall } from './state.ts'

const textsOf = (
  type: 'text' | 'reasoning',
): Pick<ItemFormat<ChunkWriter>, 'append' | 'cut' | 'replace'> => ({
  append: (writer, { id }, delta) => writer.send({ type: `${type}-delta`, id, delta }),
  cut: (writer, { id }) => writer.send({ type: `${type}-end`, id }),
  replace: (writer, { id }, content) => writer.sendAgain(type, id, content),
})

export const formats: ItemFormats<ChunkWriter> = {
  text: {
    ...textsOf('text'),
    id({ state }, event) {
      const { contentId: key = '' } = event
      return key === '' || NUMBERED_TEXT.test(key) ? numberedText(state.nextText++) : key
    },
    open(writer, { id }, event) {
      writer.beginItem(event)
      writer.send({ type: 'text-start', id })
    },
    close(writer, { id }, event) {
      const { finishReason, metadata } = event
      const { state } = writer
      const citations = writeSources(writer, metadata?.sources ?? [])
      const providerMetadata = textMetadata(finishReason, metadata)
      writer.send({
        type: 'text-end',
        id,
        ...(citations.length > 0 && writer.version === 7 && { citations }),
        ...(providerMetadata !== undefined && { providerMetadata }),
      })
      state.finishReason = finishReason ?? state.finishReason
      if (metadata?.usage === undefined || metadata.usage.length === 0) return
      state.usage = addUsage(state.usage, metadata.usage)
      writer.send({ type: 'message-metadata', messageMetadata: { usage: toUiUsage(state.usage) } })
    },
  },
  thought: {
    ...textsOf('reasoning'),
    open(writer, { id }, event) {
      writer.beginItem(event)
      const providerMetadata = { turnstream: labelsOf(event) }
      writer.send({ type: 'reasoning-start', id, providerMetadata })
    },
    close(writer, { id }, event) {
      const providerMetadata = thoughtMetadata(event)
      writer.send({ type: 'reasoning-end', id, providerMetadata })
    },
  },
  call: {
    closesWithWhole: true,
    open(writer, { id: toolCallId, toolName }, event) {
      writer.beginItem(event)
      writer.send({ type: 'tool-input-start', toolCallId, toolName, ...writer.dynamic(toolName) })
    },
    append: (writer, { id: toolCallId }, inputTextDelta) =>
      writer.send({ type: 'tool-input-delta', toolCallId, inputTextDelta }),
    cut(writer, { id: toolCallId, toolName, text }) {
      const cut = { toolCallId, toolName, input: text ?? '', errorText: 'The input of the call was cut off.' }
      writer.send({ type: 'tool-input-error', ...cut, ...writer.dynamic(toolName) })
    },
    close(writer, { id, phase }, event) {
      const { arguments: input, metadata = null } = event
      const { state } = writer
      const known = boundedGet(state.calls, id) ?? plainCall
      const { asked, approvalId } = known
      if (phase === 'new' && asked === null) writer.beginItem(event)
      if (asked !== null && approvalId === null && isEqualJson(JSON.parse(asked), input)) {
        if (!isEqualJson(metadata, known.metadata))
          writer.lossy('metadata', 'The input was sent with other metadata, to have it approved.')
      } else writer.send(inputChunk(writer, event))
      if (known !== plainCall)
        state.calls = stored(writer, state.calls, id, { ...known, asked: null }, 'calls')
    },
  },
}

/** What `text-end` has no fields for. */
function textMetadata(
  finishReason: string | undefined,
  metadata: ContentCompleteEvent['metadata'],
): ProviderMetadata | undefined {
  const { aiSdk, ...rest } = metadata ?? {}
  const own =
    finishReason === undefined
      ? ownMetadata(rest)
      : { finishReason, ...(metadata !== undefined && { metadata: rest }) }
  return toProviderMetadata(own, aiSdk)
}

/** Emits the sources of a text. Returns the passages that cite them. */
function writeSources(writer: ChunkWriter, sources: readonly CitedSource[]): UiCitation[] {
  const sent = new Set<string>()
  return sources.flatMap((source) => {
    const chunk = toSourceChunk(source, `turnstream:source:${writer.state.sources}`)
    if (chunk === undefined) return []
    const key = chunk.type === 'source-url' ? chunk.url : `document ${source.documentId}`
    if (!sent.has(key)) {
      sent.add(key)
      writer.state.sources++
      writer.send(chunk)
    }
    const { start, end, quote } = source
    const { type, sourceId: id, providerMetadata, ...fields } = chunk
    const sourceType = type === 'source-url' ? 'url' : 'document'
    return {
      source: { type: 'source', sourceType, id, ...fields } as UiCitation['source'],
      ...(start !== undefined && { startIndex: start }),
      ...(end !== undefined && { endIndex: end }),
      ...(quote !== undefined && { citedText: quote }),
    }
  })
}

/** The chunk of a source; `undefined` if it has neither a link nor an id. */
function toSourceChunk(
  { url, title, documentId }: CitedSource,
  sourceId: string,
): SourceUrlChunk | SourceDocumentChunk | undefined {
  // The `text-end` has all fields.
  const providerMetadata: ProviderMetadata = { turnstream: {} }
  const named = title === undefined ? {} : { title }
  if (url !== undefined && LINK.test(url))
    return { type: 'source-url', sourceId, url, ...named, providerMetadata }
  if (documentId === undefined) return undefined
  const mediaType = 'application/octet-stream'
  return { type: 'source-document', sourceId, mediaType, title: title ?? documentId, providerMetadata }
}

type ThoughtLabels = Pick<ThoughtDeltaEvent, 'thoughtType' | 'verbosity'>

/** The type and level of detail of a thought. */
function labelsOf({ thoughtType, verbosity }: ThoughtLabels): { [field: string]: JsonField } {
  return {
    ...(thoughtType !== undefined && { thoughtType }),
    ...(verbosity !== undefined && { verbosity }),
  }
}

/** What `reasoning-end` has no fields for. */
function thoughtMetadata(event: ThoughtStreamEvent): ProviderMetadata {
  const { metadata } = event
  const { aiSdk, signature, ...rest } = metadata ?? {}
  const own = { ...labelsOf(event), ...(metadata !== undefined && { metadata: rest }) }
  return toProviderMetadata(own, aiSdk, signature) ?? {}
}

/** The complete input of a call. */
export function inputChunk(
  writer: ChunkWriter,
  call: Pick<ToolStartEvent, 'toolCallId' | 'toolName' | 'metadata'> & { readonly arguments: unknown },
): ToolInputAvailableChunk {
  const { toolCallId, toolName, arguments: input, metadata = {} } = call
  const { aiSdk, signature, ...rest } = metadata
  const { title, toolMetadata }: Metadata = fieldsOf(aiSdk)
  const providerMetadata = toProviderMetadata(ownMetadata(rest), aiSdk, signature)
  return {
    type: 'tool-input-available',
    toolCallId,
    toolName,
    input,
    ...(metadata.provider === 'provider' && { providerExecuted: true }),
    ...writer.dynamic(toolName),
    ...(typeof title === 'string' && writer.version > 5 && { title }),
    ...(isFields(toolMetadata) &&
      writer.version > 5 && { toolMetadata: toolMetadata as Record<string, JsonField> }),
    ...(providerMetadata !== undefined && { providerMetadata }),
  }
}

/** The field of ours for metadata that chunks have no fields for. */
export function ownMetadata(rest: Metadata): { metadata: Metadata } | undefined {
  return Object.keys(rest).length === 0 ? undefined : { metadata: rest }
}
