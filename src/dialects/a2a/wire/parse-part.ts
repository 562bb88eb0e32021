/** Parsing parts of messages and artifacts, of any version. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { canonicalBase64, isSameBase64 } from '../../../encoding/base64.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { Losses } from './losses.ts'
import { get, getFields, type ObjectType } from './members.ts'
import { EMPTY_FILE_URL, FILE_CHUNK, type Part, type PartFields } from './model.ts'

/**
 * Metadata key of a data part of A2A 0.3 whose value is not an object: if it is `true`, the value is
 * `data.value`. The translators of the SDKs between the versions use the same key.
 */
export const DATA_PART_COMPAT = 'data_part_compat'

/** Parses a part by which content it has; `undefined` if it has none. */
export function parsePart(value: unknown, path: string, losses: Losses): Part | undefined {
  if (!isFields(value)) return undefined
  const file = getFields(value, 'file')
  const part = parseContent(value, file, path, losses)
  if (part === undefined) return undefined
  losses.unknownMembers(typeOf(part, value, file), value, path)
  if (file !== undefined) losses.unknownMembers('file', file, `${path}/file`)
  return part
}

/** Which members a part may have. */
function typeOf({ type }: Part, value: Fields, file: Fields | undefined): ObjectType {
  if (file !== undefined && (type === 'raw' || type === 'url')) return 'filePart'
  return type === 'raw' && isLink(value) ? 'url' : type
}

/** Whether a part has a URL and nothing else: a file without bytes has one as well. */
function isLink(value: Fields): boolean {
  return typeof value.url === 'string' && !Object.hasOwn(value, 'raw')
}

function parseContent(
  value: Fields,
  file: Fields | undefined,
  path: string,
  losses: Losses,
): Part | undefined {
  const fields = fieldsOf(value, file, path, losses)
  if (typeof value.text === 'string') return { type: 'text', text: value.text, ...fields }
  const from = file ?? value
  const bytes = from.bytes ?? get(from, 'fileWithBytes') ?? from.raw
  const url = from.uri ?? get(from, 'fileWithUri') ?? from.url
  if (typeof bytes === 'string') {
    const canonical = canonicalBase64(bytes)
    if (canonical === undefined || !isSameBase64(bytes, canonical)) losses.report('data', path, bytes)
    if (file !== undefined && url !== undefined) losses.report('uri', `${path}/file/uri`, url)
    const isChunk = isFields(value.metadata) && value.metadata[FILE_CHUNK] === true
    return { type: 'raw', bytes: canonical ?? '', ...fields, ...(isChunk && { isChunk }) }
  }
  if (url === EMPTY_FILE_URL) return { type: 'raw', bytes: '', ...fields }
  if (typeof url === 'string') return { type: 'url', url, ...fields }
  return Object.hasOwn(value, 'data')
    ? { type: 'data', data: parseData(value, fields), ...fields }
    : undefined
}

/** Name, media type and metadata, without the mark of a wrapped value. */
function fieldsOf(value: Fields, file: Fields | undefined, path: string, losses: Losses): PartFields {
  const from = file ?? value
  const fromPath = file === undefined ? path : `${path}/file`
  const fields: Mutable<PartFields> = {}
  const name = losses.text(from, file === undefined ? 'filename' : 'name', fromPath)
  if (name !== undefined) fields.name = name
  const typeName = get(from, 'mimeType') === undefined ? 'mediaType' : 'mimeType'
  const mediaType = losses.text(from, typeName, fromPath)
  if (mediaType !== undefined) fields.mediaType = mediaType
  const metadata = withoutMarks(losses.metadata(value, path))
  if (metadata !== undefined) fields.metadata = metadata
  return fields
}

function withoutMarks(metadata: Metadata | undefined): Metadata | undefined {
  if (metadata === undefined) return undefined
  const rest: Record<string, unknown> = { ...metadata }
  for (const mark of [DATA_PART_COMPAT, FILE_CHUNK]) if (rest[mark] === true) delete rest[mark]
  return Object.keys(rest).length > 0 ? rest : undefined
}

function parseData(part: Fields, { mediaType }: PartFields): JsonValue {
  const data = part.data as JsonValue
  if (!isFields(data)) return data
  const isSingle = Object.keys(data).length === 1
  const isMarked = isFields(part.metadata) && part.metadata[DATA_PART_COMPAT] === true
  if (isMarked && isSingle && Object.hasOwn(data, 'value')) return data.value as JsonValue
  // The REST form of 0.3 wraps the object once more.
  const isWrapped = isSingle && part.kind === undefined && mediaType === undefined
  return isWrapped && isFields(data.data) ? (data.data as JsonValue) : data
}
