/** Images and other files of a response. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import { isBase64 } from '../../encoding/base64.ts'
import type { ModelWriter } from './model-writer.ts'

/** A file, as Base64. */
export interface ModelFile {
  /** Unique in the context. */
  readonly artifactId: string
  readonly data: string
  /** Empty if it is unknown. */
  readonly mimeType?: string
  /** The call of the tool at the provider that produced it. */
  readonly toolCallId?: string
}

/** Emits a file. Data that is not Base64 is dropped and reported. */
export function addFile(
  writer: ModelWriter,
  { artifactId, data, mimeType = '', toolCallId }: ModelFile,
): void {
  if (!isBase64(data)) {
    writer.dropped('file', 'invalid-content', `Expected Base64 as the data of file ${artifactId}.`)
    return
  }
  const draft: EventDraft & { kind: 'file-write' } = {
    kind: 'file-write',
    artifactId,
    data,
    complete: true,
    encoding: 'base64',
  }
  if (mimeType !== '') draft.mimeType = mimeType
  if (toolCallId !== undefined) draft.metadata = { toolCallId }
  writer.emit(draft)
}
