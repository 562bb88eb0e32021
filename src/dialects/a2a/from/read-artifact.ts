/** Reading artifacts: which of our events their parts are. */

import { canonicalBase64 } from '../../../encoding/base64.ts'
import type { Metadata } from '../../../events/fields.ts'
import { isFields } from '../../../validation/predicates.ts'
import { withoutExtension } from '../wire/extension.ts'
import { type Artifact, LINK_TYPE, type Part } from '../wire/model.ts'
import type { ReadTurn } from './event-writer.ts'
import type { ReadArtifact } from './state.ts'

/** How an artifact is sent: piece by piece in updates, or whole with its task. */
export interface HowSent {
  readonly append: boolean
  readonly last: boolean
  /** Whether this is all of the artifact, of which some may be known. */
  readonly snapshot: boolean
}

/** Reads the parts of an artifact, in order; neighbours of one type together. */
export function readArtifact(turn: ReadTurn, artifact: Artifact, how: HowSent): void {
  const groups = groupParts(artifact.parts)
  for (const [i, parts] of groups.entries()) {
    const last = how.last && i === groups.length - 1
    readGroup(turn, artifact, parts, { ...how, last })
  }
  // What the last part did not finish: there was none, or it was of another type.
  if (how.last) closeArtifact(turn, artifact)
}

/** Finishes what is still open when the task succeeds. */
export function closeAll(turn: ReadTurn): void {
  for (const known of turn.task.artifacts) close(turn, known)
}

function closeArtifact(turn: ReadTurn, { artifactId }: Artifact): void {
  for (const known of turn.task.artifacts) if (known.id === artifactId) close(turn, known)
}

function close(turn: ReadTurn, known: ReadArtifact): void {
  if (known.closed) return
  turn.keep(known, { closed: true })
  const { key: artifactId, next: index } = known
  switch (known.as) {
    case 'content':
      turn.emit({ kind: 'content-complete', content: known.text.slice(known.from) })
      break
    case 'text':
    case 'file':
      turn.emit({ kind: 'file-write', artifactId, data: '', index, complete: true })
      break
    case 'rows':
      turn.emit({ kind: 'dataset-write', artifactId, rows: [], index, complete: true })
      break
    default:
      break
  }
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

function readGroup(turn: ReadTurn, artifact: Artifact, parts: Group, how: HowSent): void {
  switch (parts[0].type) {
    case 'text':
      readTexts(turn, artifact, parts as readonly (Part & { type: 'text' })[], how)
      break
    case 'raw':
      readChunks(turn, artifact, parts as readonly (Part & { type: 'raw' })[], how)
      break
    case 'url':
      for (const part of parts as readonly (Part & { type: 'url' })[]) readLink(turn, artifact, part)
      break
    case 'data':
      readData(turn, artifact, parts as readonly (Part & { type: 'data' })[], how)
      break
  }
}

function readTexts(
  turn: ReadTurn,
  artifact: Artifact,
  parts: readonly (Part & { type: 'text' })[],
  how: HowSent,
): void {
  const known = turn.find(artifact.artifactId, 'content', 'text')
  const other = turn.content()
  if (known?.as === 'text' || (known === undefined && other !== undefined && !how.snapshot)) {
    // Content has one place in our events, and another artifact holds it.
    readTextFile(turn, artifact, parts, known, how)
    return
  }
  if (known === undefined && other !== undefined) close(turn, other)
  const texts = parts.map((part) => part.text)
  if (known !== undefined && !how.append) replaceContent(turn, known, texts.join(''), how)
  else appendContent(turn, known ?? turn.open(artifact.artifactId, 'content'), texts, how)
}

function appendContent(turn: ReadTurn, to: ReadArtifact, texts: readonly string[], { last }: HowSent): void {
  // A segment follows the one that was finished.
  let known = to.closed ? turn.keep(to, { closed: false, from: to.text.length, next: 0 }) : to
  const [only] = texts
  const isWhole = last && texts.length === 1 && known.next === 0 && only !== undefined
  if (isWhole) known = turn.keep(known, { text: known.text + only })
  else {
    for (const delta of texts) {
      if (delta === '') continue
      turn.emit({ kind: 'content-delta', delta, index: known.next })
      known = turn.keep(known, { text: known.text + delta, next: known.next + 1 })
    }
  }
  if (last) close(turn, known)
  else if (turn.isFull()) {
    turn.diagnostic('too-large', 'The content is longer than is remembered; it goes on as another segment.')
    close(turn, known)
    turn.keep(known, { closed: true, text: '', from: 0 })
  }
}

/** The whole text again. What is known of it is not said twice. */
function replaceContent(turn: ReadTurn, known: ReadArtifact, text: string, how: HowSent): void {
  if (text === known.text) {
    if (how.last) close(turn, known)
    return
  }
  if (how.snapshot && text.startsWith(known.text)) {
    appendContent(turn, known, [text.slice(known.text.length)], { ...how, last: false })
    return
  }
  turn.diagnostic('replaced', `The text of ${known.id} is replaced; the content that follows is all of it.`)
  const open = turn.keep(known, { text, from: 0, next: 0, closed: false })
  close(turn, open)
}

function readTextFile(
  turn: ReadTurn,
  artifact: Artifact,
  parts: readonly (Part & { type: 'text' })[],
  before: ReadArtifact | undefined,
  how: HowSent,
): void {
  const text = parts.map((part) => part.text).join('')
  let known = before ?? turn.open(artifact.artifactId, 'text')
  if (how.snapshot && (known.closed || text === known.text)) return
  const isMore = how.append || (how.snapshot && text.startsWith(known.text))
  if (!isMore && known.next > 0) known = turn.keep(known, { next: 0, text: '', closed: false })
  const data = how.append ? text : text.slice(known.text.length)
  const first = known.next === 0 && {
    ...describe(artifact, parts[0]?.name),
    mimeType: parts[0]?.mediaType ?? 'text/plain',
  }
  turn.emit({
    kind: 'file-write',
    artifactId: known.key,
    data,
    index: known.next,
    complete: how.last,
    ...first,
  })
  turn.keep(known, { next: known.next + 1, text: known.text + data, closed: how.last })
}

function readChunks(
  turn: ReadTurn,
  artifact: Artifact,
  parts: readonly (Part & { type: 'raw' })[],
  how: HowSent,
): void {
  let known = turn.find(artifact.artifactId, 'file') ?? turn.open(artifact.artifactId, 'file')
  let news = parts
  if (how.snapshot && known.next > 0) {
    const isSame = lengthOf(parts.slice(0, known.next)) === known.length
    news = isSame ? parts.slice(known.next) : parts
    if (news.length === 0) return
    if (!isSame) known = turn.keep(known, { next: 0, length: 0, closed: false })
  } else if (!how.append && known.next > 0) {
    known = turn.keep(known, { next: 0, length: 0, closed: false })
  }
  for (const [i, { bytes, name, mediaType }] of news.entries()) {
    const complete = how.last && i === news.length - 1
    const first = known.next === 0 && {
      ...describe(artifact, name),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      encoding: 'base64' as const,
    }
    const data = canonicalBase64(bytes)
    if (data === undefined) turn.diagnostic('invalid-base64', 'The bytes of a part are not Base64.')
    turn.emit({
      kind: 'file-write',
      artifactId: known.key,
      data: data ?? '',
      index: known.next,
      complete,
      ...first,
    })
    const length = known.length + bytes.length
    known = turn.keep(known, { next: known.next + 1, length, closed: complete })
  }
}

function lengthOf(parts: readonly (Part & { type: 'raw' })[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function readLink(turn: ReadTurn, artifact: Artifact, part: Part & { type: 'url' }): void {
  const isKnown = turn.task.done.some(
    ({ id, as, text }) => id === artifact.artifactId && as === 'link' && text === part.url,
  )
  if (isKnown) return
  const { key: artifactId } = turn.keep(turn.open(artifact.artifactId, 'link'), {
    text: part.url,
    closed: true,
  })
  const { metadata, ...facts } = describe(artifact, part.name)
  turn.emit({
    kind: 'file-write',
    artifactId,
    data: part.url,
    index: 0,
    complete: true,
    mimeType: LINK_TYPE,
    ...facts,
    ...((metadata !== undefined || part.mediaType !== undefined) && {
      metadata: { ...metadata, ...(part.mediaType !== undefined && { mimeType: part.mediaType }) },
    }),
  })
}

function readData(
  turn: ReadTurn,
  artifact: Artifact,
  parts: readonly (Part & { type: 'data' })[],
  how: HowSent,
): void {
  const { artifactId } = artifact
  if (turn.find(artifactId, 'rows') !== undefined || parts.every(({ data }) => isRows(data))) {
    readRows(turn, artifact, parts, how)
    return
  }
  for (const { data } of parts) {
    const before = turn.find(artifactId, 'data')
    const text = JSON.stringify(data)
    if (how.snapshot && before?.text === text) continue
    const known = before ?? turn.open(artifactId, 'data')
    if (known.next > 0 && how.append) {
      turn.diagnostic('lossy:append', 'A record is whole every time: the one that was added takes its place.')
    }
    const record = isFields(data) ? { ...data } : { value: data }
    const first = known.next === 0 && describe(artifact, undefined)
    turn.emit({ kind: 'data-write', artifactId: known.key, data: record, ...first })
    turn.keep(known, { text, next: known.next + 1 })
  }
}

function readRows(
  turn: ReadTurn,
  artifact: Artifact,
  parts: readonly (Part & { type: 'data' })[],
  how: HowSent,
): void {
  let known = turn.find(artifact.artifactId, 'rows') ?? turn.open(artifact.artifactId, 'rows')
  let news = parts
  if (how.snapshot && known.next > 0) {
    news = parts.slice(known.next)
    if (news.length === 0) return
  } else if (!how.append && known.next > 0) {
    known = turn.keep(known, { next: 0, closed: false })
  }
  for (const [i, { data }] of news.entries()) {
    const complete = how.last && i === news.length - 1
    const rows = isRows(data)
      ? data.map((row) => ({ ...row }))
      : [isFields(data) ? { ...data } : { value: data }]
    const first = known.next === 0 && describe(artifact, undefined)
    turn.emit({ kind: 'dataset-write', artifactId: known.key, rows, index: known.next, complete, ...first })
    known = turn.keep(known, { next: known.next + 1, closed: complete })
  }
}

function isRows(data: unknown): data is Record<string, unknown>[] {
  return Array.isArray(data) && data.every(isFields)
}

/** What an artifact says of itself, which belongs on its first event. */
function describe(
  { name, description, metadata }: Artifact,
  fileName: string | undefined,
): { name?: string; description?: string; metadata?: Metadata } {
  const own = fileName ?? name
  const facts = withoutExtension(metadata)
  return {
    ...(own !== undefined && { name: own }),
    ...(description !== undefined && { description }),
    ...(facts !== undefined && { metadata: facts }),
  }
}
