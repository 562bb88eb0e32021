/** Folding the changes of complete artifacts. */

import { describeValue } from '../../core/require.ts'
import type { ArtifactDeltaEvent } from '../../events/artifact.ts'
import type { ArtifactChange } from '../../events/artifact-change.ts'
import type { ContextEvent } from '../../events/event.ts'
import { applyJsonPatch, applyMergePatch } from '../../json/patch.ts'
import { isFields } from '../../validation/predicates.ts'
import { keyedGet, keyedSet } from '../collections/keyed-list.ts'
import { vectorPush } from '../collections/vector.ts'
import type { ArtifactContent } from './artifact.ts'
import type { ViewBuilder } from './view-builder.ts'

/** Applies a change to the current version of an artifact, or reports why it cannot be applied. */
export function reduceArtifactDelta(builder: ViewBuilder, event: ContextEvent<ArtifactDeltaEvent>): void {
  const { artifactId: id, baseVersion, version, change, taskId, timestamp: at } = event
  const key = builder.key(id)
  const artifact = keyedGet(builder.artifacts, key)
  const committed = artifact?.committed
  if (artifact === undefined || committed === undefined) {
    const message = `Artifact ${describeValue(id)} has no complete version to change.`
    builder.diagnostic('unknown-artifact', message, { id })
    return
  }
  if (builder.part('artifact', id) === undefined) {
    builder.setPart(id, { type: 'artifact', at, artifactId: id })
  }
  const { version: current } = committed
  if (baseVersion !== current || version <= baseVersion) {
    const message =
      baseVersion === current
        ? `Expected a version after baseVersion ${describeValue(baseVersion)} and current version ${describeValue(current)}, got ${describeValue(version)}.`
        : `The change needs baseVersion ${describeValue(baseVersion)}, but the current version is ${describeValue(current)}.`
    builder.diagnostic('version-conflict', message, { id, expected: baseVersion, actual: current })
    return
  }
  const content = applyChange(builder, id, committed.content, change)
  if (content === undefined) return
  builder.artifacts = keyedSet(builder.artifacts, key, {
    ...artifact,
    taskId,
    committed: { version, content },
  })
}

/** The content with a change applied; `undefined` if it cannot be applied, which is reported. */
function applyChange(
  builder: ViewBuilder,
  id: string,
  content: ArtifactContent,
  change: ArtifactChange,
): ArtifactContent | undefined {
  if (content.type === 'text' && change.type === 'text-append') {
    return { type: 'text', text: content.text + change.text }
  }
  if (content.type === 'rows' && change.type === 'rows-append') {
    return { type: 'rows', rows: change.rows.reduce(vectorPush, content.rows) }
  }
  if (content.type === 'data' && (change.type === 'json-patch' || change.type === 'merge-patch')) {
    const patched =
      change.type === 'json-patch'
        ? applyJsonPatch(content.data, change.patch)
        : ({ ok: true, value: applyMergePatch(content.data, change.patch) } as const)
    if (!patched.ok) {
      const { code, operation } = patched
      const message = `Patch operation ${operation} failed: ${code}.`
      builder.diagnostic('patch-failed', message, { id, actual: { code, operation } })
      return undefined
    }
    if (isFields(patched.value)) return { type: 'data', data: patched.value }
    builder.diagnostic('patch-failed', 'The patched value is not an object.', { id })
    return undefined
  }
  const message = `A change of type ${describeValue(change.type)} does not apply to content of type ${describeValue(content.type)}.`
  builder.diagnostic('wrong-type', message, { id, expected: content.type, actual: change.type })
  return undefined
}
