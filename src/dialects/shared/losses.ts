/** Diagnostics for the fields of an event that its mapper loses. */

import type { StepBuilder } from '../../core/step-builder.ts'
import { toPointer } from '../../encoding/pointer.ts'
import type { EventKind } from '../../events/event.ts'
import { contextShape, eventShapes } from '../../events/shapes.generated.ts'
import type { ShapeFields } from '../../validation/shape.ts'

/** More diagnostics help nobody, and a hostile event may have millions of fields. */
const MAX_DIAGNOSTICS = 32

/**
 * Reports each field of an event that its mapper loses as `lossy:<field>`, at most 32 of them: those of the table and
 * those that the schema does not know.
 *
 * @param kept - Those that this event keeps all the same, such as `error` or `metadata.exitCode`.
 */
export function reportLosses<State, Out, Kind extends EventKind>(
  builder: StepBuilder<State, Out>,
  event: { readonly kind: Kind },
  losses: Readonly<Partial<Record<Kind, readonly string[]>>>,
  kept: readonly string[] = [],
): void {
  const { kind } = event
  const lost: readonly string[] = losses[kind] ?? []
  const max = builder.diagnostics.length + MAX_DIAGNOSTICS
  const report = (path: readonly string[], isKnown: boolean): void => {
    const name = path.join('.')
    if (kept.includes(name)) return
    const message = `${kind}: the target format has no equivalent for ${isKnown ? '' : 'the unknown field '}${name}.`
    builder.diagnostic(`lossy:${path[0]}`, message, { path: toPointer(path) })
  }
  const known = eventShapes[kind]
  const fields = event as Readonly<Record<string, unknown>>
  for (const field of Object.keys(fields)) {
    if (builder.diagnostics.length >= max) return
    if (fields[field] === undefined || field === 'kind' || kept.includes(field)) continue
    if (lost.includes(field)) report([field], true)
    else if (known === undefined || !(Object.hasOwn(known, field) || Object.hasOwn(contextShape, field))) {
      report([field], false)
    } else if (field === 'metadata') {
      const metadata = fields.metadata as Readonly<Record<string, unknown>>
      const knownKeys = metadataKeys(kind)
      for (const key of Object.keys(metadata)) {
        if (builder.diagnostics.length >= max) return
        if (metadata[key] === undefined) continue
        const isKnown = Object.hasOwn(knownKeys, key)
        if (lost.includes(isKnown ? `metadata.${key}` : 'metadata.*')) report([field, key], isKnown)
      }
    }
  }
}

/** The keys of the metadata of a kind that its schema names; it has metadata. */
function metadataKeys(kind: EventKind): ShapeFields {
  const [, fields] = (eventShapes[kind] as unknown as WithMetadata).metadata
  return fields[1]
}

/** The shape of a kind with metadata, which is optional in every kind. */
interface WithMetadata {
  readonly metadata: readonly ['maybe', readonly ['fields', ShapeFields]]
}
