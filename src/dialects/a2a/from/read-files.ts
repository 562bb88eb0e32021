/** Reading file parts: chunks of bytes, and links. */

import { canonicalBase64 } from '../../../encoding/base64.ts'
import { type Artifact, LINK_TYPE, type Part } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { descriptorOf, type UpdateMode } from './received-artifact.ts'

/** Reads neighboring parts with bytes as chunks of one file. */
export function readChunks(
  writer: TaskEventWriter,
  artifact: Artifact,
  parts: readonly (Part & { type: 'raw' })[],
  mode: UpdateMode,
): void {
  let known = writer.find(artifact.artifactId, 'file') ?? writer.open(artifact.artifactId, 'file')
  let added = parts
  if (mode.isSnapshot && known.nextIndex > 0) {
    const isSame = lengthOf(parts.slice(0, known.nextIndex)) === known.length
    added = isSame ? parts.slice(known.nextIndex) : parts
    if (added.length === 0) return
    if (!isSame) known = writer.updateArtifact(known, { nextIndex: 0, length: 0, isComplete: false })
  } else if (!mode.append && known.nextIndex > 0) {
    known = writer.updateArtifact(known, { nextIndex: 0, length: 0, isComplete: false })
  }
  for (const [i, { bytes, name, mediaType }] of added.entries()) {
    const complete = mode.last && i === added.length - 1
    const first = known.nextIndex === 0 && {
      ...descriptorOf(artifact, name),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      encoding: 'base64' as const,
    }
    const data = canonicalBase64(bytes)
    if (data === undefined)
      writer.diagnostic('invalid-base64', 'Dropped the bytes of a file part: not Base64.')
    writer.emitDraft({
      kind: 'file-write',
      artifactId: known.key,
      data: data ?? '',
      index: known.nextIndex,
      complete,
      ...first,
    })
    const length = known.length + bytes.length
    known = writer.updateArtifact(known, { nextIndex: known.nextIndex + 1, length, isComplete: complete })
  }
}

function lengthOf(parts: readonly (Part & { type: 'raw' })[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

/** Reads a part with a URL as a file of its own. */
export function readLink(writer: TaskEventWriter, artifact: Artifact, part: Part & { type: 'url' }): void {
  const isKnown = writer.state.completeArtifacts.some(
    ({ id, target, text }) => id === artifact.artifactId && target === 'link' && text === part.url,
  )
  if (isKnown) return
  const { key: artifactId } = writer.updateArtifact(writer.open(artifact.artifactId, 'link'), {
    text: part.url,
    isComplete: true,
  })
  const { metadata, ...rest } = descriptorOf(artifact, part.name)
  writer.emitDraft({
    kind: 'file-write',
    artifactId,
    data: part.url,
    index: 0,
    complete: true,
    mimeType: LINK_TYPE,
    ...rest,
    ...((metadata !== undefined || part.mediaType !== undefined) && {
      metadata: { ...metadata, ...(part.mediaType !== undefined && { mimeType: part.mediaType }) },
    }),
  })
}
