/** Saying what gets lost between this dialect and the core vocabulary. */

import type { Issue } from '../../../core/decoded.ts'
import type { Diagnostic, Step } from '../../../core/machine.ts'
import { toPointer } from '../../../encoding/pointer.ts'

/** A step, with diagnostics only when there are any. */
export function stepTo<State, Out>(
  state: State,
  out: readonly Out[],
  diagnostics: readonly Diagnostic[],
): Step<State, Out> {
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}

/** A whole event or frame that is left out. */
export function dropped(name: string, message: string): Diagnostic {
  return { code: `dropped:${name}`, message }
}

/** A field that is not said, or not said exactly. */
export function lossy(field: string, message: string, detail?: unknown): Diagnostic {
  const diagnostic = { code: `lossy:${field}`, message, path: toPointer([field]) }
  return detail === undefined ? diagnostic : { ...diagnostic, detail }
}

/** A value that is left out because it is nothing that can be read. */
export function invalidDiagnostic(what: 'event' | 'frame', issues: readonly Issue[]): Diagnostic {
  const [first] = issues
  return {
    code: `invalid-${what}`,
    message: `Left out, as it is no valid ${what}. ${first?.message ?? ''}`.trimEnd(),
    path: first?.path ?? '',
    detail: issues,
  }
}
