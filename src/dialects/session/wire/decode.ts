/** From a value of unknown origin to an event of the session protocol. */

import type { DecodeResult, Issue } from '../../../core/decoded.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import type { Schema } from '../../../core/schema.ts'
import { checkOf } from '../../../validation/compile-check.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { withoutNulls } from '../../../validation/strip-nulls.ts'
import { at, withAliases } from './aliases.ts'
import type { SessionClientEvent, SessionEvent, SessionServerEvent, UnknownSessionEvent } from './event.ts'
import { contentSchemaOf, type LenientSessionEvent, lenientSchemaOf, once } from './lenient.ts'
import { isSessionEventName, maySend, type SessionDirection, type SessionEventName } from './names.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from './schemas.ts'
import { clientHeartbeatSchema } from './system-events.ts'

/** Settings of {@link decodeSessionEvent}. */
export interface DecodeSessionOptions {
  /**
   * Who sent the event. An event the other side sends is then invalid, and a heartbeat is read as
   * the one of that side. Absent: either side; a heartbeat is a server's.
   */
  readonly direction?: SessionDirection
  /**
   * `strict` is the document. `lenient` is what real servers send: see {@link LenientSessionEvent}.
   *
   * @defaultValue `'strict'`
   */
  readonly mode?: 'strict' | 'lenient'
}

/** What the lenient mode reads. */
export type DecodedLeniently =
  | {
      status: 'known'
      /** The value itself, unless a repair moved something in it. */
      event: LenientSessionEvent
      /** In what it is not as documented, and what was done about it. Empty: in nothing. */
      repairs: readonly Diagnostic[]
    }
  | { status: 'unknown'; kind: string; event: UnknownSessionEvent; repairs: readonly Diagnostic[] }
  | { status: 'invalid'; issues: Issue[]; value: unknown }

/**
 * Reads a value as an event of the session protocol. Never throws.
 *
 * A known event is the value itself, unknown fields and all. Where an optional field is `null`, which
 * counts as absent unless it is one of the documented values, it is a copy without that field. An event
 * of an unknown name passes, as long as its envelope is valid.
 *
 * With `mode: 'lenient'` a known event comes with `repairs`: diagnostics, one for each thing that is
 * not as documented.
 *
 * - `renamed`: `path` was filled from `detail.from`, where it also stays; the event is then a copy
 * - `left-out`: the field at `path` is required, and absent
 * - `deviates:<code>`: the value at `path` is not of the documented form; `code` is an issue code
 *
 * A field that is there and of no type the mode can read is invalid all the same.
 *
 * @param value - Typically what `JSON.parse` returned.
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
export function decodeSessionEvent(value: unknown, options: DecodeSessionOptions = {}): Outcome {
  try {
    return decode(value, options)
  } catch {
    return invalid(value, [{ code: 'unreadable', path: '', message: 'The value throws when it is read.' }])
  }
}

type Outcome = DecodeResult<unknown, UnknownSessionEvent> & { repairs?: readonly Diagnostic[] }

function decode(value: unknown, { direction, mode }: DecodeSessionOptions): Outcome {
  if (!isFields(value) || typeof value.event !== 'string' || value.event === '') {
    return invalid(value, explain(sessionEnvelopeSchema, value))
  }
  const named = mode === 'lenient' ? withoutNamespace(value, value.event) : { event: value, renamed: [] }
  const name = named.event.event as string
  if (direction !== undefined && !maySend(direction, name)) {
    const message = `A ${direction} does not send ${name}.`
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
): Outcome {
  const { event, renamed } = isSessionEventName(name)
    ? withAliases(name, named.event, contentSchemaOf(schema)._zod.def.type === 'object')
    : { event: named.event, renamed: [] }
  const loose = lenientSchemaOf(schema)
  const loosely = read(loose, event)
  if (!loosely.fits) {
    const issues = explain(loose, loosely.event)
    return invalid(
      value,
      issues.map((issue) => ({ ...issue, path: asItCame(issue.path, renamed) })),
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

/** The value if it fits, or else without its nulls, and whether that fits. */
function read(schema: Schema<unknown>, value: Fields): { event: Fields; fits: boolean } {
  const check = checkFor(schema)
  if (check(value)) return { event: value, fits: true }
  const event = withoutNulls(schema, value) as Fields
  return { event, fits: event !== value && check(event) }
}

/** Not made when the module is loaded: that would take a good part of the time loading takes. */
const checkFor = once(checkOf)

/** An unknown event stays as it came, so that it can be passed on to the byte. */
function outcome(name: string, event: Fields, value: unknown, repairs?: readonly Diagnostic[]): Outcome {
  const found: Outcome = isSessionEventName(name)
    ? { status: 'known', event }
    : { status: 'unknown', kind: name, event: value as UnknownSessionEvent }
  if (repairs !== undefined) found.repairs = repairs
  return found
}

function invalid(value: unknown, issues: Issue[]): { status: 'invalid'; issues: Issue[]; value: unknown } {
  return { status: 'invalid', issues, value }
}

/** The validator of an event, given who sends it. */
export function schemaFor(name: SessionEventName, direction?: SessionDirection): Schema<unknown> {
  const isClientHeartbeat = name === 'system.heartbeat' && direction === 'client'
  return (isClientHeartbeat ? clientHeartbeatSchema : sessionEventSchemas[name]) as Schema<unknown>
}

/** A server may put a namespace before its names: `acme.plan.start`. */
function withoutNamespace(value: Fields, name: string): { event: Fields; renamed: readonly Diagnostic[] } {
  const bare = isSessionEventName(name) ? name : (/[^.]+\.[^.]+$/.exec(name)?.[0] ?? name)
  if (bare === name || !isSessionEventName(bare)) return { event: value, renamed: [] }
  const message = `Read from the name ${name}.`
  return {
    event: { ...value, event: bare },
    renamed: [{ code: 'renamed', message, path: '/event', detail: { from: '/event', name } }],
  }
}

/** The pointer into the value as it came, of a pointer into the event a rename has filled. */
function asItCame(path: string, renamed: readonly Diagnostic[]): string {
  for (const { path: to = '', detail } of renamed) {
    if (path === to || path.startsWith(`${to}/`)) {
      return (detail as { from: string }).from + path.slice(to.length)
    }
  }
  return path
}
