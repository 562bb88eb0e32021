/** Maps files to events: their content, or their address. */

import { base64ToText, canonicalBase64 } from '../../../encoding/base64.ts'
import { percentDecode } from '../../../encoding/percent.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { LINK_TYPE } from '../../shared/link.ts'
import { readProvider } from '../wire/provider-metadata.ts'
import type { FileChunk } from '../wire/types.ts'
import { emitOr } from './emit.ts'
import { artifactIdFor } from './map-data.ts'
import type { MessageWriter } from './state.ts'

interface Content {
  readonly data: string
  readonly encoding?: 'base64'
  readonly mimeType?: string
  /** The media type of the file at an address. */
  readonly linkedType?: string
}

/** Emits `file-write`. */
export function mapFile(writer: MessageWriter, chunk: FileChunk): void {
  const { type, mediaType, providerMetadata } = chunk
  const { own, carried } = readProvider(providerMetadata)
  const { mimeType, linkedType, ...content } = contentOf(chunk, own.encoding === 'utf-8')
  const { turnstream: _, ...others } = providerMetadata ?? {}
  const aiSdk: Metadata = {
    ...(type === 'reasoning-file' && { type }),
    ...(carried !== undefined && { providerMetadata: others }),
  }
  const metadata: Metadata = {
    ...(Object.keys(aiSdk).length > 0 && { aiSdk }),
    ...(linkedType !== undefined && { mimeType: linkedType }),
  }
  const given = typeof own.artifactId === 'string' ? own.artifactId : undefined
  const isTyped = own.hasMimeType !== false
  emitOr(writer, type, {
    kind: 'file-write',
    artifactId: artifactIdFor(
      writer,
      given ?? `${writer.state.taskId}:file-${writer.state.nextId++}`,
      'file',
    ),
    index: 0,
    complete: true,
    ...content,
    ...(isTyped && { mimeType: mimeType ?? mediaType }),
    ...(typeof own.name === 'string' && { name: own.name }),
    ...(typeof own.description === 'string' && { description: own.description }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  })
}

/** What a `data:` URL holds; the address of any other. */
function contentOf({ url, mediaType }: FileChunk, isText: boolean): Content {
  const comma = url.indexOf(',')
  if (!/^data:/i.test(url) || comma < 0) return { data: url, mimeType: LINK_TYPE, linkedType: mediaType }
  const body = url.slice(comma + 1)
  if (!/;base64$/i.test(url.slice(0, comma))) {
    const text = percentDecode(body)
    return text === undefined ? { data: url, mimeType: LINK_TYPE, linkedType: mediaType } : { data: text }
  }
  const text = isText ? base64ToText(body) : undefined
  if (text !== undefined) return { data: text }
  const base64 = canonicalBase64(body)
  return base64 === undefined
    ? { data: url, mimeType: LINK_TYPE, linkedType: mediaType }
    : { data: base64, encoding: 'base64' }
}
