/** Decoding: from a value of unknown origin to an event. */

import type { DecodeResult, Issue } from '../../../core/decode-result.ts'
import { isFields } from '../../../validation/predicates.ts'
import { issuesOf, read } from '../../../validation/read.ts'
import type { Shape } from '../../../validation/shape.ts'
import { withCurrentInput, withCurrentSpelling } from './older-spellings.ts'
import { eventShapes, runInputShape } from './shapes.generated.ts'
import type { AgUiEvent, AgUiRunInput, UnknownAgUiEvent } from './types/index.ts'

/**
 * Decodes a value as an event of AG-UI 1.0. Never throws.
 *
 * A known event is the value itself, with its unknown fields. It is a copy if an optional field is `null`, or the
 * value is spelled as in AG-UI 0.x: `THINKING_…` is read as `REASONING_…`. A type that 1.0 does not have decodes as
 * `unknown`, with the type as `kind`.
 *
 * Free content, such as `snapshot` and `value`, is not checked.
 *
 * @param value - Typically the result of `JSON.parse`. A string is invalid: parse it first.
 *
 * @example
 * ```ts
 * const decoded = decodeAgUiEvent(JSON.parse(data))
 * if (decoded.status === 'known' && decoded.event.type === 'TEXT_MESSAGE_CONTENT') show(decoded.event.delta)
 * ```
 */
export function decodeAgUiEvent(value: unknown): DecodeResult<AgUiEvent, UnknownAgUiEvent> {
  try {
    if (!isFields(value) || typeof value.type !== 'string' || !Object.hasOwn(value, 'type')) {
      return { status: 'invalid', issues: issuesOf(['fields', { type: 'text' }], value), value }
    }
    const event = withCurrentSpelling(value)
    const type = event.type as string
    const fields = Object.hasOwn(eventShapes, type) ? eventShapes[type] : undefined
    return fields === undefined
      ? { status: 'unknown', kind: type, event: value as UnknownAgUiEvent }
      : checked<AgUiEvent>(['fields', fields], event, value)
  } catch {
    return { status: 'invalid', issues: [unreadable], value }
  }
}

/** The result of {@link decodeRunAgentInput}. */
export type DecodedRunInput = Exclude<DecodeResult<AgUiRunInput, never>, { status: 'unknown' }>

/**
 * Decodes the body that a client posts to start a run, `RunAgentInput`. Never throws.
 *
 * A known request is the value itself, with its unknown fields; a copy if an optional field is `null`. Older clients omit
 * `tools` and `context`: the copy then has empty ones.
 *
 * @param value - Typically the parsed body of a request.
 *
 * @example
 * ```ts
 * const decoded = decodeRunAgentInput(await request.json())
 * if (decoded.status === 'invalid') return Response.json(decoded.issues, { status: 400 })
 * const { threadId, runId, messages, resume } = decoded.event
 * ```
 */
export function decodeRunAgentInput(value: unknown): DecodedRunInput {
  try {
    return checked<AgUiRunInput>(
      ['fields', runInputShape],
      isFields(value) ? withCurrentInput(value) : value,
      value,
    )
  } catch {
    return { status: 'invalid', issues: [unreadable], value }
  }
}

const unreadable: Issue = { code: 'unreadable', path: '', message: 'Reading the value threw an error.' }

function checked<T>(
  shape: Shape,
  event: unknown,
  value: unknown,
): Exclude<DecodeResult<T, never>, { status: 'unknown' }> {
  const { issues, value: known } = read(shape, event)
  return issues.length > 0 ? { status: 'invalid', issues, value } : { status: 'known', event: known as T }
}
