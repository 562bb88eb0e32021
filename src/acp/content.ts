/** Content blocks of ACP that are no text, as files. */

import type { EventDraft } from '../emitter/event-draft.ts'
import { isBase64 } from '../encoding/base64.ts'
import type { Fields } from '../validation/predicates.ts'
import { fieldsOf, textIn } from '../validation/read-fields.ts'

/** The file that a block is: an image, a sound or a resource; `undefined` for other types and for broken data. */
export function fileOf(block: Fields, artifactId: string): EventDraft | undefined {
  const { blob, text, mimeType, uri } = block.type === 'resource' ? fieldsOf(block.resource) : partOf(block)
  const file = { kind: 'file-write', artifactId, complete: true, ...labels(mimeType, uri) } as const
  if (typeof text === 'string') return { ...file, data: text, encoding: 'utf-8' }
  return typeof blob === 'string' && isBase64(blob) ? { ...file, data: blob, encoding: 'base64' } : undefined
}

function partOf({ type, data, mimeType, uri }: Fields): Fields {
  return type === 'image' || type === 'audio' ? { blob: data, mimeType, uri } : {}
}

function labels(mimeType: unknown, uri: unknown): { mimeType?: string; name?: string } {
  const [type, name] = [textIn({ mimeType }, 'mimeType'), textIn({ uri }, 'uri')]
  return { ...(type !== undefined && { mimeType: type }), ...(name !== undefined && { name }) }
}
