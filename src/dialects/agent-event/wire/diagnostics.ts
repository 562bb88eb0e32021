/** Saying what gets lost between this dialect and the core vocabulary. */
import type { DecodeResult, Issue } from '../../../core/decoded.ts'
import type { Diagnostic, Step } from '../../../core/machine.ts'
import { toPointer } from '../../../encoding/pointer.ts'

/** More would not help anybody, and a hostile event could have millions of fields. */
const MAX_NOTES = 32

/** A step, with diagnostics only when there are any. */
export function stepTo<State, Out>(
  state: State,
  out: readonly Out[],
  diagnostics: readonly Diagnostic[],
): Step<State, Out> {
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}

/** An event that is left out. */
export function dropped(name: string, message: string, detail?: unknown): Diagnostic {
  const diagnostic = { code: `dropped:${name}`, message }
  return detail === undefined ? diagnostic : { ...diagnostic, detail }
}

/** A field that is not told, or not told exactly. */
export function lossy(field: string, message: string, path: string = toPointer([field])): Diagnostic {
  return { code: `lossy:${field}`, message, path }
}

/** A set of fields that is empty. */
const none: ReadonlySet<string> = new Set()

/**
 * Adds a diagnostic for each field of an event, or of its metadata, that is not told. `besides` are fields
 * that nobody would miss.
 */
export function reportLossyFields(
  diagnostics: Diagnostic[],
  event: object,
  told: readonly string[],
  { besides = none, inMetadata = [] }: { besides?: ReadonlySet<string>; inMetadata?: readonly string[] } = {},
): void {
  const most = diagnostics.length + MAX_NOTES
  const message = 'The other vocabulary has no word for this field.'
  for (const field of Object.keys(event)) {
    if (besides.has(field) || told.includes(field) || diagnostics.length >= most) continue
    const value = (event as Record<string, unknown>)[field]
    if (value === undefined) continue
    if (field !== 'metadata') {
      diagnostics.push(lossy(field, message))
      continue
    }
    for (const [key, inner] of Object.entries(value as object)) {
      if (inner === undefined || inMetadata.includes(key) || diagnostics.length >= most) continue
      diagnostics.push(lossy('metadata', message, toPointer(['metadata', key])))
    }
  }
}

/** A value that is no event. */
export function invalid(issues: readonly Issue[]): Diagnostic {
  const [first] = issues
  return {
    code: 'invalid-event',
    message: `Left out, as it is no valid event. ${first?.message ?? ''}`.trimEnd(),
    path: first?.path ?? '',
    detail: issues,
  }
}

/** A value that is no event of the vocabulary it is read in. */
export function notKnown(decoded: Exclude<DecodeResult<unknown, unknown>, { status: 'known' }>): Diagnostic {
  return decoded.status === 'invalid'
    ? invalid(decoded.issues)
    : dropped(decoded.kind, 'Left out, as its kind is not known.')
}
