/** Reads shared state and activities, as versioned artifacts. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { isSameMark, markOf, type TextMark } from '../../../encoding/text-mark.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { jsonText } from '../../../json/json-text.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { emitValid } from '../../engine/draft.ts'
import { iterationOf } from '../../engine/draft-item.ts'
import { PROGRESS, STATE } from '../wire/extension.ts'
import type {
  AgUiActivityDelta,
  AgUiActivitySnapshot,
  AgUiEvent,
  AgUiPatch,
  AgUiStateDelta,
  AgUiStateSnapshot,
} from '../wire/types/index.ts'
import { emitWith, mergedMetadata } from './metadata.ts'
import { runningCall } from './read-tool.ts'
import { requestOfRun } from './request.ts'
import type { ArtifactVersion, OpenTask, RunWriter } from './state.ts'
import { taskOf } from './tasks.ts'

export function readStateSnapshot(writer: RunWriter, event: AgUiStateSnapshot): void {
  const task = taskOf(writer, event)
  if (task === undefined) return
  const { snapshot } = event
  if (isFields(snapshot)) {
    writeData(writer, task, STATE, STATE, snapshot, mergedMetadata(writer, null, event))
    return
  }
  writer.lossy('snapshot', 'Expected an object as state, got another value; it was put under "value".')
  const version = writeData(
    writer,
    task,
    STATE,
    STATE,
    { value: snapshot },
    mergedMetadata(writer, null, event),
  )
  setVersion(writer, STATE, { version, name: STATE, isWrapped: true })
}

export function readStateDelta(writer: RunWriter, event: AgUiStateDelta): void {
  const task = taskOf(writer, event)
  if (task !== undefined) changeData(writer, task, STATE, STATE, event.delta, event)
}

export function readActivitySnapshot(writer: RunWriter, event: AgUiActivitySnapshot): void {
  const task = taskOf(writer, event)
  if (task === undefined) return
  const { messageId, activityType, content, replace } = event
  if (activityType === PROGRESS && readProgress(writer, content)) return
  const id = artifactIdOf(messageId)
  if (replace === false && boundedGet(writer.state.versions, id) !== undefined) {
    writer.dropped(
      event.type,
      'repeated',
      `Activity ${describeValue(messageId)} exists, and is not to be replaced.`,
    )
    return
  }
  writeData(writer, task, id, activityType, content, mergedMetadata(writer, null, event))
}

export function readActivityDelta(writer: RunWriter, event: AgUiActivityDelta): void {
  const task = taskOf(writer, event)
  if (task === undefined) return
  const { messageId, activityType, patch } = event
  changeData(writer, task, artifactIdOf(messageId), activityType, patch, event)
}

/** The artifact of an activity, which is never that of the state. */
function artifactIdOf(messageId: string): string {
  return messageId === STATE || messageId === '' ? `activity:${messageId}` : messageId
}

function writeData(
  writer: RunWriter,
  task: OpenTask,
  artifactId: string,
  name: string,
  data: Record<string, unknown>,
  stated: Metadata | null,
): number {
  const version = (boundedGet(writer.state.versions, artifactId)?.version ?? 0) + 1
  const named = name === artifactId ? {} : { name }
  emitWith(writer, { kind: 'data-write', artifactId, ...named, data, version }, task, stated)
  const written = markOfData(name, data, stated)
  setVersion(writer, artifactId, { version, name, ...(written && { written }) })
  return version
}

/** The mark of what was written; none of what is nested too deep to be compared. */
function markOfData(name: string, data: object, stated: Metadata | null): TextMark | undefined {
  const text = jsonText([name, data, stated])
  return text === undefined ? undefined : markOf(text)
}

/** Whether an activity is as it was written last. */
export function isWritten(
  writer: RunWriter,
  { messageId, activityType, content, metadata }: AgUiActivitySnapshot,
): boolean {
  const { written } = boundedGet(writer.state.versions, artifactIdOf(messageId)) ?? {}
  const mark = markOfData(activityType, content, metadata ?? null)
  return mark !== undefined && written !== undefined && isSameMark(written, mark)
}

function changeData(
  writer: RunWriter,
  task: OpenTask,
  artifactId: string,
  name: string,
  patch: AgUiPatch,
  event: AgUiEvent,
): void {
  const known = boundedGet(writer.state.versions, artifactId)
  // The shared state begins with that of the request, or empty.
  if (known === undefined && artifactId !== STATE) {
    writer.inferred('data-write', `Expected a snapshot of ${describeValue(artifactId)} first, got a change.`)
  }
  if (known !== undefined && known.name !== name)
    writer.lossy('activityType', 'A change does not rename an artifact.', name)
  const baseVersion =
    known?.version ?? writeData(writer, task, artifactId, name, beginningOf(writer, artifactId), null)
  const version = baseVersion + 1
  const change = { type: 'json-patch', patch: known?.isWrapped ? patch.map(underValue) : patch } as const
  if (event.metadata !== undefined) writer.lossy('metadata', 'A change of an artifact has no metadata.')
  if (emitValid(writer, { kind: 'artifact-delta', artifactId, baseVersion, version, change }, task)) {
    const { written: _, ...rest } = known ?? { name }
    setVersion(writer, artifactId, { ...rest, version })
  } else writer.dropped(event.type, 'invalid-content', 'Expected a JSON Patch, got another value.')
}

/** An operation on a value that is under `value`. What is no pointer stays so. */
function underValue(operation: AgUiPatch[number]): AgUiPatch[number] {
  const { path, from } = operation
  const moved = (pointer: string): string => (/^(\/|$)/.test(pointer) ? `/value${pointer}` : pointer)
  return { ...operation, path: moved(path), ...(typeof from === 'string' && { from: moved(from) }) }
}

function setVersion(writer: RunWriter, artifactId: string, artifact: ArtifactVersion): void {
  const { map, hasEvicted } = boundedSet(writer.state.versions, artifactId, artifact)
  writer.state.versions = map
  if (hasEvicted) writer.diagnostic('state-evicted', 'Evicted versions of artifacts: too many to store.')
}

/** Reads the progress of a call, as `toAgUi` writes it. Returns whether it is. */
function readProgress(writer: RunWriter, content: Readonly<Record<string, unknown>>): boolean {
  const { toolCallId, progress, message, metadata, ...others } = content
  const isOwn =
    Object.keys(others).length === 0 &&
    (message === undefined || typeof message === 'string') &&
    (metadata === undefined || isFields(metadata))
  if (!isOwn || typeof progress !== 'number' || !(progress >= 0 && progress <= 1)) return false
  const call = typeof toolCallId === 'string' ? runningCall(writer, toolCallId) : undefined
  const task = call === undefined ? undefined : writer.item('tasks', call.owner)
  if (call === undefined || task === undefined) return false
  emitWith(
    writer,
    {
      kind: 'tool-progress',
      toolCallId: call.id,
      progress,
      ...iterationOf(call),
      ...(message !== undefined && { message }),
    },
    task,
    metadata ?? null,
  )
  return true
}

/** What an artifact is before any snapshot of it. */
function beginningOf(writer: RunWriter, artifactId: string): Fields {
  const state = artifactId === STATE ? requestOfRun(writer)?.state : undefined
  return isFields(state) ? { ...state } : {}
}
