/** Folding a change of an artifact that is complete. */
import type { ArtifactDeltaEvent } from '../../events/artifact.ts'
import type { ArtifactChange } from '../../events/artifact-change.ts'
import type { ContextEvent } from '../../events/event.ts'
import { applyJsonPatch, applyMergePatch } from '../../json/patch.ts'
import { isFields } from '../../validation/predicates.ts'
import { listWith } from '../collections/list.ts'
import { tableGet, tableWith } from '../collections/table.ts'
import type { ArtifactContent } from './artifact.ts'
import type { Draft } from './view-builder.ts'

/** Changes an artifact from one version to the next, or leaves it as it is and says why. */
export function foldChange(draft: Draft, event: ContextEvent<ArtifactDeltaEvent>): void {
  const { artifactId: id, baseVersion, version, change, taskId, timestamp: at } = event
  const key = draft.key(id)
  const artifact = tableGet(draft.artifacts, key)
  const committed = artifact?.committed
  if (artifact === undefined || committed === undefined) {
    draft.problem('unknown-artifact', 'There is no complete version to change.', { id })
    return
  }
  if (draft.part('artifact', id) === undefined) draft.setPart(id, { type: 'artifact', at, artifactId: id })
  if (baseVersion !== committed.version || version <= baseVersion) {
    const more = { id, expected: baseVersion, actual: committed.version }
    draft.problem('version-conflict', 'The artifact is of another version than the change is for.', more)
    return
  }
  const content = changed(draft, id, committed.content, change)
  if (content === undefined) return
  draft.artifacts = tableWith(draft.artifacts, key, { ...artifact, taskId, committed: { version, content } })
}

function changed(
  draft: Draft,
  id: string,
  content: ArtifactContent,
  change: ArtifactChange,
): ArtifactContent | undefined {
  if (content.type === 'text' && change.type === 'text-append') {
    return { type: 'text', text: content.text + change.text }
  }
  if (content.type === 'rows' && change.type === 'rows-append') {
    return { type: 'rows', rows: change.rows.reduce(listWith, content.rows) }
  }
  if (content.type === 'data' && (change.type === 'json-patch' || change.type === 'merge-patch')) {
    const patched =
      change.type === 'json-patch'
        ? applyJsonPatch(content.data, change.patch)
        : ({ ok: true, value: applyMergePatch(content.data, change.patch) } as const)
    if (!patched.ok) {
      const { code, operation } = patched
      draft.problem('patch-failed', `Operation ${operation}: ${code}.`, { id, actual: { code, operation } })
      return undefined
    }
    if (isFields(patched.value)) return { type: 'data', data: patched.value }
    draft.problem('patch-failed', 'What the patch makes is no record.', { id })
    return undefined
  }
  draft.problem('wrong-type', `A ${change.type} does not fit.`, {
    id,
    expected: content.type,
    actual: change.type,
  })
  return undefined
}
