/** Chunks of files and batches of datasets: their order. What follows a missing one is dropped, as no whole comes after it. */

import { describeValue } from '../../core/require.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import { markOf } from '../../encoding/text-mark.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import { jsonText } from '../../json/json-text.ts'

/** What a writer stores of an artifact that comes in chunks. Plain JSON. */
export interface ChunkedArtifact {
  /** The index of the next chunk; `-1` while chunks are missing. */
  readonly nextIndex: number
  readonly isComplete: boolean
  /** The hash of the first chunk. */
  readonly first: number
  /** The time of the latest chunk or change. */
  readonly at: string
  /** The version of the last complete write or change; `0` before it. */
  readonly version: number
}

export const noChunks: ChunkedArtifact = { nextIndex: 0, isComplete: false, first: 0, at: '', version: 0 }

type ChunkEvent = FileWriteEvent | DatasetWriteEvent

/**
 * Whether a chunk begins an artifact, or another version of it, or continues it. Otherwise it is dropped with a report; `gap`: so
 * are those that follow.
 *
 * @param known - Omitted: nothing was written to the artifact, or something of another type.
 */
function placeOf(
  writer: Pick<StepBuilder<unknown, unknown>, 'diagnostic' | 'dropped'>,
  event: ChunkEvent,
  known: ChunkedArtifact = noChunks,
): 'start' | 'next' | 'gap' | undefined {
  const { kind, artifactId, index, indexEnd = index, timestamp } = event
  const { nextIndex, isComplete, first, at } = known
  const expected = isComplete ? 0 : Math.max(0, nextIndex)
  const message = `Expected chunk ${expected} of artifact ${describeValue(artifactId)}, got chunk ${index}.`
  const isLater = isComplete && Date.parse(timestamp) > Date.parse(at)
  if (indexEnd < nextIndex && (index > 0 || (!isLater && hashOf(event) === first))) {
    writer.dropped(kind, 'repeated', message)
    return undefined
  }
  if (index === 0) return 'start'
  if (index === nextIndex && !isComplete) return 'next'
  const isGap = nextIndex >= 0 && !isComplete
  if (isGap) writer.diagnostic('gap', message, { path: '/index', detail: { expected, actual: index } })
  writer.dropped(kind, 'out-of-order', message)
  return isGap ? 'gap' : undefined
}

/**
 * The record of an artifact with a chunk, whose content is yet to be written; `undefined` if the chunk is dropped.
 *
 * @param before - What has the id. One of another type stays if the chunk does not begin the artifact.
 * @param begin - The record of an artifact, or of another version of it, of which nothing is written.
 * @param store - Stores a record of which a chunk is missing.
 */
export function withChunk<Artifact extends ChunkedArtifact & { readonly type: string }>(
  writer: Parameters<typeof placeOf>[0],
  event: ChunkEvent,
  type: Artifact['type'],
  before: Artifact | undefined,
  begin: () => Artifact,
  store: (record: Artifact) => void,
): Artifact | undefined {
  const known = before?.type === type ? before : undefined
  const place = placeOf(writer, event, known)
  if (place === undefined || (place === 'gap' && known !== before)) return undefined
  const record = place === 'start' || known === undefined ? begin() : known
  if (place !== 'gap') return { ...record, ...afterChunk(event, record) }
  store({ ...record, nextIndex: -1 })
  return undefined
}

/** What is stored of an artifact after a chunk. */
export function afterChunk(event: ChunkEvent, { first, version }: ChunkedArtifact): ChunkedArtifact {
  const { index, indexEnd = index, complete, timestamp } = event
  return {
    nextIndex: indexEnd + 1,
    isComplete: complete,
    first: index === 0 ? hashOf(event) : first,
    at: timestamp,
    version: complete ? (event.version ?? version + 1) : version,
  }
}

function hashOf(event: ChunkEvent): number {
  return markOf(event.kind === 'file-write' ? event.data : (jsonText(event.rows) ?? '')).hash
}
