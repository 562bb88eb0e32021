/**
 * Changes of artifacts, for formats that send a patched record as a whole. The changes of a record are stored and applied all at
 * once: a patched record is a copy, which takes as long as the record has members. A record that is large and changes often is
 * sent less often than it changes.
 */

import {
  type BoundedMap,
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../core/mutable.ts'
import { describeValue } from '../../core/require.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import type { ArtifactDeltaEvent } from '../../events/artifact.ts'
import type {
  ArtifactChange,
  JsonPatchChange,
  MergePatchChange,
  RowsAppendChange,
  TextAppendChange,
} from '../../events/artifact-change.ts'
import type { ContextEvent } from '../../events/event.ts'
import { extentOf } from '../../json/extent.ts'
import { mergeOwned } from '../../json/merge-patch.ts'
import { patchOwned } from '../../json/patch.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { valuesOf, withLines } from '../shared/json-lines.ts'
import { MAX_ITEMS } from '../shared/limits.ts'

/** What a writer stores of an artifact. Plain JSON. */
export interface ChangingArtifact {
  readonly type: string
  /** Whether the content of a file is Base64, so that no text can be appended. */
  readonly isBase64: boolean
  readonly isComplete: boolean
  /** The version of the last complete write or change. `undefined` or `0` before it. */
  readonly version: number | undefined
  /** The content of a record; `null` for others. Shared between states: never changed. */
  readonly data: Fields | null
  /** The JSON of each change of a record that has not been applied, by line; the content of others. `undefined`: not stored. */
  readonly body: string | undefined
}

/** The part of a state that holds what is to be sent. */
export interface Changes {
  /** The artifacts with changes that have not been sent: whether any has been applied. */
  readonly unsent: BoundedMap<boolean>
  /** How many characters of changed artifacts may be sent. */
  readonly credit: number
}

type ChangeWriter = Pick<StepBuilder<Mutable<{ changes: Changes }>, unknown>, 'state' | 'dropped'> & {
  isDropped: boolean
}

/** How a format stores and sends artifacts that change. */
export interface ChangeFormat<Writer, Artifact extends ChangingArtifact> {
  /** The artifact with an id; `undefined` if nothing was written to it. */
  get(writer: Writer, artifactId: string): Artifact | undefined
  set(writer: Writer, artifactId: string, artifact: Artifact): void
  /** The artifact with more text or rows; `undefined` if it is dropped with a report. */
  append(
    writer: Writer,
    artifact: Artifact,
    event: ContextEvent<ArtifactDeltaEvent>,
    change: TextAppendChange | RowsAppendChange,
  ): Artifact | undefined
  /** Sends a changed artifact as a whole. Its changes are applied. */
  send(writer: Writer, artifactId: string, artifact: Artifact): void
}

/** The most characters of changed artifacts that are sent at once. */
const MAX_CREDIT = 262_144

/** What each event adds to the credit. */
const EARNED = 256

export const noChanges: Changes = { unsent: emptyBoundedMap, credit: MAX_CREDIT }

/** The type of the artifacts that a change is of. */
const TYPES: Readonly<Record<ArtifactChange['type'], string>> = {
  'json-patch': 'data',
  'merge-patch': 'data',
  'text-append': 'file',
  'rows-append': 'dataset',
}

/** Writes a change of an artifact, or drops it with a report. */
export function writeChange<Writer extends ChangeWriter, Artifact extends ChangingArtifact>(
  writer: Writer,
  format: ChangeFormat<Writer, Artifact>,
  event: ContextEvent<ArtifactDeltaEvent>,
): void {
  const { kind, artifactId, baseVersion, version, change } = event
  let known = format.get(writer, artifactId)
  // The changes so far may not be applicable.
  if (known !== undefined && known.version !== baseVersion) known = settled(writer, format, artifactId, known)
  const hasWhole = known?.isComplete === true && known.body !== undefined
  if (!isNext(writer, event, hasWhole ? known?.version : undefined) || known === undefined) return
  if (known.type !== TYPES[change.type] || known.isBase64) {
    const message = `Expected a change of the content of artifact ${describeValue(artifactId)}, got a ${change.type}.`
    writer.dropped(kind, 'invalid-content', message)
    return
  }
  const next =
    'patch' in change ? patched(known, change, version) : format.append(writer, known, event, change)
  if (next === undefined) return
  format.set(writer, artifactId, next)
  setUnsent(writer, artifactId, !('patch' in change), extentOf(change)?.size ?? 0)
  sendDue(writer, format, artifactId)
  if (format.get(writer, artifactId)?.version !== version) writer.isDropped = true
}

/**
 * Whether a change is one of the version that readers have; otherwise it is dropped with a report.
 *
 * @param version - `undefined`: they have no complete one.
 */
export function isNext(
  writer: Pick<ChangeWriter, 'dropped'>,
  { kind, artifactId, baseVersion, version: next }: ArtifactDeltaEvent,
  version: number | undefined,
): boolean {
  // Views reject it as well.
  if (version === baseVersion && next > version) return true
  const name = `artifact ${describeValue(artifactId)}`
  const expected =
    version === undefined
      ? `a complete version of ${name} first`
      : `a change of version ${version} of ${name}`
  const reason = version !== undefined && next <= version ? 'repeated' : 'out-of-order'
  writer.dropped(kind, reason, `Expected ${expected}, got a change of version ${baseVersion}.`)
  return false
}

/** A change of a record that has not been applied, and the version before it. */
type StoredChange = (JsonPatchChange | MergePatchChange) & { readonly before?: number }

function patched<Artifact extends ChangingArtifact>(
  known: Artifact,
  change: JsonPatchChange | MergePatchChange,
  version: number,
): Artifact {
  return { ...known, version, body: withLines(known.body ?? '', [{ before: known.version, ...change }]) }
}

/** The content of a record, with its changes up to the first that cannot be applied: `failed`. */
export function contentOf({ data, version, body = '' }: ChangingArtifact): {
  readonly data: Fields | null
  readonly version: number | undefined
  readonly failed?: StoredChange
  /** How many changes come after it, which need it. */
  readonly later: number
} {
  const changes = data === null ? [] : (valuesOf(body) as StoredChange[])
  const owned = new WeakSet<object>()
  let content = data
  for (const [i, change] of changes.entries()) {
    const result =
      change.type === 'json-patch'
        ? patchOwned(content, change.patch, owned, isFields)
        : mergeOwned(content, change.patch, owned)
    if (!result.ok || !isFields(result.value)) {
      return { data: content, version: change.before, failed: change, later: changes.length - i - 1 }
    }
    content = result.value
  }
  return { data: content, version, later: 0 }
}

/** The artifact with its changes applied. Reports a change that cannot be applied. */
function settled<Writer extends ChangeWriter, Artifact extends ChangingArtifact>(
  writer: Writer,
  format: ChangeFormat<Writer, Artifact>,
  artifactId: string,
  known: Artifact,
): Artifact {
  if (known.data === null || known.body === '') return known
  const { data, version, failed, later } = contentOf(known)
  if (failed !== undefined) {
    const { isDropped } = writer
    const name = `artifact ${describeValue(artifactId)}`
    const message = `The ${failed.type} cannot be applied to ${name}, nor ${later} later.`
    writer.dropped('artifact-delta', 'invalid-content', message)
    writer.isDropped = isDropped
  }
  const next = { ...known, data, version, body: '' }
  format.set(writer, artifactId, next)
  if (data !== known.data) setUnsent(writer, artifactId, true, 0)
  return next
}

/** Sends a changed artifact that waits, if the credit allows it. To be called for each event. */
export function sendWaiting<Writer extends ChangeWriter, Artifact extends ChangingArtifact>(
  writer: Writer,
  format: ChangeFormat<Writer, Artifact>,
): void {
  const { unsent, credit } = writer.state.changes
  if (credit < MAX_CREDIT) writer.state.changes = { unsent, credit: Math.min(MAX_CREDIT, credit + EARNED) }
  if (unsent.recentSize === 0) return
  for (const [artifactId] of boundedEntries(unsent)) {
    sendDue(writer, format, artifactId)
    return
  }
}

/** Sends all changed artifacts that wait, before the task pauses or ends. */
export function sendAllWaiting<Writer extends ChangeWriter, Artifact extends ChangingArtifact>(
  writer: Writer,
  format: ChangeFormat<Writer, Artifact>,
): void {
  for (const [artifactId] of boundedEntries(writer.state.changes.unsent)) send(writer, format, artifactId, 0)
}

function sendDue<Writer extends ChangeWriter, Artifact extends ChangingArtifact>(
  writer: Writer,
  format: ChangeFormat<Writer, Artifact>,
  artifactId: string,
): void {
  const artifact = format.get(writer, artifactId)
  if (artifact === undefined) return
  const { data, body = '' } = artifact
  const length = extentOf(data)?.size ?? 0
  const size = body.length + length
  if (size <= writer.state.changes.credit) send(writer, format, artifactId, size)
  else if (body.length > length + MAX_CREDIT) settled(writer, format, artifactId, artifact)
}

function send<Writer extends ChangeWriter, Artifact extends ChangingArtifact>(
  writer: Writer,
  format: ChangeFormat<Writer, Artifact>,
  artifactId: string,
  size: number,
): void {
  const stored = format.get(writer, artifactId)
  const artifact = stored && settled(writer, format, artifactId, stored)
  const { unsent, credit } = writer.state.changes
  const isChanged = boundedGet(unsent, artifactId) === true
  writer.state.changes = { unsent: boundedDelete(unsent, artifactId), credit: credit - size }
  // One that is being written again is sent when it is complete.
  if (isChanged && artifact?.isComplete) format.send(writer, artifactId, artifact)
}

function setUnsent(writer: ChangeWriter, artifactId: string, isApplied: boolean, earned: number): void {
  const { unsent, credit } = writer.state.changes
  const isChanged = isApplied || boundedGet(unsent, artifactId) === true
  writer.state.changes = {
    unsent: boundedSet(unsent, artifactId, isChanged, MAX_ITEMS).map,
    credit: credit + earned,
  }
}

/** An artifact is written again: its change is not sent. */
export function forgetChange(writer: ChangeWriter, artifactId: string): void {
  const { unsent, credit } = writer.state.changes
  writer.state.changes = { unsent: boundedDelete(unsent, artifactId), credit }
}
