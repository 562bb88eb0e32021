/** Rules of artifacts, which any stream may write and refer to. */
import { describeValue } from '../../../core/require.ts'
import type { FrameV2Body } from '../wire/types.ts'
import { type Report, WARN } from './report.ts'
import { type FrameVerifierState, MAX_ARTIFACTS, pushBounded } from './state.ts'

/** Checks the artifacts a frame writes or refers to. Returns the artifacts after it. */
export function checkArtifacts(
  artifacts: FrameVerifierState['artifacts'],
  frame: FrameV2Body,
  hasGap: boolean,
  report: Report,
): FrameVerifierState['artifacts'] {
  const rule = 'artifact-identity'
  if (frame.type !== 'artifact_written') {
    const refs = 'artifact_refs' in frame ? (frame.artifact_refs ?? []) : []
    const unknown = refs.find((ref) => !artifacts.some(({ id }) => id === ref))
    if (unknown !== undefined && !hasGap && artifacts.length < MAX_ARTIFACTS) {
      const message = `Expected ids of written artifacts, got ${describeValue(unknown)}.`
      report(rule, message, '/artifact_refs', WARN)
    }
    return artifacts
  }
  const { artifact_id, digest } = frame
  const shown = describeValue(digest)
  if (!/^[\w-]+:[0-9a-f]+$/i.test(digest)) {
    report(rule, `Expected a digest of the form algorithm:hex, got ${shown}.`, '/digest')
  }
  const known = artifacts.find(({ id }) => id === artifact_id)
  if (known === undefined) return pushBounded(artifacts, { id: artifact_id, digest }, MAX_ARTIFACTS)
  if (known.digest !== digest) {
    const message = `Expected the earlier digest ${describeValue(known.digest)}, got ${shown}.`
    report(rule, message, '/digest', { expected: known.digest })
  }
  return artifacts
}
