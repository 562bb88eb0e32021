/** The diagnostic for an input that is not a known event. */

import type { DecodeResult } from '../../core/decode-result.ts'
import { describeValue } from '../../core/require.ts'
import type { StepBuilder } from '../../core/step-builder.ts'

/** Reports an invalid input as `invalid-event` and one of unknown kind as `dropped:<kind>`. */
export function reportUndecoded<State, Out>(
  builder: StepBuilder<State, Out>,
  decoded: Exclude<DecodeResult<unknown, unknown>, { status: 'known' }>,
): void {
  if (decoded.status === 'invalid') builder.invalid(decoded.issues)
  else {
    // A peer chooses the kind, and logs are no place for one without an end.
    const kind = decoded.kind.slice(0, 64)
    builder.dropped(kind, 'unknown-kind', `Expected a known kind, got ${describeValue(kind)}.`)
  }
}
