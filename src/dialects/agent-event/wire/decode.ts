/** Decoding values as AgentEvents and ToolEvents. */

import type { DecodeResult } from '../../../core/decode-result.ts'
import type { Schema } from '../../../core/schema.ts'
import { explain } from '../../../validation/issues.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { stripNulls } from '../../../validation/strip-nulls.ts'
import { checkByType, checkEnvelope } from './checks.generated.ts'
import { agentEventSchemas, envelopeSchema, toolEventSchemas } from './schemas.ts'
import type { AgentEvent, ToolEvent, UnknownAgentEvent } from './types.ts'

/**
 * Decodes a value as an AgentEvent. Never throws.
 *
 * A known event is the value itself, with its unknown fields; if an optional field is `null`, a copy without
 * that field. The `kind` of an unknown event is its `type`.
 *
 * @example
 * ```ts
 * const decoded = decodeAgentEvent(JSON.parse(message.data))
 * if (decoded.status === 'known' && decoded.event.type === 'stream') append(decoded.event.content)
 * ```
 */
export function decodeAgentEvent(value: unknown): DecodeResult<AgentEvent, UnknownAgentEvent> {
  return decodeWith(agentEventSchemas, value)
}

/** Decodes a value as a ToolEvent. Never throws; otherwise like {@link decodeAgentEvent}. */
export function decodeToolEvent(value: unknown): DecodeResult<ToolEvent, UnknownAgentEvent> {
  return decodeWith(toolEventSchemas, value)
}

function decodeWith<T>(
  schemas: { readonly [type: string]: Schema<unknown> },
  value: unknown,
): DecodeResult<T, UnknownAgentEvent> {
  try {
    if (!isFields(value) || !checkEnvelope(value)) {
      return { status: 'invalid', issues: explain(envelopeSchema, value), value }
    }
    const type = value.type as string
    const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined
    if (schema === undefined) return { status: 'unknown', kind: type, event: value as UnknownAgentEvent }
    if (checkByType(type, value) === true) return { status: 'known', event: value as T }
    const fixed = stripNulls(schema, value) as Fields
    return checkByType(type, fixed) === true
      ? { status: 'known', event: fixed as T }
      : { status: 'invalid', issues: explain(schema, fixed), value }
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}
