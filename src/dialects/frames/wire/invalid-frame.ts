/** The diagnostic of a dropped frame. */
import type { Issue } from '../../../core/decode-result.ts'
import type { StepBuilder } from '../../../core/step-builder.ts'

/** Reports an input that is not a valid frame, with its issues. */
export function reportInvalidFrame(
  builder: Pick<StepBuilder<never, never>, 'diagnostic'>,
  issues: readonly Issue[],
): void {
  const [first] = issues
  const message = `Dropped an invalid frame. ${first?.message ?? ''}`.trimEnd()
  builder.diagnostic('invalid-frame', message, { path: first?.path ?? '', detail: issues })
}
