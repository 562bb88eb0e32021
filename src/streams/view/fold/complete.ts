/** Everything that a view can show. */

import { readJson } from '../../../json/partial/partial-json.ts'
import { initialState } from '../../../json/partial/state.ts'
import { applyArtifactPatch } from './artifact-patch.ts'
import type { PartialArguments, ViewFeatures } from './features.ts'

/** All features. */
export const complete: ViewFeatures = {
  artifactPatches: applyArtifactPatch,
  // What `partialJson()` has, without its end: no view reads it.
  partialArguments: { initial: initialState, step: readJson } as PartialArguments,
}
