/** Everything that a view can show. */

import { partialJson } from '../../../json/partial/partial-json.ts'
import { applyArtifactPatch } from './artifact-patch.ts'
import type { ViewFeatures } from './features.ts'

/** All features. */
export const complete: ViewFeatures = {
  artifactPatches: applyArtifactPatch,
  partialArguments: /* @__PURE__ */ partialJson(),
}
