/** Files, records and datasets. */

import { canonicalBase64, textToBase64 } from '../../../encoding/base64.ts'
import { splitHalf, toWellFormed } from '../../../encoding/surrogates.ts'
import type {
  ArtifactDeltaEvent,
  DatasetWriteEvent,
  DataWriteEvent,
  FileWriteEvent,
} from '../../../events/artifact.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { LINK_TYPE, type Part } from '../wire/model.ts'
import type { Turn } from './a2a-writer.ts'
import { fileFacts, type KeptArtifact, keptParts } from './artifact-record.ts'
import { lastOf, openArtifact, openOf, write } from './write-artifact.ts'

export function sayFileWrite(turn: Turn, event: ContextEvent<FileWriteEvent>): void {
  if (isLink(event)) {
    sayLink(turn, event)
    return
  }
  const open = openOf(turn, event.artifactId, 'file')
  const base64 = open?.base64 ?? event.encoding === 'base64'
  const [whole, half] = base64 ? [event.data, ''] : splitHalf((open?.half ?? '') + event.data)
  const data = event.complete ? toWellFormed(whole + half) : toWellFormed(whole)
  const bytes = base64 ? canonicalBase64(data) : textToBase64(data)
  if (bytes === undefined) {
    turn.drop(event, 'invalid', 'The data of the chunk is not Base64.')
    return
  }
  const restarts = open !== undefined && event.index === 0 && !isFirstChunk(open, bytes)
  if (!isNext(turn, event, restarts ? undefined : open, bytes)) return
  turn.ensureOpen(event)
  const to =
    open ??
    openArtifact(turn, {
      key: event.artifactId,
      type: 'file',
      base64,
      ...describe(turn, event),
      ...mediaType(event.mimeType ?? (base64 ? undefined : 'text/plain')),
    })
  const how = {
    next: (event.indexEnd ?? event.index) + 1,
    half: event.complete ? '' : half,
    sealed: event.complete,
    replace: restarts,
    at: event.timestamp,
  }
  // What the update says is what it reads back as: the text as it was cut, the bytes as encoded.
  const said = base64 && bytes !== event.data ? event.data : undefined
  write(turn, to, [{ type: 'raw', bytes, ...fileFacts(to) }], how, turn.carried(event, { data: said }))
  if (!base64 && !turn.settings.extension) turn.lose('encoding', 'Text goes out as the bytes of its UTF-8.')
}

function isLink({ mimeType, index, complete, encoding, data }: FileWriteEvent): boolean {
  return mimeType === LINK_TYPE && index === 0 && complete && encoding !== 'base64' && !/\s/.test(data.trim())
}

function sayLink(turn: Turn, event: ContextEvent<FileWriteEvent>): void {
  turn.ensureOpen(event)
  const { metadata } = event
  const to = openArtifact(turn, {
    key: event.artifactId,
    type: 'link',
    ...describe(turn, event),
    ...mediaType(typeof metadata?.mimeType === 'string' ? metadata.mimeType : undefined),
  })
  const url = toWellFormed(event.data.trim())
  write(turn, to, [{ type: 'url', url, ...fileFacts(to) }], { sealed: true }, turn.carried(event))
}

export function sayDataWrite(turn: Turn, event: ContextEvent<DataWriteEvent>): void {
  turn.ensureOpen(event)
  const to =
    openOf(turn, event.artifactId, 'data') ??
    openArtifact(turn, { key: event.artifactId, type: 'data', ...describe(turn, event) })
  const data = cleanObject(event.data, loser(turn, 'data'))
  write(turn, to, [{ type: 'data', data }], { replace: true }, turn.carried(event, { data: undefined }))
}

export function sayDatasetWrite(turn: Turn, event: ContextEvent<DatasetWriteEvent>): void {
  const open = openOf(turn, event.artifactId, 'dataset')
  const rows = cleanJson(event.rows, loser(turn, 'rows')) ?? []
  const json = JSON.stringify(rows)
  const restarts = open !== undefined && event.index === 0 && !isFirstChunk(open, json)
  if (!isNext(turn, event, restarts ? undefined : open, json)) return
  turn.ensureOpen(event)
  const to = open ?? openArtifact(turn, { key: event.artifactId, type: 'dataset', ...describe(turn, event) })
  const next = (event.indexEnd ?? event.index) + 1
  const how = { next, sealed: event.complete, replace: restarts, at: event.timestamp }
  write(turn, to, [{ type: 'data', data: rows }], how, turn.carried(event, { rows: undefined }))
}

/**
 * A change of an artifact that is complete. Appending makes another artifact with everything in
 * it, as the finished one may not be touched. A patch is not said: that would take applying it.
 */
export function sayArtifactDelta(turn: Turn, event: ContextEvent<ArtifactDeltaEvent>): void {
  const base = lastOf(turn, event.artifactId)
  const added = base?.body === undefined ? undefined : addition(event, base)
  if (base === undefined || added === undefined) {
    if (turn.settings.extension) turn.carryOnly(event)
    else turn.drop(event, 'no-equivalent', 'A2A has no word for this change of an artifact.')
    return
  }
  turn.ensureOpen(event)
  if (!base.sealed) {
    write(turn, base, [added], {}, turn.carried(event))
    return
  }
  const { id: _, ...facts } = base
  write(turn, openArtifact(turn, facts), [...keptParts(base), added], { sealed: true }, turn.carried(event))
}

function addition({ change }: ArtifactDeltaEvent, base: KeptArtifact): Part | undefined {
  if (change.type === 'text-append' && base.type === 'file') {
    return { type: 'raw', bytes: textToBase64(toWellFormed(change.text)), ...fileFacts(base) }
  }
  if (change.type === 'rows-append' && base.type === 'dataset') {
    return { type: 'data', data: cleanJson(change.rows) ?? [] }
  }
  return undefined
}

interface Chunk {
  readonly index: number
  readonly indexEnd?: number
  readonly artifactId: string
}

/** Whether a chunk adds to what was written. Says so where it does not. */
function isNext(
  turn: Turn,
  event: ContextAnyEvent & Chunk,
  open: KeptArtifact | undefined,
  chunk: string,
): boolean {
  if (open === undefined) {
    const finished = lastOf(turn, event.artifactId)
    if (finished?.sealed !== true) return true
    if (event.index > 0 || (finished.at === event.timestamp && finished.body === chunk)) {
      turn.drop(event, 'repeated', `The artifact ${event.artifactId} is finished.`)
      return false
    }
    return true
  }
  if ((event.indexEnd ?? event.index) < open.next) {
    turn.drop(event, 'repeated', `The chunk ${event.index} has been said.`)
    return false
  }
  if (event.index > open.next)
    turn.diagnostic('gap', `Chunks ${open.next} to ${event.index - 1} are missing.`)
  return true
}

/** Whether what an artifact begins with is this: the same chunk again, not a new beginning. */
function isFirstChunk({ body }: KeptArtifact, chunk: string): boolean {
  return body === undefined || body === chunk || body.startsWith(`${chunk}\n`)
}

function describe(
  turn: Turn,
  { name, description, metadata }: FileWriteEvent | DataWriteEvent | DatasetWriteEvent,
): Partial<Pick<KeptArtifact, 'name' | 'description' | 'metadata'>> {
  const facts = turn.metadata(metadata)
  return {
    ...(name && { name: toWellFormed(name) }),
    ...(description && { description: toWellFormed(description) }),
    ...(facts !== undefined && { metadata: facts }),
  }
}

function mediaType(value: string | undefined): { mediaType?: string } {
  return value ? { mediaType: toWellFormed(value) } : {}
}

function loser(turn: Turn, field: string): () => void {
  let lost = false
  return () => {
    if (!lost) turn.lose(field, `What ${field} holds is not all JSON.`)
    lost = true
  }
}
