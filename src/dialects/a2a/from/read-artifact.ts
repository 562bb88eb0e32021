/** Reading artifacts: what is new in each slot becomes events. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { MAX_ARTIFACTS } from '../../shared/limits.ts'
import type { Artifact, Part } from '../wire/model.ts'
import { present } from './carry.ts'
import { Description } from './describe.ts'
import { completeSlot, emitDiff } from './emit-diff.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { merge } from './merge.ts'
import { isClosed, isPartOf, type Slot } from './slot.ts'
import { artifactIdInState, originalId, slotId } from './state.ts'

/** How an artifact is sent. */
export interface UpdateMode {
  /** Whether its parts are added to those before. */
  readonly append: boolean
  /** Whether it is complete. */
  readonly last: boolean
}

/** Reads an artifact: piece by piece, or whole with its task. */
export function readArtifact(writer: TaskEventWriter, artifact: Artifact, mode: UpdateMode): void {
  const artifactId = artifactIdInState(artifact.artifactId)
  readArtifactParts(writer, artifactId === artifact.artifactId ? artifact : { ...artifact, artifactId }, mode)
}

/** Reads an artifact with the id that it has in the state. */
export function readArtifactParts(writer: TaskEventWriter, artifact: Artifact, mode: UpdateMode): void {
  const { append } = mode
  const { artifactId } = artifact
  const known = boundedGet(writer.state.artifacts, artifactId)
  const before = known?.count ?? 0
  const at = (position: number): Slot | undefined =>
    position >= 0 && position < before
      ? boundedGet(writer.state.slots, slotId(artifactId, position).key)
      : undefined
  const parts = append || artifact.parts.length > 0 ? artifact.parts : retraction(at(0))
  const changes = merge({ count: before, at }, parts, append)
  const end = (changes.at(-1)?.position ?? -1) + 1
  const count = append ? Math.max(before, end) : end
  const description = new Description(artifact, known?.descriptor)
  if (count < before) {
    const message = `Artifact ${describeValue(originalId(artifactId))} has fewer parts than before; events keep them.`
    writer.diagnostic('lossy:parts', message)
  }
  if (known === undefined && count === 0) {
    writer.lossy('artifactId', 'Expected an artifact with parts, got none.', originalId(artifactId))
  }
  const tail = append ? at(before - 1) : undefined
  const last = mode.last && tail?.isReopened !== true
  const [first] = parts
  if (tail !== undefined && first !== undefined && isClosed(tail) && isPartOf(tail, first)) {
    const message = `Artifact ${describeValue(originalId(artifactId))} was complete; what is appended to it becomes another one.`
    writer.lossy('artifactId', message)
  }
  // What follows a part completes it.
  const isTouched = (place: number): boolean =>
    place < 0 || changes.some(({ position }) => position === place)
  if (count !== before && !isTouched(before - 1)) completeSlot(writer, slotId(artifactId, before - 1))
  for (const change of changes) {
    const { position } = change
    emitDiff(writer, slotId(artifactId, position), change, description, last || position < count - 1)
  }
  if (last && !isTouched(count - 1)) completeSlot(writer, slotId(artifactId, count - 1))
  const { descriptor } = description
  const given = description.take()
  if (given !== undefined) writer.carryNext({ artifact: given })
  if (known?.count === count && known.descriptor === descriptor) return
  writer.state.artifacts = writer.store(
    writer.state.artifacts,
    artifactId,
    { count, descriptor },
    MAX_ARTIFACTS,
  )
}

/** The parts of an artifact that is sent again without any: a text is retracted, nothing else can be. */
function retraction(slot: Slot | undefined): readonly Part[] {
  return slot?.type === 'content'
    ? [{ type: 'text', text: '', ...present({ mediaType: slot.mediaType }) }]
    : []
}
