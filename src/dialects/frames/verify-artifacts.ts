/** The rules of artifacts, which any stream may write and refer to. */
import type { FrameV2Body } from './types.ts'
import { type Findings, MAX_ARTIFACTS, remember, type VerifiedArtifact } from './verifier-state.ts'

const DIGEST = /^[A-Za-z0-9][A-Za-z0-9_-]*:[0-9a-fA-F]+$/

/** The artifacts after a frame, and what is wrong with the frame. */
export function verifyArtifacts(
  artifacts: readonly VerifiedArtifact[],
  frame: FrameV2Body,
  isHoled: boolean,
  found: Findings,
): readonly VerifiedArtifact[] {
  const rule = 'artifact-identity'
  if ('artifact_refs' in frame && !isHoled && artifacts.length < MAX_ARTIFACTS) {
    const written = new Set(artifacts.map(({ id }) => id))
    for (const [i, actual] of (frame.artifact_refs ?? []).entries()) {
      if (!written.has(actual)) {
        found.warn(rule, 'No artifact that was written.', { path: `/artifact_refs/${i}`, actual })
      }
    }
  }
  if (frame.type !== 'artifact_written') return artifacts

  const { artifact_id: id, digest } = frame
  if (!DIGEST.test(digest)) {
    found.error(rule, 'Must be a hash as algorithm:hex.', { path: '/digest', actual: digest })
  }
  const known = artifacts.find((artifact) => artifact.id === id)
  if (known === undefined) return remember(artifacts, { id, digest }, MAX_ARTIFACTS)
  if (known.digest !== digest) {
    const more = { path: '/digest', expected: known.digest, actual: digest }
    found.error(rule, 'The artifact holds something else than before.', more)
  }
  return artifacts
}
