/** Values of events as content of ACP. */

import type { FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { jsonText } from '../../json/json-text.ts'
import { isFields } from '../../validation/predicates.ts'
import { textIn } from '../../validation/read-fields.ts'
import type { AcpContent, AcpToolContent } from './updates.ts'

export const textContent = (text: string): AcpContent => ({ type: 'text', text })

/** A file as content: an image, a sound, or a resource. */
export function fileContent({
  data,
  encoding,
  mimeType,
  name,
  artifactId,
}: ContextEvent<FileWriteEvent>): AcpContent {
  const isBinary = encoding === 'base64'
  const media = mimeType?.split('/')[0]
  if (isBinary && mimeType !== undefined && (media === 'image' || media === 'audio'))
    return { type: media, data, mimeType }
  const uri = name !== undefined && URL.canParse(name) ? name : `artifact:${encodeURIComponent(artifactId)}`
  const labels = { uri, ...(mimeType !== undefined && { mimeType }) }
  return { type: 'resource', resource: isBinary ? { ...labels, blob: data } : { ...labels, text: data } }
}

/** What a call shows of its result. Content of ACP, such as a diff, is the result of a tool as it is. */
export function resultContent(result: unknown): {
  readonly content: readonly AcpToolContent[]
  readonly isWhole: boolean
} {
  if (Array.isArray(result) && result.length > 0 && result.every(isToolContent))
    return { content: result, isWhole: true }
  const text = typeof result === 'string' ? result : jsonText(result)
  return { content: text ? [{ type: 'content', content: textContent(text) }] : [], isWhole: false }
}

function isToolContent(value: unknown): value is AcpToolContent {
  if (!isFields(value)) return false
  const { type, content, path, newText } = value
  if (type === 'terminal') return textIn(value, 'terminalId') !== undefined
  if (type === 'diff') return typeof path === 'string' && typeof newText === 'string'
  return type === 'content' && isFields(content) && typeof content.type === 'string'
}
