/** What a view shows only if the code for it is passed in. */

import { mismatch, optional, requireFunction } from '../../../core/require.ts'
import type { JsonPatchChange, MergePatchChange } from '../../../events/artifact-change.ts'
import type { partialJson } from '../../../json/partial/partial-json.ts'
import type { Patched } from '../../../json/patched.ts'

/**
 * What a view shows only if the code for it is passed in, so that a page that does not need it does not load it. Nothing is
 * lost without it.
 */
export interface ViewFeatures {
  /**
   * Applies patches to data artifacts: {@link applyArtifactPatch}. Omitted: the artifact keeps its last whole version, and
   * `latestVersion` states which version it is behind. The first patch is reported as `patch-ignored`.
   */
  readonly artifactPatches?: ArtifactPatches | undefined
  /**
   * Reads the arguments of tool calls while the model writes them: {@link partialJson}. Omitted: the call has their
   * `argumentsText`, and `arguments` once it starts.
   */
  readonly partialArguments?: PartialArguments | undefined
}

/**
 * Applies a patch to the data of an artifact.
 *
 * @param owned - Arrays and objects that may be changed in place. Omitted: none.
 */
export type ArtifactPatches = (
  data: unknown,
  change: JsonPatchChange | MergePatchChange,
  owned?: WeakSet<object>,
) => Patched

/** What reads arguments: a machine, of which the end is not needed. */
export type PartialArguments = Pick<ReturnType<typeof partialJson>, 'initial' | 'step'>

/** @throws TypeError if a feature is not what is to be passed in for it. */
export function requireFeatures(features: ViewFeatures): void {
  optional(requireFunction, 'artifactPatches', features.artifactPatches)
  optional(requireReader, 'partialArguments', features.partialArguments)
}

function requireReader(name: string, value: unknown): void {
  const { initial, step } = (value ?? {}) as Partial<PartialArguments>
  if (typeof initial === 'object' && typeof step === 'function') return
  throw mismatch(name, 'a machine, such as partialJson()', value)
}
