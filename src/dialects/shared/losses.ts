/** Diagnostics for the fields of an event that its mapper loses. */

import { MAX_DIAGNOSTICS, type StepBuilder } from '../../core/step-builder.ts'
import { toPointer } from '../../encoding/pointer.ts'
import type { EventKind } from '../../events/event.ts'
import { contextShape, eventShapes } from '../../events/shapes.generated.ts'
import type { ShapeFields } from '../../validation/shape.ts'

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
  const fates = fatesOf(losses, kind)
  const max = builder.diagnostics.length + MAX_DIAGNOSTICS
  const report = (path: readonly string[], isKnown: boolean): void => {
    const name = path.join('.')
    if (kept.includes(name)) return
    const message = `${kind}: the target format has no equivalent for ${isKnown ? '' : 'the unknown field '}${name}.`
    // Names that we give need no escape.
    const pointer = isKnown ? `/${path.join('/')}` : toPointer(path)
    builder.diagnostic(`lossy:${path[0]}`, message, { path: pointer })
  }
  const fields = event as Readonly<Record<string, unknown>>
  for (const field of Object.keys(fields)) {
    const fate = fates.get(field)
    if (fate === 'kept' || fields[field] === undefined || kept.includes(field)) continue
    if (builder.diagnostics.length >= max) return
    if (fate !== 'by key') report([field], fate === 'lost')
    else {
      const lost: readonly string[] = losses[kind] ?? []
      const metadata = fields.metadata as Readonly<Record<string, unknown>>
      const knownKeys = metadataKeys(kind)
      for (const key of Object.keys(metadata)) {
        if (builder.diagnostics.length >= max) return
        if (metadata[key] === undefined) continue
        const isKnown = Object.hasOwn(knownKeys, key)
        const isUnseen = lost.includes(`~metadata.${key}`)
        if (!isUnseen && lost.includes(isKnown ? `metadata.${key}` : 'metadata.*'))
          report([field, key], isKnown)
      }
    }
  }
}

/** How a mapper treats the fields of a kind that its schema names, by name; of metadata the table may name keys. */
type Fates = ReadonlyMap<string, 'kept' | 'lost' | 'by key'>

/** By table and kind. */
const knownFates = new WeakMap<object, Map<string, Fates>>()

function fatesOf(losses: Readonly<Partial<Record<string, readonly string[]>>>, kind: EventKind): Fates {
  const kinds = knownFates.get(losses) ?? new Map<string, Fates>()
  const known = kinds.get(kind)
  if (known !== undefined) return known
  const lost = losses[kind] ?? []
  const fateOf = (field: string) => (lost.includes(field) ? 'lost' : field === 'metadata' ? 'by key' : 'kept')
  const fields = ['kind', ...Object.keys({ ...contextShape, ...eventShapes[kind] })]
  const fates: Fates = new Map(fields.map((field) => [field, fateOf(field)]))
  knownFates.set(losses, kinds.set(kind, fates))
  return fates
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
