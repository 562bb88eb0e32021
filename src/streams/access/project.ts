/**
 * Projection: what one viewer may see of an event. Apply it to each event read from the log before anything
 * else, so that batches, snapshots and exports contain nothing hidden.
 */
import { requiredFields } from '../../events/kinds.generated.ts'
import {
  isAllowedByLabel,
  isForwardedByDefault,
  isOperatorOnly,
  mustReachUser,
  needsForwarding,
  statesParent,
} from './audience.ts'
import { allowsThought } from './filter.ts'
import { defaultThoughts, type Redaction, redactions } from './redactions.ts'
import { envelopeFields, removalsOf } from './removals.ts'
import { requireViewer } from './require-viewer.ts'
import type { Viewer } from './viewer.ts'

/**
 * Returns an event as a viewer may see it, or `undefined` if it is hidden. Never throws on an event.
 *
 * Returns the event itself if nothing is removed, otherwise a copy. The result is a valid event: a required
 * field is emptied instead of removed, and an event for which that is not possible is hidden. Projecting the
 * result again changes nothing.
 *
 * {@link audienceOf} determines who sees the event; it belongs to a subtask if it has a `parentTaskId`. A
 * `thought-delta` is shown to viewers that see its thought, by the `thoughtType` and the `verbosity` it states; one
 * that states no verbosity is shown like a detailed thought.
 *
 * `metadata.audience` narrows the audiences of one event. Set it on every event of an item: an unlabelled delta is shown
 * whatever the label of the whole text, and the other way round.
 *
 * Checks the viewer in each call. To project many events, {@link readFilter} and {@link createRouter} check it once.
 *
 * @throws TypeError if the viewer has an unknown audience, an invalid field or an unknown one.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-external-events
 */
export function project<E extends { readonly kind: string }>(event: E, viewer: Viewer): E | undefined {
  requireViewer('viewer', viewer)
  return projectFor(event, viewer)
}

/** {@link project} for a viewer that was checked before, with {@link AudienceOptions.forward}. */
export function projectFor<E extends { readonly kind: string }>(
  event: E,
  viewer: Viewer,
  forward: (event: E) => boolean = isForwardedByDefault,
): E | undefined {
  if (statesParent(event) && viewer.subtasks !== 'all' && needsForwarding(viewer.audience)) {
    if (!mustReachUser(event) && !forward(event)) return undefined
  }
  const { audience, removed } = viewer
  const { kind } = event
  if (audience !== 'operator' && isOperatorOnly(kind)) return undefined
  // `??`: it may also hold null.
  const thoughts = viewer.thoughts ?? defaultThoughts[audience]
  if (!isAllowedByLabel(event, audience) || !allowsThought(thoughts, event)) return undefined

  let visible: E | undefined = event
  if (audience !== 'operator' && Object.hasOwn(redactions, kind)) {
    const rule: Redaction = redactions[kind as keyof typeof redactions] ?? {}
    if (rule.hidden?.includes(audience)) return undefined
    for (const [pointer, hiddenFrom] of Object.entries(rule.removed ?? {})) {
      if (hiddenFrom.includes(audience)) visible = visible && withoutField(visible, pointer)
    }
  }
  if (!removed) return visible
  const pointers = removalsOf(removed, kind)
  if (pointers.length === 0) return visible
  for (const pointer of pointers) visible = visible && withoutField(visible, pointer)
  // A thought whose labels are removed can be anything.
  return visible && allowsThought(thoughts, visible) ? visible : undefined
}

/** Removes a field, or empties it if it is required; `undefined` if the event is invalid without it. */
function withoutField<E extends { readonly kind: string }>(event: E, pointer: string): E | undefined {
  const tokens = pointer.split('/').slice(1)
  const keys = tokens.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  // No event without these. An empty or malformed pointer also hides it.
  if (keys[0] === undefined || envelopeFields.has(keys[0])) return undefined
  // Unknown kinds are not in the table: whether their fields are required is not known.
  const required = Object.hasOwn(requiredFields, event.kind) ? requiredFields[event.kind] : undefined
  let isValid = true
  const visible = replaceAt(event, keys, 0, (value, depth) => {
    const field = tokens.slice(0, depth).join('/')
    if (required === undefined || !Object.hasOwn(required, field)) return undefined
    const empty = required[field] ? emptyValueLike(value) : undefined
    isValid = empty !== undefined
    return empty
  })
  return isValid ? (visible as E) : undefined
}

/** A copy with the value at a path replaced, or the value itself if the path does not exist. */
function replaceAt(
  value: unknown,
  keys: readonly string[],
  depth: number,
  update: (old: unknown, depth: number) => unknown,
): unknown {
  const key = keys[depth]
  if (key === undefined || Array.isArray(value)) return update(value, depth)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const inner = (value as Readonly<Record<string, unknown>>)[key]
  const replaced = replaceAt(inner, keys, depth + 1, update)
  if (replaced === inner) return value
  const copy: Record<string, unknown> = { ...value, [key]: replaced }
  if (replaced === undefined) delete copy[key]
  return copy
}

function emptyValueLike(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : undefined
}
