/** Patches of data artifacts. */

import { requireArray, requireObject, requireOneOf } from '../../../core/require.ts'
import type { JsonPatchChange, MergePatchChange } from '../../../events/artifact-change.ts'
import { mergeOwned } from '../../../json/merge-patch.ts'
import { patchOwned } from '../../../json/patch.ts'
import type { Patched } from '../../../json/patched.ts'
import { isFields } from '../../../validation/predicates.ts'

/**
 * Applies the change of an `artifact-delta` to the data of an artifact, for {@link ViewFeatures.artifactPatches}: what
 * `applyJsonPatch` or `applyMergePatch` of `turnstream/json` returns. The data is not changed, except for `owned`.
 *
 * @param owned - Arrays and objects that may be changed in place. Copies are added. A patch that fails, or whose result is
 * not an object, changes nothing. Omitted: none.
 * @throws TypeError if `change` is not a patch.
 */
export function applyArtifactPatch(
  data: unknown,
  change: JsonPatchChange | MergePatchChange,
  owned?: WeakSet<object>,
): Patched {
  requireObject('change', change)
  requireOneOf('change.type', change.type, ['json-patch', 'merge-patch'])
  if (change.type === 'merge-patch') return mergeOwned(data, change.patch, owned)
  requireArray('change.patch', change.patch)
  return patchOwned(data, change.patch, owned, isFields)
}
