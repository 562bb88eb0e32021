/** Reading artifacts: each part becomes an event by its type. */

import type { Artifact, Part } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { readData } from './read-data.ts'
import { readChunks, readLink } from './read-files.ts'
import { readTexts } from './read-text.ts'
import { completeArtifact, type UpdateMode } from './received-artifact.ts'

/** Reads the parts of an artifact in order; neighboring parts of one type together. */
export function readArtifact(writer: TaskEventWriter, artifact: Artifact, mode: UpdateMode): void {
  const groups = groupParts(artifact.parts)
  for (const [i, parts] of groups.entries()) {
    const last = mode.last && i === groups.length - 1
    readGroup(writer, artifact, parts, { ...mode, last })
  }
  // Completes what the last part did not: there were no parts, or the last one was of another type.
  if (mode.last) completeArtifact(writer, artifact)
}

type Group = readonly [Part, ...Part[]]

function groupParts(parts: readonly Part[]): Group[] {
  const groups: [Part, ...Part[]][] = []
  for (const part of parts) {
    const group = groups.at(-1)
    if (group !== undefined && group[0].type === part.type) group.push(part)
    else groups.push([part])
  }
  return groups
}

function readGroup(writer: TaskEventWriter, artifact: Artifact, parts: Group, mode: UpdateMode): void {
  switch (parts[0].type) {
    case 'text':
      readTexts(writer, artifact, parts as readonly (Part & { type: 'text' })[], mode)
      break
    case 'raw':
      readChunks(writer, artifact, parts as readonly (Part & { type: 'raw' })[], mode)
      break
    case 'url':
      for (const part of parts as readonly (Part & { type: 'url' })[]) readLink(writer, artifact, part)
      break
    case 'data':
      readData(writer, artifact, parts as readonly (Part & { type: 'data' })[], mode)
      break
  }
}
