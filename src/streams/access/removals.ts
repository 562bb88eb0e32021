/** What a viewer's removals remove from the events of a kind. */

import { requiredFields } from '../../events/kinds.generated.ts'
import type { Viewer } from './viewer.ts'

/** A field that is written in the events of another kind as well. */
interface SharedField {
  /** The other kind. */
  readonly kind: string
  /** The field there, and here. */
  readonly from: string
  readonly to: string
}

/**
 * Fields that a view holds as one value: a snapshot may write it in another kind than it came in, so that its removal
 * from one kind removes it from the other.
 */
const sharedFields: Readonly<Record<string, SharedField>> = {
  'tool-start': { kind: 'tool-complete', from: '/metadata', to: '/metadata' },
  'tool-complete': { kind: 'tool-start', from: '/metadata', to: '/metadata' },
  'thought-delta': { kind: 'thought-stream', from: '/content', to: '/delta' },
}

/** The JSON pointers of the fields to remove from the events of a kind. */
export function removalsOf(removed: NonNullable<Viewer['removed']>, kind: string): readonly string[] {
  const own = pointersOf(removed, kind)
  const shared = Object.hasOwn(sharedFields, kind) ? sharedFields[kind] : undefined
  if (shared === undefined) return own
  const others = pointersOf(removed, shared.kind).flatMap((pointer) => {
    if (pointer === shared.from || pointer.startsWith(`${shared.from}/`)) {
      return shared.to + pointer.slice(shared.from.length)
    }
    return hidesEvents(shared.kind, pointer) ? shared.to : []
  })
  return [...own, ...others]
}

function pointersOf(removed: NonNullable<Viewer['removed']>, kind: string): readonly string[] {
  // `??`: it may also hold null.
  return Object.hasOwn(removed, kind) ? (removed[kind] ?? []) : []
}

/** Fields of every event. */
export const envelopeFields: ReadonlySet<string> = new Set(['kind', 'contextId', 'taskId', 'timestamp'])

/** Whether events of a kind are hidden without a field: it is required and cannot be emptied. */
function hidesEvents(kind: string, pointer: string): boolean {
  const field = pointer.split('/')[1]
  return field === undefined || envelopeFields.has(field) || requiredFields[kind]?.[field] === false
}
