/** Decoding: from a value of unknown origin to an event of the session protocol. */

import type { DecodeResult, Issue } from '../../../core/decode-result.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import { requireObject, requireOneOf } from '../../../core/require.ts'
import type { Schema } from '../../../core/schema.ts'
import { compileCheck } from '../../../validation/compile-check.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { stripNulls } from '../../../validation/strip-nulls.ts'
import { applyAliases, at } from './aliases.ts'
import type { SessionClientEvent, SessionEvent, SessionServerEvent, UnknownSessionEvent } from './event.ts'
import { clientHeartbeatSchema } from './events/system.ts'
import { contentSchemaOf, type LenientSessionEvent, lenientSchemaOf, once } from './lenient.ts'
import { isSessionEventName, maySend, type SessionDirection, type SessionEventName } from './names.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from './schemas.ts'

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
  requireObject('options', options)
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
  if (!isFields(value) || typeof value.event !== 'string' || value.event === '') {
    return invalid(value, explain(sessionEnvelopeSchema, value))
  }
  const named = mode === 'lenient' ? withoutNamespace(value, value.event) : { event: value, renamed: [] }
  const name = named.event.event as string
  if (direction !== undefined && !maySend(direction, name)) {
    const message = `Expected an event that a ${direction} may send, got ${name}.`
    return invalid(value, [{ code: 'invalid-value', path: '/event', message }])
  }
  const schema = isSessionEventName(name) ? schemaFor(name, direction) : sessionEnvelopeSchema
  const strict = read(schema, named.event)
  if (mode !== 'lenient') {
    return strict.fits ? outcome(name, strict.event, value) : invalid(value, explain(schema, strict.event))
  }
  if (strict.fits) return outcome(name, strict.event, value, named.renamed)
  return decodeLoosely(value, name, named, schema)
}

function decodeLoosely(
  value: unknown,
  name: string,
  named: { event: Fields; renamed: readonly Diagnostic[] },
  schema: Schema<unknown>,
): DecodeOutcome {
  const { event, renamed } = isSessionEventName(name)
    ? applyAliases(name, named.event, contentSchemaOf(schema)._zod.def.type === 'object')
    : { event: named.event, renamed: [] }
  const loose = lenientSchemaOf(schema)
  const loosely = read(loose, event)
  if (!loosely.fits) {
    const issues = explain(loose, loosely.event)
    return invalid(
      value,
      issues.map((issue) => ({ ...issue, path: originalPath(issue.path, renamed) })),
    )
  }
  const deviations = explain(schema, loosely.event).map(
    ({ code, message, path }): Diagnostic => ({
      code: at(loosely.event, path) === undefined ? 'left-out' : `deviates:${code}`,
      message,
      path,
    }),
  )
  return outcome(name, loosely.event, value, [...named.renamed, ...renamed, ...deviations])
}

/** The value if it is valid, otherwise the value without nulls; and whether that is valid. */
function read(schema: Schema<unknown>, value: Fields): { event: Fields; fits: boolean } {
  const check = checkFor(schema)
  if (check(value)) return { event: value, fits: true }
  const event = stripNulls(schema, value) as Fields
  return { event, fits: event !== value && check(event) }
}

/** Compiled on first use, to keep the module fast to load. */
const checkFor = once(compileCheck)

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

/** The schema of an event, depending on the side that sends it. */
export function schemaFor(name: SessionEventName, direction?: SessionDirection): Schema<unknown> {
  const isClientHeartbeat = name === 'system.heartbeat' && direction === 'client'
  return (isClientHeartbeat ? clientHeartbeatSchema : sessionEventSchemas[name]) as Schema<unknown>
}

/** Removes the namespace that some servers prefix to event names: `acme.plan.start`. */
function withoutNamespace(value: Fields, name: string): { event: Fields; renamed: readonly Diagnostic[] } {
  const bare = isSessionEventName(name) ? name : (/[^.]+\.[^.]+$/.exec(name)?.[0] ?? name)
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
