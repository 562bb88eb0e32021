/**
 * Projecting: what one viewer sees of an event. On the way out of the log and before anything else,
 * so that what is hidden is in no batch, no snapshot and no export.
 */
import { checkEvent } from '../../events/checks.generated.ts'
import { type Audience, audiences, isAside, isForOperators, isForwarded, isLabelled } from './audience.ts'
import { defaultThoughts, type Redaction, redactions } from './disclosures.ts'
import { showsThought, type ThoughtPolicy } from './filter.ts'

/** Who looks, and what it is shown. Plain JSON. */
export interface Viewer {
  /** Whom it belongs to: decides which events and fields it gets. */
  readonly audience: Audience
  /** Which thoughts it is shown. Absent: those of {@link defaultThoughts}. */
  readonly thoughts?: ThoughtPolicy
  /**
   * Fields that are taken out besides those of {@link redactions}: JSON pointers, by kind. Pointers
   * lead through objects; one that leads into a list takes the whole list out.
   */
  readonly removed?: Readonly<Record<string, readonly string[]>>
  /**
   * `all`: users and observers are also shown what subtasks think, and arguments as they are written
   * there. Absent: what {@link audienceOf} says is for them. A router goes by its `forward` instead.
   */
  readonly subtasks?: 'all'
}

/**
 * What a viewer sees of an event; `undefined` when it sees nothing of it. Never throws.
 *
 * The event itself where nothing is taken out, a copy otherwise. What comes out is valid: a field its
 * kind requires is emptied instead of taken out, and an event that cannot do without a field's value
 * is hidden. Projecting it again for the same viewer changes nothing.
 *
 * Who sees the event at all says {@link audienceOf}; whether it is one of a subtask, its own
 * `parentTaskId`. A `thought-delta` is shown to who is shown all thoughts.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-external-events
 */
export function project<E extends { readonly kind: string }>(event: E, viewer: Viewer): E | undefined {
  const { audience, subtasks } = viewer
  const isSubtask = 'parentTaskId' in event && typeof event.parentTaskId === 'string'
  if (isSubtask && subtasks !== 'all' && !isForwarded(event) && isAside(audience)) return undefined
  return projectOwn(event, viewer)
}

/** {@link project} for who has asked {@link audienceOf} already. */
export function projectOwn<E extends { readonly kind: string }>(event: E, viewer: Viewer): E | undefined {
  const { audience, removed } = viewer
  // An audience this version does not know: it may come from a request.
  if (!audiences.includes(audience)) return undefined
  const { kind } = event
  if (audience !== 'operator' && isForOperators(kind)) return undefined
  // Null, which a viewer from JSON may have, counts as absent.
  const thoughts = viewer.thoughts ?? defaultThoughts[audience]
  if (!isLabelled(event, audience) || !showsThought(thoughts, event)) return undefined

  let seen: E | undefined = event
  if (audience !== 'operator' && Object.hasOwn(redactions, kind)) {
    const rules: Redaction = redactions[kind as keyof typeof redactions] ?? {}
    if (rules.hidden?.includes(audience)) return undefined
    for (const [pointer, from] of Object.entries(rules.removed ?? {})) {
      if (from.includes(audience)) seen = seen && without(seen, pointer)
    }
  }
  if (!removed || !Object.hasOwn(removed, kind)) return seen
  for (const pointer of removed[kind] ?? []) seen = seen && without(seen, pointer)
  return seen
}

const envelope: ReadonlySet<string> = new Set(['kind', 'contextId', 'taskId', 'timestamp'])

/** An event without a field, or with it emptied; `undefined` when it would not be an event any more. */
function without<E extends { readonly kind: string }>(event: E, pointer: string): E | undefined {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  // Without these it is no event; a pointer to all of it, or to nowhere, is meant to hide.
  if (keys[0] === undefined || envelope.has(keys[0])) return undefined
  const removed = replaceAt(event, keys, () => undefined)
  if (removed === event || isValid(removed)) return removed as E
  const emptied = replaceAt(event, keys, emptyLike)
  return isValid(emptied) ? (emptied as E) : undefined
}

/** A copy with another value at a place, or the value itself when there is no such place. */
function replaceAt(value: unknown, keys: readonly string[], by: (old: unknown) => unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined || Array.isArray(value)) return by(value)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const inner = (value as Readonly<Record<string, unknown>>)[key]
  const replaced = replaceAt(inner, rest, by)
  if (replaced === inner) return value
  const copy: Record<string, unknown> = { ...value, [key]: replaced }
  if (replaced === undefined) delete copy[key]
  return copy
}

function emptyLike(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : undefined
}

/** Whether a known kind is right. Nothing can be said of others. */
function isValid(event: unknown): boolean {
  const { kind } = event as { readonly kind: string }
  return checkEvent(kind, event as Readonly<Record<string, unknown>>) !== false
}
