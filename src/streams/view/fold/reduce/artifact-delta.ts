/** Folding the changes of complete artifacts. */

import type { Mutable } from '../../../../core/mutable.ts'
import { describeValue } from '../../../../core/require.ts'
import type { ArtifactDeltaEvent } from '../../../../events/artifact.ts'
import type { ArtifactChange } from '../../../../events/artifact-change.ts'
import type { ContextEvent } from '../../../../events/event.ts'
import { isFields } from '../../../../validation/predicates.ts'
import type { ArtifactContent, ArtifactView } from '../../artifact.ts'
import { commonAudience, labelOf } from '../../audience-label.ts'
import type { ViewBuilder } from '../view-builder.ts'
import { setArtifactPart } from './artifact-part.ts'

/** The number of the current version of an artifact; `undefined` if it has none. */
export function versionOf({ latestVersion, committed }: ArtifactView): number | undefined {
  return latestVersion ?? committed?.version
}

/** Whether a write is for another version than the current one, which is reported. */
export function isConflict(
  builder: ViewBuilder,
  artifact: ArtifactView,
  expected: number | undefined,
): boolean {
  const current = versionOf(artifact)
  if (expected === undefined || current === undefined || expected === current) return false
  const message = `The write needs version ${describeValue(expected)}, but the current version is ${describeValue(current)}.`
  builder.diagnostic('version-conflict', message, { id: artifact.artifactId, expected, actual: current })
  return true
}

/** Applies a change to the current version of an artifact, or reports why it cannot be applied. */
export function reduceArtifactDelta(builder: ViewBuilder, event: ContextEvent<ArtifactDeltaEvent>): void {
  const { artifactId: id, baseVersion, version, change, taskId } = event
  const artifact = builder.artifact(id)
  const committed = artifact?.committed
  if (artifact === undefined || committed === undefined) {
    const message = `Artifact ${describeValue(id)} has no complete version to change.`
    builder.diagnostic('unknown-artifact', message, { id })
    return
  }
  if (isConflict(builder, artifact, baseVersion)) return
  if (version <= baseVersion) {
    const expected = baseVersion + 1
    const message = `Expected version ${describeValue(expected)} or later, got ${describeValue(version)}.`
    builder.diagnostic('version-conflict', message, { id, expected, actual: version })
    return
  }
  const content = applyChange(builder, artifact, committed.content, change)
  if (content === undefined) return
  const audience = commonAudience(artifact.audience, labelOf(event))
  // A change of the current version leaves a version that is being written as it is.
  if (artifact.pending?.taskId !== taskId) setArtifactPart(builder.task, event, 'complete')
  const next: Mutable<ArtifactView> = { ...artifact, taskId }
  if (content === 'ignored') next.latestVersion = version
  else next.committed = { version, content }
  if (audience !== undefined) next.audience = audience
  builder.setArtifact(next)
}

/** The content with a change applied; `undefined` if it cannot be applied, which is reported. */
function applyChange(
  builder: ViewBuilder,
  { artifactId: id, latestVersion }: ArtifactView,
  content: ArtifactContent,
  change: ArtifactChange,
): ArtifactContent | 'ignored' | undefined {
  if (content.type === 'text' && change.type === 'text-append') {
    return { type: 'text', text: content.text + change.text }
  }
  if (content.type === 'rows' && change.type === 'rows-append') {
    return { type: 'rows', rows: builder.append(content.rows, change.rows) }
  }
  if (content.type === 'data' && (change.type === 'json-patch' || change.type === 'merge-patch')) {
    // Neither can a patch be applied to a version before its own.
    if (latestVersion !== undefined) return 'ignored'
    const patched = builder.features.artifactPatches?.(content.data, change, builder.owned)
    if (patched === undefined) {
      const message = `Expected "artifactPatches" to apply a ${change.type}, got none. The artifact keeps its version until it is written whole.`
      builder.diagnostic('patch-ignored', message, { id })
      return 'ignored'
    }
    if (!patched.ok) {
      const { code, operation } = patched
      const message =
        operation === undefined
          ? `The patch failed: ${code}.`
          : `Patch operation ${operation} failed: ${code}.`
      builder.diagnostic('patch-failed', message, {
        id,
        actual: { code, ...(operation !== undefined && { operation }) },
      })
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
