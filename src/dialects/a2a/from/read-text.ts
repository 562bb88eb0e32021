/** Reading text parts: as the content of the task, or as a text file. */

import type { Artifact, Part } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { complete, contentIdOf, descriptorOf, type UpdateMode } from './received-artifact.ts'
import type { ReceivedArtifact } from './state.ts'

/** Reads neighboring text parts of an artifact. */
export function readTexts(
  writer: TaskEventWriter,
  artifact: Artifact,
  parts: readonly (Part & { type: 'text' })[],
  mode: UpdateMode,
): void {
  const known = writer.find(artifact.artifactId, 'content', 'text')
  const isFile = known === undefined && !mode.isSnapshot && isNamed(artifact, parts)
  if (known?.target === 'text' || (isFile && writer.openContent() !== undefined)) {
    // Content has no name.
    readTextFile(writer, artifact, parts, known, mode)
    return
  }
  const texts = parts.map((part) => part.text)
  if (known !== undefined && !mode.append) replaceContent(writer, known, texts.join(''), mode)
  else appendContent(writer, known ?? writer.openText(artifact.artifactId), texts, mode)
}

function isNamed({ name }: Artifact, parts: readonly (Part & { type: 'text' })[]): boolean {
  return name !== undefined || parts.some((part) => part.name !== undefined || part.mediaType !== undefined)
}

function appendContent(
  writer: TaskEventWriter,
  to: ReceivedArtifact,
  texts: readonly string[],
  { last }: UpdateMode,
): void {
  // The next segment follows the complete one.
  let known = to.isComplete ? writer.reopenText(to) : to
  const [only] = texts
  const isWhole = last && texts.length === 1 && known.nextIndex === 0 && only !== undefined
  if (isWhole) known = writer.updateArtifact(known, { text: known.text + only })
  else {
    for (const delta of texts) {
      if (delta === '') continue
      writer.emitDraft({ kind: 'content-delta', ...contentIdOf(known), delta, index: known.nextIndex })
      known = writer.updateArtifact(known, { text: known.text + delta, nextIndex: known.nextIndex + 1 })
    }
  }
  if (last) complete(writer, known)
  else if (writer.isFull()) {
    writer.diagnostic('too-large', 'The content is too long to store; it continues as another segment.')
    complete(writer, known)
    writer.updateArtifact(known, { isComplete: true, text: '', segmentStart: 0 })
  }
}

/** Reads the whole text again. Emits only what is new. */
function replaceContent(
  writer: TaskEventWriter,
  known: ReceivedArtifact,
  text: string,
  mode: UpdateMode,
): void {
  if (text === known.text) {
    if (mode.last) complete(writer, known)
    return
  }
  if (mode.isSnapshot && text.startsWith(known.text)) {
    appendContent(writer, known, [text.slice(known.text.length)], { ...mode, last: false })
    return
  }
  writer.diagnostic(
    'text-replaced',
    `The text of ${known.id} changed; the next content-complete has all of it.`,
  )
  const reopened = known.isComplete ? writer.reopenText(known) : known
  const open = writer.updateArtifact(reopened, { text, segmentStart: 0, nextIndex: 0 })
  complete(writer, open)
}

function readTextFile(
  writer: TaskEventWriter,
  artifact: Artifact,
  parts: readonly (Part & { type: 'text' })[],
  before: ReceivedArtifact | undefined,
  mode: UpdateMode,
): void {
  const text = parts.map((part) => part.text).join('')
  let known = before ?? writer.open(artifact.artifactId, 'text')
  if (mode.isSnapshot && (known.isComplete || text === known.text)) return
  const isMore = mode.append || (mode.isSnapshot && text.startsWith(known.text))
  if (!isMore && known.nextIndex > 0)
    known = writer.updateArtifact(known, { nextIndex: 0, text: '', isComplete: false })
  const data = mode.append ? text : text.slice(known.text.length)
  const first = known.nextIndex === 0 && {
    ...descriptorOf(artifact, parts[0]?.name),
    mimeType: parts[0]?.mediaType ?? 'text/plain',
  }
  writer.emitDraft({
    kind: 'file-write',
    artifactId: known.key,
    data,
    index: known.nextIndex,
    complete: mode.last,
    ...first,
  })
  writer.updateArtifact(known, {
    nextIndex: known.nextIndex + 1,
    text: known.text + data,
    isComplete: mode.last,
  })
}
