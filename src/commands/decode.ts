/** Decodes untrusted values to commands. */

import type { DecodeResult } from '../core/decode-result.ts'
import { type Fields, isFields, isPlain } from '../validation/predicates.ts'
import type { Shape } from '../validation/shape.ts'
import { issuesOf, stripNulls } from '../validation/walk.ts'
import { checkCommand, checkCommandEnvelope } from './checks.generated.ts'
import type { Command, UnknownCommand } from './command.ts'
import { commandEnvelopeShape, commandShapes } from './shapes.generated.ts'

/**
 * Decodes a value as a command. Never throws.
 *
 * A known command is the value itself, including unknown fields. If an optional field is `null`, it is a copy without
 * that field. A command of a kind that this version does not know is `unknown` if it has a `commandId` and a
 * `timestamp`: pass it on.
 *
 * @param value - Usually the parsed body of a request.
 *
 * @example
 * ```ts
 * const decoded = decodeCommand(await request.json())
 * if (decoded.status !== 'known') return new Response('Invalid command.', { status: 400 })
 * ```
 */
export function decodeCommand(value: unknown): DecodeResult<Command, UnknownCommand> {
  try {
    if (!isFields(value) || typeof value.kind !== 'string' || !Object.hasOwn(value, 'kind')) {
      return invalid(['fields', commandEnvelopeShape], value)
    }
    return decodeKind(value.kind, value)
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}

function decodeKind(kind: string, value: Fields): DecodeResult<Command, UnknownCommand> {
  const verdict = checkCommand(kind, value)
  if (verdict === true && isPlain(value)) return { status: 'known', event: value as unknown as Command }
  if (verdict === undefined) {
    const shape: Shape = ['fields', commandEnvelopeShape]
    const isValid = isPlain(value) ? checkCommandEnvelope(value) : issuesOf(shape, value).length === 0
    return isValid ? { status: 'unknown', kind, event: value as UnknownCommand } : invalid(shape, value)
  }
  const shape: Shape = ['fields', commandShapes[kind] ?? {}]
  const issues = issuesOf(shape, value)
  if (issues.length > 0) return { status: 'invalid', issues, value }
  return { status: 'known', event: stripNulls(shape, value) as Command }
}

function invalid(shape: Shape, value: unknown): DecodeResult<never, never> {
  return { status: 'invalid', issues: issuesOf(shape, value), value }
}
