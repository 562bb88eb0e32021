/** Writing artifacts: when to append, when to replace, and when to begin another. */
import type { CarriedEvent } from '../wire/extension.ts'
import type { Part } from '../wire/model.ts'
import type { Turn } from './a2a-writer.ts'
import { type ArtifactType, bodyOf, type KeptArtifact, MAX_KEPT } from './artifact-record.ts'

/** What an artifact is before anything is written. */
export type NewArtifact = Pick<KeptArtifact, 'key' | 'type'> &
  Partial<Pick<KeptArtifact, 'name' | 'description' | 'mediaType' | 'metadata' | 'base64'>>

/** How something is written. */
export interface HowToWrite {
  /** Index of the next delta, chunk or batch. Absent: as it was. */
  readonly next?: number
  readonly half?: string
  /** Time of the event, where the artifact is finished with it. */
  readonly at?: string
  /** Whether the artifact is finished with it. */
  readonly sealed?: boolean
  /** Whether it takes the place of what was written. */
  readonly replace?: boolean
}

/** The artifact of that key that was begun last. */
export function lastOf(turn: Turn, key: string): KeptArtifact | undefined {
  const { artifacts, sealed } = turn.state
  const open = artifacts.findLast((kept) => kept.key === key)
  const done = sealed.findLast((kept) => kept.key === key)
  return open === undefined || (done !== undefined && done.order > open.order) ? done : open
}

/** The artifact of that key that can be written to. */
export function openOf(turn: Turn, key: string, type: ArtifactType): KeptArtifact | undefined {
  return turn.state.artifacts.findLast((kept) => kept.key === key && kept.type === type)
}

/**
 * Begins an artifact. What was finished in A2A stays as it is: writing it again makes another,
 * whose id ends in `#2`, `#3` and so on.
 */
export function openArtifact(turn: Turn, artifact: NewArtifact): KeptArtifact {
  const { artifacts, sealed, task } = turn.state
  const all = [...sealed, ...artifacts]
  const base = artifact.key === '' ? `${task?.id}:content` : artifact.key
  let nth = all.filter((kept) => kept.key === artifact.key).length + 1
  let id = nth === 1 ? base : `${base}#${nth}`
  while (all.some((kept) => kept.id === id)) id = `${base}#${++nth}`
  if (artifact.key !== '' && id !== artifact.key && !turn.settings.extension) {
    turn.lose('artifactId', `The artifact is finished, so its new content goes out as ${id}.`)
  }
  const order = all.length
  const kept: KeptArtifact = {
    ...artifact,
    id,
    order,
    next: 0,
    half: '',
    sealed: false,
    written: false,
    body: '',
  }
  turn.state.artifacts = [...artifacts, kept]
  return kept
}

/** Writes parts to an artifact and remembers them. */
export function write(
  turn: Turn,
  to: KeptArtifact,
  parts: readonly Part[],
  { replace = false, ...how }: HowToWrite,
  carried?: CarriedEvent,
): void {
  const { id: artifactId, name, description, metadata, written, body } = to
  const append = written && !replace
  // What replaces an artifact replaces its name as well.
  const facts = !append && {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  }
  turn.put({ artifactId, ...facts, parts }, { append, last: how.sealed === true }, carried)

  const separator = to.type === 'content' ? '' : '\n'
  const added = parts.map(bodyOf).join(separator)
  if (!append) keep(turn, to, { ...how, written: true, body: added })
  else if (body === undefined) keep(turn, to, how)
  else keep(turn, to, { ...how, body: body + separator + added })
}

/** Remembers something of an artifact; its body only as far as there is room. */
export function keep(turn: Turn, to: KeptArtifact, changes: Partial<KeptArtifact>): void {
  let next: KeptArtifact = { ...to, ...changes }
  const grown = (next.body?.length ?? 0) - (to.body?.length ?? 0)
  const { artifacts, counts } = turn.state
  if (counts.kept + grown > MAX_KEPT) {
    turn.diagnostic('snapshot-limit', `The artifact ${to.id} is too large to be part of snapshots.`)
    const { body: _, ...rest } = next
    next = rest
    turn.state.counts = { ...counts, kept: counts.kept - (to.body?.length ?? 0) }
  } else if (grown !== 0) {
    turn.state.counts = { ...counts, kept: counts.kept + grown }
  }
  if (next.sealed) {
    turn.state.artifacts = artifacts.filter((kept) => kept.id !== to.id)
    turn.state.sealed = [...turn.state.sealed, next]
  } else {
    turn.state.artifacts = artifacts.map((kept) => (kept.id === to.id ? next : kept))
  }
}
