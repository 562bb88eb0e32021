/** What the readers of all kinds of artifacts share. */

import type { Metadata } from '../../../events/metadata.ts'
import { withoutExtension } from '../wire/extension.ts'
import type { Artifact } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import type { ReceivedArtifact } from './state.ts'

/** How an artifact is sent: piece by piece in updates, or whole with its task. */
export interface UpdateMode {
  readonly append: boolean
  readonly last: boolean
  /** Whether the parts are the whole artifact, of which some may be known. */
  readonly isSnapshot: boolean
}

/** Completes all open artifacts. */
export function completeAll(writer: TaskEventWriter): void {
  for (const artifact of writer.state.openArtifacts) complete(writer, artifact)
}

/** Completes the open artifacts with the id. */
export function completeArtifact(writer: TaskEventWriter, { artifactId }: Artifact): void {
  for (const open of writer.state.openArtifacts) if (open.id === artifactId) complete(writer, open)
}

/** Completes an artifact with a final event. */
export function complete(writer: TaskEventWriter, artifact: ReceivedArtifact): void {
  if (artifact.isComplete) return
  writer.updateArtifact(artifact, { isComplete: true })
  const { key: artifactId, nextIndex: index } = artifact
  switch (artifact.target) {
    case 'content':
      writer.emitDraft({
        kind: 'content-complete',
        ...contentIdOf(artifact),
        content: artifact.text.slice(artifact.segmentStart),
      })
      break
    case 'text':
    case 'file':
      writer.emitDraft({ kind: 'file-write', artifactId, data: '', index, complete: true })
      break
    case 'rows':
      writer.emitDraft({ kind: 'dataset-write', artifactId, rows: [], index, complete: true })
      break
    default:
      break
  }
}

/** The `contentId` of the events of content; none if it is the text without one. */
export function contentIdOf({ contentId }: ReceivedArtifact): { contentId?: string } {
  return contentId === undefined ? {} : { contentId }
}

/** Name, description and metadata of an artifact, for its first event. */
export function descriptorOf(
  { name, description, metadata }: Artifact,
  fileName: string | undefined,
): { name?: string; description?: string; metadata?: Metadata } {
  const ownName = fileName ?? name
  const rest = withoutExtension(metadata)
  return {
    ...(ownName !== undefined && { name: ownName }),
    ...(description !== undefined && { description }),
    ...(rest !== undefined && { metadata: rest }),
  }
}
