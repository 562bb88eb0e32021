/** Decoding values as AgentEvents and ToolEvents. */

import type { DecodeResult } from '../../../core/decode-result.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { issuesOf, read } from '../../../validation/read.ts'
import type { ShapeFields } from '../../../validation/shape.ts'
import { agentEventShapes, envelopeShape, toolEventShapes } from './shapes.generated.ts'
import type { AgentEvent, ToolEvent } from './types.generated.ts'
import type { UnknownAgentEvent } from './types.ts'

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
  return decodeWith(agentEventShapes, value)
}

/** Decodes a value as a ToolEvent. Never throws; otherwise like {@link decodeAgentEvent}. */
export function decodeToolEvent(value: unknown): DecodeResult<ToolEvent, UnknownAgentEvent> {
  return decodeWith(toolEventShapes, value)
}

/**
 * Decodes a value with the shapes of the types.
 *
 * @param rename - Gives an event the names of the shapes. Omitted: it has them.
 */
export function decodeWith<T>(
  shapes: Readonly<Record<string, ShapeFields>>,
  value: unknown,
  rename: (event: Fields) => Fields = (event) => event,
): DecodeResult<T, UnknownAgentEvent> {
  try {
    const envelopeIssues = issuesOf(['fields', envelopeShape], value)
    if (!isFields(value) || envelopeIssues.length > 0) {
      return { status: 'invalid', issues: envelopeIssues, value }
    }
    const event = rename(value)
    const type = event.type as string
    const fields = Object.hasOwn(shapes, type) ? shapes[type] : undefined
    if (fields === undefined) return { status: 'unknown', kind: type, event: value as UnknownAgentEvent }
    const { issues, value: known } = read(['fields', fields], event)
    return issues.length === 0 ? { status: 'known', event: known as T } : { status: 'invalid', issues, value }
  } catch {
    const message = 'Reading the value threw an error.'
    return { status: 'invalid', issues: [{ code: 'unreadable', path: '', message }], value }
  }
}
