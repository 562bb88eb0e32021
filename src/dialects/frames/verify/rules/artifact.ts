/** Rules of artifacts, which any stream may write and refer to. */

import { type BoundedMap, boundedGet } from '../../../../core/bounded-map/bounded-map.ts'
import { expectEqual, reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../../rules/rule.ts'
import { MAX_ITEMS } from '../../../shared/limits.ts'
import type { FrameV2Body } from '../../wire/types.ts'
import { AS_WARNING, type FrameContext } from '../context.ts'
import type { ArtifactRuleName } from '../rule-names.ts'

export const artifactRules: Rules<ArtifactRuleName> = {
  'artifact-identity': defineRule(
    'F16',
    'inferred',
    ERROR_LENIENT_WARN,
    'A digest has the form algorithm:hex and does not change; artifact_refs name written artifacts (warn).',
  ),
}

export interface WithArtifacts {
  /** The artifacts written last, in any stream. */
  readonly artifacts: BoundedMap<VerifiedArtifact>
}

/** An artifact that was written. */
interface VerifiedArtifact {
  readonly digest: string
  /** The position of the frame. */
  readonly index: number
}

/** Checks the artifacts a frame writes or refers to. */
export function checkArtifacts(context: FrameContext<object, WithArtifacts>, frame: FrameV2Body): void {
  const { artifacts } = context.state
  const rule = 'artifact-identity'
  if (frame.type !== 'artifact_written') {
    const refs = 'artifact_refs' in frame ? (frame.artifact_refs ?? []) : []
    if (context.stream.hasGap || context.state.isPartial) return
    const at = refs.findIndex((ref) => boundedGet(artifacts, ref) === undefined)
    if (at < 0) return
    reportUnexpected(
      context,
      rule,
      `/artifact_refs/${at}`,
      'the id of a written artifact',
      refs[at],
      AS_WARNING,
    )
    return
  }
  const { artifact_id: id, digest } = frame
  const path = '/digest'
  if (!/^[\w-]+:[0-9a-f]+$/i.test(digest)) {
    reportUnexpected(context, rule, path, 'a digest of the form algorithm:hex', digest)
  }
  const known = boundedGet(artifacts, id)
  if (known !== undefined) {
    expectEqual(context, rule, path, known.digest, digest, { relatedEventIndex: known.index })
    return
  }
  const artifact = { digest, index: context.index }
  if (context.store(context.state, 'artifacts', id, artifact, MAX_ITEMS)) context.state.isPartial = true
}
