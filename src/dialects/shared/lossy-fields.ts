/** Diagnostics for the fields of an event that a mapper leaves out. */

import type { StepBuilder } from '../../core/step-builder.ts'
import { toPointer } from '../../encoding/pointer.ts'

/** More diagnostics help nobody, and a hostile event may have millions of fields. */
const MAX_DIAGNOSTICS = 32

const noFields: ReadonlySet<string> = new Set()

/** Options of {@link reportLossyFields}. */
export interface LossyFieldsOptions {
  /** Fields that are left out without a diagnostic. Defaults to none. */
  readonly ignored?: ReadonlySet<string>
  /**
   * The keys of `metadata` that are mapped; every other key is reported by itself. Omitted: `metadata` is one
   * field like any other.
   */
  readonly mappedMetadata?: readonly string[]
}

/** Reports each field of an event that is not mapped as `lossy:<field>`, at most 32 of them. */
export function reportLossyFields<State, Out>(
  builder: StepBuilder<State, Out>,
  event: object,
  mapped: readonly string[],
  { ignored = noFields, mappedMetadata }: LossyFieldsOptions = {},
): void {
  const kind = 'kind' in event ? `${event.kind}: ` : ''
  const max = builder.diagnostics.length + MAX_DIAGNOSTICS
  for (const [field, value] of Object.entries(event)) {
    if (builder.diagnostics.length >= max) return
    if (value === undefined || ignored.has(field) || mapped.includes(field)) continue
    if (field !== 'metadata' || mappedMetadata === undefined) {
      builder.lossy(field, `${kind}${field} has no equivalent in the target format.`)
      continue
    }
    for (const [key, inner] of Object.entries(value as object)) {
      if (builder.diagnostics.length >= max) return
      if (inner === undefined || mappedMetadata.includes(key)) continue
      const message = `${kind}metadata.${key} has no equivalent in the target format.`
      builder.diagnostic('lossy:metadata', message, { path: toPointer(['metadata', key]) })
    }
  }
}
