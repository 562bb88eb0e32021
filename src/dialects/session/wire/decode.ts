/** Decoding: from a value of unknown origin to an event of the session protocol. */

import type { DecodeResult, Issue } from '../../../core/decode-result.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import { requireOneOf, requireOnly } from '../../../core/require.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { issuesOf, read } from '../../../validation/read.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { applyAliases, at } from './aliases.ts'
import type { SessionClientEvent, SessionEvent, SessionServerEvent, UnknownSessionEvent } from './event.ts'
import { type LenientSessionEvent, lenientFieldsOf } from './lenient.ts'
import { isSessionEventName, maySend, type SessionDirection } from './names.ts'
import { clientHeartbeatShape, sessionEnvelopeShape, sessionEventShapes } from './shapes.generated.ts'

/** Options of {@link decodeSessionEvent}. */
export interface DecodeSessionOptions {
  /**
   * The side that sent the event. An event that only the other side sends is then invalid, and a
   * heartbeat is decoded as that of the side. Omitted: either side; a heartbeat is a server's.
   */
  readonly direction?: SessionDirection
  /**
   * `strict` accepts documented events. `lenient` also accepts what real servers send: see
   * {@link LenientSessionEvent}.
   *
   * @defaultValue `'strict'`
   */
  readonly mode?: 'strict' | 'lenient'
}

/** The result of decoding in lenient mode. */
export type DecodedLeniently =
  | {
      status: 'known'
      /** The value itself, unless a repair copied something within it. */
      event: LenientSessionEvent
      /** Each deviation from the documentation, and its repair. */
      repairs: readonly Diagnostic[]
    }
  | { status: 'unknown'; kind: string; event: UnknownSessionEvent; repairs: readonly Diagnostic[] }
  | { status: 'invalid'; issues: Issue[]; value: unknown }

/**
 * Decodes a value as an event of the session protocol. Never throws on a value.
 *
 * A known event is the value itself, with its unknown fields. If an optional field is `null` and `null` is
 * not one of its documented values, the event is a copy without that field. An event with an unknown name
 * decodes as `unknown` if its envelope is valid.
 *
 * In lenient mode the result has `repairs`: one diagnostic for each deviation from the documentation.
 *
 * - `renamed`: `path` was filled from `detail.from`, which keeps its value; the event is then a copy
 * - `left-out`: the required field at `path` is missing
 * - `deviates:<code>`: the value at `path` does not have the documented form; `code` is an issue code
 *
 * A field of a type that lenient mode cannot read is still invalid.
 *
 * @param value - Typically the result of `JSON.parse`.
 * @throws TypeError if `direction` or `mode` is unknown.
 *
 * @see docs/spec/event-payloads.md
 *
 * @example
 * ```ts
 * const decoded = decodeSessionEvent(JSON.parse(text), { direction: 'server' })
 * if (decoded.status === 'known' && decoded.event.event === 'plan.start') show(decoded.event.content.question)
 * ```
 */
export function decodeSessionEvent(
  value: unknown,
  options: DecodeSessionOptions & { mode: 'lenient' },
): DecodedLeniently
export function decodeSessionEvent(
  value: unknown,
  options: { direction: 'client'; mode?: 'strict' },
): DecodeResult<SessionClientEvent, UnknownSessionEvent>
export function decodeSessionEvent(
  value: unknown,
  options: { direction: 'server'; mode?: 'strict' },
): DecodeResult<SessionServerEvent, UnknownSessionEvent>
export function decodeSessionEvent(
  value: unknown,
  options?: DecodeSessionOptions & { mode?: 'strict' },
): DecodeResult<SessionEvent, UnknownSessionEvent>
export function decodeSessionEvent(value: unknown, options: DecodeSessionOptions = {}): DecodeOutcome {
  requireOnly('options', options, ['direction', 'mode'])
  const { direction, mode = 'strict' } = options
  if (direction !== undefined) requireOneOf('direction', direction, ['client', 'server'])
  requireOneOf('mode', mode, ['strict', 'lenient'])
  try {
    return decode(value, options)
  } catch {
    return invalid(value, [{ code: 'unreadable', path: '', message: 'Reading the value threw an error.' }])
  }
}

type DecodeOutcome = DecodeResult<unknown, UnknownSessionEvent> & { repairs?: readonly Diagnostic[] }

function decode(value: unknown, { direction, mode }: DecodeSessionOptions): DecodeOutcome {
  if (
    !isFields(value) ||
    typeof value.event !== 'string' ||
    value.event === '' ||
    !Object.hasOwn(value, 'event')
  ) {
    return invalid(value, issuesOf(['fields', sessionEnvelopeShape], value))
  }
  const named = mode === 'lenient' ? withoutNamespace(value, value.event) : { event: value, renamed: [] }
  const name = named.event.event as string
  if (direction !== undefined && !maySend(direction, name)) {
    const message = `Expected an event that a ${direction} may send, got ${name}.`
    return invalid(value, [{ code: 'invalid-value', path: '/event', message }])
  }
  const renamed = mode === 'lenient' ? named.renamed : undefined
  const fields = fieldsFor(name, direction)
  const { issues, value: event } = read(['fields', fields], named.event)
  if (issues.length === 0) return outcome(name, event as Fields, value, renamed)
  return mode === 'lenient' ? decodeLoosely(value, name, named, fields) : invalid(value, issues)
}

function decodeLoosely(
  value: unknown,
  name: string,
  named: { event: Fields; renamed: readonly Diagnostic[] },
  fields: ShapeFields,
): DecodeOutcome {
  const { event, renamed } = isSessionEventName(name)
    ? applyAliases(name, named.event, isObject(fields.content))
    : { event: named.event, renamed: [] }
  const loose = lenientFieldsOf(fields)
  const { issues, value: found } = read(['fields', loose], event)
  if (issues.length > 0) {
    const original = issues.map((issue) => ({ ...issue, path: originalPath(issue.path, renamed) }))
    // A value that was copied has the fault in both places.
    const isFirst = ({ path, code }: Issue, i: number): boolean =>
      original.findIndex((other) => other.path === path && other.code === code) === i
    return invalid(value, original.filter(isFirst))
  }
  const repaired = found as Fields
  const deviations = issuesOf(['fields', fields], repaired, { refusesNulls: true }).map(
    ({ code, message, path }): Diagnostic => ({
      code: at(repaired, path) === undefined ? 'left-out' : `deviates:${code}`,
      message,
      path,
    }),
  )
  return outcome(name, repaired, value, [...named.renamed, ...renamed, ...deviations])
}

/** Whether a shape is that of an object, which may be optional or `null`. */
function isObject(shape: Shape = 'any'): boolean {
  return shape[0] === 'maybe' || shape[0] === 'nullable' ? isObject(shape[1] as Shape) : shape[0] === 'fields'
}

/** An unknown event is returned unchanged, so that it can be forwarded as an equal value. */
function outcome(
  name: string,
  event: Fields,
  value: unknown,
  repairs?: readonly Diagnostic[],
): DecodeOutcome {
  const found: DecodeOutcome = isSessionEventName(name)
    ? { status: 'known', event }
    : { status: 'unknown', kind: name, event: value as UnknownSessionEvent }
  if (repairs !== undefined) found.repairs = repairs
  return found
}

function invalid(value: unknown, issues: Issue[]): { status: 'invalid'; issues: Issue[]; value: unknown } {
  return { status: 'invalid', issues, value }
}

/** The fields of an event, depending on the side that sends it; of an unknown event, those of every event. */
export function fieldsFor(name: string, direction?: SessionDirection): ShapeFields {
  if (name === 'system.heartbeat' && direction === 'client') return clientHeartbeatShape
  return (isSessionEventName(name) ? sessionEventShapes[name] : undefined) ?? sessionEnvelopeShape
}

/** Removes the namespace that some servers prefix to event names: `acme.plan.start`. */
function withoutNamespace(value: Fields, name: string): { event: Fields; renamed: readonly Diagnostic[] } {
  const bare = isSessionEventName(name) ? name : name.split('.').slice(-2).join('.')
  if (bare === name || !isSessionEventName(bare)) return { event: value, renamed: [] }
  const message = `Read event name ${bare} from ${name}.`
  return {
    event: { ...value, event: bare },
    renamed: [{ code: 'renamed', message, path: '/event', detail: { from: '/event', name } }],
  }
}

/** The pointer into the original value, for a pointer into the event with aliases applied. */
function originalPath(path: string, renamed: readonly Diagnostic[]): string {
  for (const { path: to = '', detail } of renamed) {
    if (path === to || path.startsWith(`${to}/`)) {
      return (detail as { from: string }).from + path.slice(to.length)
    }
  }
  return path
}
