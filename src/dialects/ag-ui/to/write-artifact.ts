/** Writes artifacts that are objects: the shared state, and activities. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { parsePointer, toPointer } from '../../../encoding/pointer.ts'
import type { ArtifactDeltaEvent, DataWriteEvent } from '../../../events/artifact.ts'
import type { ArtifactChange, JsonPatchOperation } from '../../../events/artifact-change.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import { isNext } from '../../engine/artifact-changes.ts'
import { stored } from '../../shared/stored.ts'
import { STATE } from '../wire/extension.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { openTask } from './runs.ts'
import type { TargetArtifact, TargetTask } from './state.ts'

export function writeData(writer: AgUiWriter, task: TargetTask, event: ContextEvent<DataWriteEvent>): void {
  const { artifactId, data, metadata } = event
  const known = boundedGet(writer.state.artifacts, artifactId)
  const name = event.name ?? known?.name ?? artifactId
  const version = event.version ?? metadata?.version ?? (known?.version ?? 0) + 1
  const more = metadata === undefined ? {} : { metadata }
  if (artifactId === STATE) writer.emitOwned(task, { type: 'STATE_SNAPSHOT', snapshot: data, ...more })
  else {
    const activity = { messageId: artifactId, activityType: name, content: data }
    writer.emitOwned(task, { type: 'ACTIVITY_SNAPSHOT', ...activity, ...more })
  }
  setArtifact(writer, artifactId, { name, version, isCurrent: true })
  if (artifactId !== STATE || event.name === STATE) writer.kept.push('name')
}

/** A change that AG-UI cannot express makes what readers have outdated: further changes wait for the next whole. */
export function writeChange(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ArtifactDeltaEvent>,
): void {
  const { artifactId, change, version } = event
  const known = boundedGet(writer.state.artifacts, artifactId)
  if (!isNext(writer, event, known?.isCurrent ? known.version : undefined) || known === undefined) return
  const patch = change.type === 'json-patch' ? change.patch : operationsOf(change)
  if (patch?.every(isComplete) !== true) {
    setArtifact(writer, artifactId, { ...known, version, isCurrent: false })
    writer.dropped(event.kind, 'no-equivalent', 'AG-UI has valid JSON Patches only.')
    return
  }
  const task = openTask(writer, found, event)
  if (task === undefined) return
  if (artifactId === STATE) writer.emitOwned(task, { type: 'STATE_DELTA', delta: patch })
  else {
    const activity = { messageId: artifactId, activityType: known.name, patch }
    writer.emitOwned(task, { type: 'ACTIVITY_DELTA', ...activity })
  }
  setArtifact(writer, artifactId, { ...known, version })
  if (change.type === 'json-patch') writer.kept.push('change')
}

function setArtifact(writer: AgUiWriter, artifactId: string, artifact: TargetArtifact): void {
  writer.state.artifacts = stored(writer, writer.state.artifacts, artifactId, artifact, 'artifacts')
}

/**
 * A JSON Merge Patch as operations that apply to any object; `undefined` for other changes, and if it merges objects, which
 * depends on the values that they change.
 */
function operationsOf(change: ArtifactChange): JsonPatchOperation[] | undefined {
  if (change.type !== 'merge-patch') return undefined
  const operations: JsonPatchOperation[] = []
  for (const [name, value] of Object.entries(change.patch)) {
    if (isFields(value)) return undefined
    const path = toPointer([name])
    operations.push({ op: 'add', path, value })
    // Only a member that is there can be removed.
    if (value === null) operations.push({ op: 'remove', path })
  }
  return operations
}

/** Whether an operation has all that RFC 6902 demands. */
function isComplete({ op, path, from, value }: JsonPatchOperation): boolean {
  if (parsePointer(path) === undefined) return false
  if (op === 'move' || op === 'copy') return from !== undefined && parsePointer(from) !== undefined
  return op === 'remove' || value !== undefined
}
